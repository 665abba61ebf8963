import type { Decision } from '../../domain';
import { usageBefore } from '../model/model-error';
import { controlQuestions, isRight, type ControlQuestion } from './control-questions';
import type { ExaminationNotes } from './examination-record';
import { JudgeError, type Judge } from './judge';
import { checkMarks, sentenceId, type IndexedCriterion, isOmission } from './checked-marks';
import type { CriterionDecision, NumberedSentence, Question, MarkingRequest, MarkingAnswer } from './marking-request';
import type { SeededRandom } from './seeded-random';

export interface Asking {
  readonly judge: Judge;
  readonly extent: MarkingRequest['extent'];
  readonly criteria: readonly IndexedCriterion[];
  /** Criteria asked beside them; if the judge finds these too, its answer is not believed (`foilsFor`). */
  readonly foils?: readonly IndexedCriterion[];
  /** Where proofs are read: the ids of each criterion's own, by its index. */
  readonly proofs?: ReadonlyMap<number, readonly string[]>;
  readonly sentences: readonly NumberedSentence[];
  readonly scale: readonly Decision[];
  readonly region: MarkingRequest['region'];
  readonly marker: MarkingRequest['marker'];
  readonly random: SeededRandom;
  readonly notes: ExaminationNotes;
  /** Awaited before the judge is asked again: an answer may take minutes. */
  readonly assureOwnership: (signal: AbortSignal) => Promise<void>;
}

/** With more criteria in one call a judge marks less carefully. */
const MOST_CRITERIA_A_CALL = 12;

/** Parts of about the same size, each for one call. */
export function inParts<Item>(criteria: readonly Item[]): Item[][] {
  const parts = Math.ceil(criteria.length / MOST_CRITERIA_A_CALL);
  return Array.from({ length: parts }, (_, part) => criteria.filter((_criterion, at) => at % parts === part));
}

export interface Asked {
  /** One for each criterion. */
  readonly decisions: readonly CriterionDecision[];
  /** Ids of the agent's sentences that the judge named as words to the examiner. */
  readonly addressed: readonly string[];
  readonly summary: string;
}

/**
 * Has one marking request answered. An answer that gets a control question wrong, or finds foils, is thrown away and asked for once more, in a different order and
 * with different control questions; decisions that are objected to are asked for once more.
 * @throws JudgeError when the judge fails, when its control questions are wrong twice, or when a decision does not hold twice
 */
export async function askJudge(asking: Asking, signal: AbortSignal): Promise<Asked> {
  const usedControls = new Set<string>();
  const first = await askTrusted(asking, asking.criteria, new Map(), usedControls, signal);
  if (first.objections.size === 0) return first;
  const open = asking.criteria.filter(({ index }) => first.objections.has(index));
  await asking.assureOwnership(signal);
  const second = await askTrusted(asking, open, first.objections, usedControls, signal);
  const [failed] = second.objections;
  if (failed !== undefined) {
    const numbers = [...second.objections.keys()].map((index) => index + 1).join(', ');
    const sentence = `The judge gave no usable decision on criterion ${numbers} when asked twice: ${failed[1]}`;
    throw new JudgeError('marks_unusable', sentence);
  }
  return {
    decisions: [...first.decisions, ...second.decisions],
    addressed: [...first.addressed, ...second.addressed],
    summary: first.summary,
  };
}

interface Reviewed extends Asked {
  readonly objections: ReadonlyMap<number, string>;
}

/** One answer that got its control questions right. */
async function askTrusted(
  asking: Asking,
  criteria: readonly IndexedCriterion[],
  objections: ReadonlyMap<number, string>,
  usedControls: Set<string>,
  signal: AbortSignal,
): Promise<Reviewed> {
  const first = await askOnce(asking, criteria, objections, usedControls, signal);
  if (first !== null) return first;
  await asking.assureOwnership(signal);
  const second = await askOnce(asking, criteria, objections, usedControls, signal);
  if (second !== null) return second;
  const sentence = 'The judge failed its control questions: its marks cannot be trusted on this conversation.';
  throw new JudgeError('controls_wrong', sentence);
}

