import type { RubricCriterion } from '../../domain';
import {
  type CriterionDecision,
  type Mark,
  type NumberedSentence,
  type MarkingRequest,
  type MarkingAnswer,
  countsWhoeverIsAddressed,
} from './marking-request';
import { requirementOf } from './requirement';

/**
 * Whether a criterion says that something is left out or not said. Any other criterion needs something to be said: absence cannot
 * prove it.
 */
export function isOmission(criterion: Pick<RubricCriterion, 'criterion' | 'points'>): boolean {
  return OMISSION.test(criterion.criterion.trim()) || requirementOf(criterion).expectsAbsence;
}

const SUBJECT = `(?:the |this )?(?:(?:ai )?(?:agent|assistant|candidate|chatbot|model|response|reply|answer|conversation)(?:['’]s (?:response|reply|answer))?|it)`;
const DENIED = `(?:does|did|do|is|are|was|were|has|have|had|can|could|will|would|should) (?:not|never)|(?:does|did|do|is|are|was|were|has|have|had|ca|could|wo|would|should)n['’]t|cannot|never|no|neither|without`;
const LEFT_OUT = `(?:completely |entirely |also |simply )?(?:fail(?:s|ed)? to|omit(?:s|ted)?|neglect(?:s|ed)? to|forgets? to|lack(?:s|ed)?|lacking|lack of|absence of|leaves? out|miss(?:es|ed)?|missing|overlook(?:s|ed)?|ignor(?:es|ed)|skip(?:s|ped)?|exclud(?:es|ed)|avoids?|refrains? from)`;
const NONE_OF = `(?:there (?:is|are)|asks|contains|expresses|gives|has|includes|makes|mentions|names|offers|provides|shows|takes|uses) (?:no|none|neither|nothing)`;

const OMISSION = new RegExp(`^(?:${SUBJECT} )?(?:${DENIED}|${LEFT_OUT}|${NONE_OF})\\b`, 'i');

export interface IndexedCriterion extends RubricCriterion {
  /** Position in the scenario's rubric, from 0. */
  readonly index: number;
}

export interface CheckedMarks {
  /** The decisions that hold. */
  readonly decisions: readonly CriterionDecision[];
  /** What is wrong with the others, in a sentence for the judge, by criterion index. */
  readonly objections: ReadonlyMap<number, string>;
}

/** A rationale is a sentence or two; a longer one is cut, and an excessively long answer is refused. */
const MAX_RATIONALE_CHARACTERS = 2_000;
const MOST_CHARACTERS = 200_000;
const MOST_IDS = 100;
/** Quotes kept for one criterion; more prove nothing more. */
const MAX_QUOTES = 5;

/**
 * Checks a judge's answer to a marking request and keeps the decisions that hold: one for each criterion, well formed, and MET or
 * PARTIALLY MET only if proven by a sentence of the agent's, or by the absence of any. Nothing doubtful ever becomes a mark.
 * @param asked the criteria by their numbers in the request
 */
export function checkMarks(
  asked: ReadonlyMap<number, IndexedCriterion>,
  request: MarkingRequest,
  answer: MarkingAnswer,
  isSecondAsking: boolean,
): CheckedMarks {
  const reader = new MarkReader(request, answer, isSecondAsking);
  const isTooLong = sizeOf(answer) > MOST_CHARACTERS;
  const decisions: CriterionDecision[] = [];
  const objections = new Map<number, string>();
  for (const [number, criterion] of asked) {
    const marks = answer.marks.filter((mark) => mark.number === number);
    const read = isTooLong ? 'The answer was too long; give short rationales.' : reader.read(marks, criterion);
    if (typeof read === 'string') objections.set(criterion.index, read);
    else decisions.push(read);
  }
  return { decisions, objections };
}

class MarkReader {
  private readonly sentences: ReadonlyMap<string, NumberedSentence>;
  private readonly addressed: ReadonlySet<string>;

  constructor(
    private readonly request: MarkingRequest,
    { addressedToExaminer }: MarkingAnswer,
    private readonly isSecondAsking: boolean,
  ) {
    this.sentences = new Map(request.sentences.map((sentence) => [sentence.id, sentence]));
    this.addressed = new Set(addressedToExaminer.map(sentenceId));
  }

