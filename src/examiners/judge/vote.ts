import { type Decision, DECISIONS, MUST_PASS_TAG, type RubricCriterion } from '../../domain';
import { askJudge, type Asking } from './ask-judge';
import { type IndexedCriterion, isOmission } from './checked-marks';
import { type CriterionDecision, type NumberedSentence, countsWhoeverIsAddressed } from './marking-request';

export interface Ballot {
  readonly asking: Omit<Asking, 'criteria' | 'extent' | 'foils' | 'proofs' | 'sentences' | 'random'>;
  readonly criterion: IndexedCriterion;
  readonly first: CriterionDecision;
  /** The sentences that the first decision names say nothing about the criterion. */
  readonly isProofUnlikely: boolean;
  /** The whole conversation. */
  readonly sentences: readonly NumberedSentence[];
  /** Foils for examinations in which only the sentences named are seen. */
  readonly foils: readonly IndexedCriterion[];
  /** Ids that the judge named as words to the examiner. */
  readonly addressed: ReadonlySet<string>;
  readonly random: Asking['random'];
}

/**
 * Decides a criterion by independent narrow examinations: each sees only the criterion and the sentences that the first decision
 * depends on. If the second agrees with the first, that settles it; otherwise a third decides.
 * @throws JudgeError
 */
export async function voteOn(ballot: Ballot, signal: AbortSignal): Promise<CriterionDecision> {
  const { criterion, first, foils, random } = ballot;
  const sentences = narrowView(ballot);
  const examinations = [first];
  for (;;) {
    const votes = examinations.map(({ decision }) => decision);
    const decision = resolved(votes, criterion.points < 0);
    if (decision !== null) return standing(examinations, decision, votes);
    const asking: Asking = { ...ballot.asking, extent: 'narrow', criteria: [criterion], foils, sentences, random };
    if (votes.length > 1) await asking.assureOwnership(signal);
    const { decisions } = await askJudge(asking, signal);
    examinations.push(...decisions);
  }
}

/** The first of the examinations that came to the decision represents it. */
export function standing(
  examinations: readonly CriterionDecision[],
  decision: Decision,
  votes: readonly Decision[],
): CriterionDecision {
  const found = examinations.find((examination) => examination.decision === decision);
  if (found === undefined) throw new Error('No examination gave the decision that was resolved.');
  return { ...found, votes };
}

/**
 * The cited sentences, each with a neighbour on either side; where they say nothing about the criterion, only neighbours of the
 * patient, since what misled the first examination may be next to them. Where nothing was cited, and for a NOT MET or an omission,
 * which are about the whole conversation, everything the agent said. Words to the examiner are left out, except for a fault: otherwise an agent could
 * hide its own fault by saying it to the examiner.
 */
function narrowView({ criterion, first, isProofUnlikely, sentences, addressed }: Ballot): NumberedSentence[] {
  const isAnyKept = countsWhoeverIsAddressed(criterion);
  const isKept = ({ id, toExaminer }: NumberedSentence): boolean => isAnyKept || (!toExaminer && !addressed.has(id));
  if (first.decision === 'NOT MET' || saysWhatIsMissing(criterion, first) || first.evidence.length === 0) {
    return sentences.filter((sentence) => sentence.speaker === 'agent' && isKept(sentence));
  }
  const cited = new Set(first.evidence.map(({ id }) => id));
  const isCited = (at: number): boolean => cited.has(sentences[at]?.id ?? '');
  const near = sentences.filter(({ speaker }, at) => {
    if (isCited(at)) return true;
    return (isCited(at - 1) || isCited(at + 1)) && !(isProofUnlikely && speaker === 'agent');
  });
  return near.filter(isKept);
}

/**
 * Whether a decision is voted on: its criterion can decide the station alone (must_pass) or blames the agent, or there are no
 * words to prove it.
 * @param isDoubtful a sentence addressed the examiner, or the proof says nothing about the criterion: then no points are earned
 *   on a single opinion
 */
export function isDecisive(criterion: RubricCriterion, decided: CriterionDecision, isDoubtful: boolean): boolean {
  const { points, tags } = criterion;
  if (points < 0 || tags.includes(MUST_PASS_TAG) || saysWhatIsMissing(criterion, decided)) return true;
  return isDoubtful && decided.decision !== 'NOT MET';
}

/** Whether points are earned by what was left out: then no sentence proves it, whichever was named, but only all of them together. */
export function saysWhatIsMissing(criterion: RubricCriterion, { decision, absence }: CriterionDecision): boolean {
  return absence || (criterion.points > 0 && decision !== 'NOT MET' && isOmission(criterion));
}

/** The decision of two votes that agree; of three different ones, which are all that there are, the gravest for a fault and the lowest otherwise. Null: another vote is needed. */
export function resolved(votes: readonly Decision[], isFault: boolean): Decision | null {
  const agreed = DECISIONS.find((decision) => votes.filter((vote) => vote === decision).length >= 2);
  if (agreed !== undefined) return agreed;
  if (votes.length < 3) return null;
  return isFault ? 'MET' : 'NOT MET';
}