/** Null when a control question was answered wrongly. */
async function askOnce(
  { judge, extent, foils = [], proofs, sentences, scale, region, marker, random, notes }: Asking,
  criteria: readonly IndexedCriterion[],
  objections: ReadonlyMap<number, string>,
  usedControls: Set<string>,
  signal: AbortSignal,
): Promise<Reviewed | null> {
  const controls = judge.isDeterministic ? [] : controlQuestions(sentences, random, usedControls);
  for (const { source } of controls) usedControls.add(source);
  const asked = new Map<number, IndexedCriterion>();
  const expected = new Map<number, ControlQuestion>();
  const foilsAt = new Set<number>();
  const questions = random
    .shuffled<IndexedCriterion | ControlQuestion>([...criteria, ...foils, ...controls])
    .map((item, at): Question => {
      const number = at + 1;
      const { criterion } = item;
      if ('answer' in item) {
        expected.set(number, item);
        return {
          number,
          criterion,
          isFault: false,
          objection: null,
          ...by(proofs && proofOfControl(item, proofs, random)),
        };
      }
      if (foils.includes(item)) {
        foilsAt.add(number);
        return { number, criterion, isFault: false, objection: null, ...by(proofs && proofOfFoil(proofs, random)) };
      }
      asked.set(number, item);
      const isFault = extent === 'whole' && item.points < 0;
      const objection = objections.get(item.index) ?? null;
      return { number, criterion, isFault, objection, ...by(proofs?.get(item.index)) };
    });
  const isVote = extent !== 'whole';
  // A narrow examination does not reveal a fault, which is one whatever number was said.
  const isFaultAlone = isVote && criteria.every(({ points }) => points < 0);
  const request: MarkingRequest = { extent, questions, sentences, scale, region: isFaultAlone ? null : region, marker };
  const answer = await judge.mark(request, signal).catch((error: unknown) => {
    notes.noteFailedCall(usageBefore(error), isVote);
    throw error;
  });
  notes.noteCall(answer, isVote);
  const control = controlsIn(answer, expected);
  const found = answer.marks.filter(({ number, decision }) => foilsAt.has(number) && decision !== 'NOT MET');
  const foilsFound = new Set(found.map(({ number }) => number)).size;
  const wrong = control.wrong + (foilsFound < FOILS_TO_BE_FOUND ? 0 : foilsFound);
  notes.noteControls(expected.size + foilsAt.size, wrong);
  if (wrong > 0) return null;
  const review = checkMarks(asked, request, answer, objections.size > 0);
  const own = new Set(sentences.filter(({ speaker }) => speaker === 'agent').map(({ id }) => id));
  return {
    decisions: control.missing > 0 ? [] : review.decisions,
    objections: control.missing > 0 ? incomplete(criteria, review.objections) : review.objections,
    addressed: answer.addressedToExaminer.map(sentenceId).filter((id) => own.has(id)),
    summary: answer.summary,
  };
}

function by(ids: readonly string[] | undefined): Pick<Question, 'by'> {
  return ids === undefined ? {} : { by: ids };
}

/** The sentence that a control question is made from, or those of a criterion: a control question has to look like a criterion. */
function proofOfControl(
  { source }: ControlQuestion,
  proofs: NonNullable<Asking['proofs']>,
  random: SeededRandom,
): readonly string[] | undefined {
  return [...proofs.values()].flat().includes(source) ? [source] : proofOfFoil(proofs, random);
}

function proofOfFoil(proofs: NonNullable<Asking['proofs']>, random: SeededRandom): readonly string[] | undefined {
  return [...proofs.values()][random.integer(proofs.size)];
}

function controlsIn({ marks }: MarkingAnswer, expected: ReadonlyMap<number, ControlQuestion>) {
  let wrong = 0;
  let missing = 0;
  for (const [number, control] of expected) {
    const given = marks.filter((mark) => mark.number === number);
    if (given.length === 0) missing += 1;
    else if (!given.every((mark) => isRight(control, mark))) wrong += 1;
  }
  return { wrong, missing };
}

/** An answer that leaves out a control question cannot be trusted. */
function incomplete(
  criteria: readonly IndexedCriterion[],
  objections: ReadonlyMap<number, string>,
): ReadonlyMap<number, string> {
  const sentence = 'Not every question was decided; decide each of them.';
  return new Map(criteria.map(({ index }) => [index, objections.get(index) ?? sentence]));
}

const MOST_FOILS = 3;
/** A sentence may well show one more criterion than those it was named for, but hardly two that were proven by others, or not at all. */
const FOILS_TO_BE_FOUND = 2;

/**
 * As at an identity parade: criteria of the same rubric that the sentences shown are not the proof of. A judge that finds them in
 * these sentences follows something other than the criteria. Unlike a control question, nothing tells a foil from what is asked.
 *
 * @param decided what was decided by the whole conversation, by index
 * @param shown ids of the agent's sentences in the marking request
 * @returns two or three criteria, those first that nothing in the conversation shows; none where there are not as many
 */
export function foilsFor(
  criteria: readonly IndexedCriterion[],
  decided: ReadonlyMap<number, CriterionDecision>,
  shown: ReadonlySet<string>,
  random: SeededRandom,
): IndexedCriterion[] {
  const fit = random.shuffled(criteria).filter((criterion) => {
    const { evidence = [], absence = true } = decided.get(criterion.index) ?? {};
    return criterion.points > 0 && !absence && !isOmission(criterion) && !evidence.some(({ id }) => shown.has(id));
  });
  const isUnshown = ({ index }: IndexedCriterion): boolean => decided.get(index)?.decision === 'NOT MET';
  const foils = [...fit.filter(isUnshown), ...fit.filter((one) => !isUnshown(one))].slice(0, MOST_FOILS);
  return foils.length < FOILS_TO_BE_FOUND ? [] : foils;
}