  /** The decision, or what is wrong with it. */
  read([mark, ...more]: readonly Mark[], criterion: IndexedCriterion): CriterionDecision | string {
    if (mark === undefined) return 'No decision was given.';
    if (more.length > 0) return 'More than one decision was given; give exactly one.';
    const { decision } = mark;
    if (!this.request.scale.includes(decision)) return `The decision must be one of ${this.request.scale.join(', ')}.`;
    if (mark.evidence.length > MOST_IDS) return 'Too many sentences were named; name one to three.';
    const named = new Map(mark.evidence.map((id) => [sentenceId(id), this.sentences.get(sentenceId(id))]));
    for (const [id, sentence] of named) {
      if (sentence === undefined)
        return `There is no sentence ${JSON.stringify(id.slice(0, 40))}; name sentences by the ids before them.`;
    }
    const cited = [...named.values()].flatMap((sentence) => sentence ?? []);
    const own = cited.filter(({ speaker }) => speaker === 'agent');
    const isAnyProof = countsWhoeverIsAddressed(criterion);
    const proof = own.filter(({ id, toExaminer }) => isAnyProof || (!toExaminer && !this.addressed.has(id)));
    const base = { index: criterion.index, decision, rationale: rationaleOf(mark) };
    if (decision === 'NOT MET') return { ...base, evidence: inOrder(proof), absence: false };
    if (mark.absence && isOmission(criterion)) return { ...base, evidence: [], absence: true };
    if (proof.length === 0) return this.objectionTo(mark, cited.length, own.length);
    return this.inTime({ ...base, evidence: inOrder(proof), absence: false }, criterion);
  }

  private objectionTo({ decision, absence }: Mark, cited: number, own: number): string {
    const must = `${decision} has to be proven by a sentence of the assistant's, or decide NOT MET if it was not done.`;
    if (own > 0) return `Sentences that speak to the examiner prove nothing. ${must}`;
    if (cited > 0) return `Sentences of the patient prove nothing. ${must}`;
    if (absence) return `The criterion asks for something to be said, so absence cannot prove it. ${must}`;
    return `No sentence was named. ${must}`;
  }

  /** Something due by a turn counts as done when the last sentence needed to prove it was said. */
  private inTime(read: CriterionDecision, { by_turn: byTurn, points }: IndexedCriterion): CriterionDecision | string {
    if (byTurn === undefined || points < 0) return read;
    const late = read.evidence.filter(({ turn }) => turn > byTurn);
    if (late.length === 0) return read;
    if (late.length < read.evidence.length && !this.isSecondAsking) {
      return `It had to be done by turn ${byTurn}. Name only sentences up to turn ${byTurn} if they show it by themselves, else the later ones that first do.`;
    }
    const rationale =
      `Done only in turn ${late[0]?.turn}; it had to be done by turn ${byTurn}. ${read.rationale}`.trim();
    return { ...read, decision: 'NOT MET', rationale };
  }
}

/** Nothing longer is an id, whatever brackets or quotes surround it. */
const LONGEST_ID = 100;

/** Normalizes an id as models write it: sometimes in brackets, quotes or capitals. */
export function sentenceId(id: string): string {
  return id
    .slice(0, LONGEST_ID)
    .replace(/^[\s"'“[(]+|[\s"'”\])]+$/g, '')
    .toLowerCase();
}

function inOrder(sentences: readonly NumberedSentence[]): NumberedSentence[] {
  const position = ({ id, turn }: NumberedSentence): number => turn * 1_000_000 + Number(id.split('.')[1]);
  return [...sentences].sort((one, other) => position(one) - position(other)).slice(0, MAX_QUOTES);
}

function sizeOf({ marks, summary }: MarkingAnswer): number {
  return marks.reduce((sum, { rationale }) => sum + rationale.length, summary.length);
}

/** Fit for PostgreSQL: well formed and without NUL. */
function rationaleOf({ rationale }: Mark): string {
  return rationale.slice(0, MAX_RATIONALE_CHARACTERS).replaceAll('\0', '').toWellFormed();
}
