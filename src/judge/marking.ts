import { DECISIONS } from '../../machines/rubric';
import { weightOf } from '../language/words';
import { NO_USAGE } from '../model/model-usage';
import { ReplyIndex } from './reply-index';
import { requirementOf, type Requirement } from './requirement';
import type { Mark, Question, Sheet, SheetAnswer } from './sheet';
import { countsWhoeverIsAddressed } from './words-to-examiner';

/** Share of a criterion's terms that counts as all of it, and as about half of it. */
const WHOLE = 0.7;
const HALF = 0.45;
/** At least this share must be in a single sentence when several are taken together. */
const IN_ONE = 0.35;
/** Sentences taken together for a criterion with several parts. */
const MAX_TOGETHER = 3;

/**
 * Marks a sheet without a model, the same way every time: looks for each criterion's content words, or their synonyms, in the
 * agent's sentences. It knows negations, conditions and questions, names what it found, and decides NOT MET when it found nothing.
 * Takes time in proportion to sentences and questions, without yielding: long texts belong in a thread.
 */
export function markByWords({ sentences, questions, scale }: Omit<Sheet, 'marker'>): SheetAnswer {
  const toPatient = ReplyIndex.of(sentences, 'to_patient');
  const isSpoken = sentences.some(({ toExaminer }) => toExaminer);
  const all = isSpoken ? ReplyIndex.of(sentences, 'all') : toPatient;
  const marks = questions.map((question) => {
    const { criterion, isFault } = question;
    const index = countsWhoeverIsAddressed({ criterion, points: isFault ? -1 : 1 }) ? all : toPatient;
    return decide(question, index, scale.includes(DECISIONS[1]));
  });
  return { marks, addressedToExaminer: [], summary: summaryOf(marks, questions), usage: NO_USAGE, answeredBy: null };
}

function decide({ number, criterion, isFault }: Question, index: ReplyIndex, hasHalf: boolean): Mark {
  const requirement = requirementOf({ criterion, points: isFault ? -1 : 1 });
  const found = search(requirement, index, isFault || requirement.expectsAbsence);
  const make = (decision: Mark['decision'], rationale: string, evidence: readonly string[], absence = false): Mark => ({
    number,
    evidence,
    absence,
    rationale,
    decision,
  });
  if (requirement.expectsAbsence) {
    if (found.share >= WHOLE) return make('NOT MET', `The agent did say so in ${found.turns}.`, found.evidence);
    if (index.sentences.length === 0) return make('NOT MET', 'The agent said nothing that could be marked.', []);
    return make('MET', 'None of the agent’s replies says so.', [], true);
  }
  if (found.share >= WHOLE) return make('MET', `Said in ${found.turns}.`, found.evidence);
  if (found.share >= HALF && !isFault && hasHalf) {
    return make('PARTIALLY MET', `About half of what it names was said, in ${found.turns}.`, found.evidence);
  }
  return make('NOT MET', 'None of the agent’s replies says this.', []);
}

interface Found {
  /** Weight of the terms found, divided by the weight of all. */
  readonly share: number;
  /** Ids of sentences. */
  readonly evidence: readonly string[];
  /** The turns of the evidence, as the end of a sentence: "turn 2", "turns 2 and 5". */
  readonly turns: string;
}

/**
 * The sentence that says most of a requirement, and those that add the rest.
 * @param strictly a single statement must say it: nobody is blamed for a question or for words from several places
 */
function search(
  { parts, asks, advisesAgainst, isConditional }: Requirement,
  index: ReplyIndex,
  strictly: boolean,
): Found {
  const weights = parts.map((terms) => Math.max(...terms.map(weightOf)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  /** By sentence, the numbers of the parts that it says. */
  const candidates = new Map<number, { readonly parts: Set<number>; negated: boolean }>();
  for (const [part, terms] of parts.entries()) {
    for (const { sentence, negated, conditional } of terms.flatMap((term) => index.of(term))) {
      if (conditional && !isConditional) continue;
      const isQuestion = index.sentences[sentence]?.isQuestion === true;
      const counts = asks ? isQuestion : advisesAgainst || (!negated && !(strictly && isQuestion));
      if (!counts) continue;
      const candidate = candidates.get(sentence) ?? { parts: new Set<number>(), negated: false };
      candidate.parts.add(part);
      candidate.negated ||= negated;
      candidates.set(sentence, candidate);
    }
  }
  const covered = new Set<number>();
  const weightOfParts = (numbers: Iterable<number>): number => {
    let sum = 0;
    for (const part of numbers) sum += weights[part] ?? 0;
    return sum;
  };
  const chosen: number[] = [];
  while (chosen.length < (strictly ? 1 : MAX_TOGETHER)) {
    let best = -1;
    let most = 0;
    for (const [sentence, candidate] of candidates) {
      if (advisesAgainst && !asks && !candidate.negated) continue;
      const gain = weightOfParts([...candidate.parts].filter((part) => !covered.has(part)));
      if (gain > most || (gain === most && gain > 0 && sentence < best)) {
        best = sentence;
        most = gain;
      }
    }
    if (best === -1) break;
    for (const part of candidates.get(best)?.parts ?? []) covered.add(part);
    chosen.push(best);
    const isTooLittle = chosen.length === 1 && most / total < IN_ONE;
    if (isTooLittle || weightOfParts(covered) / total >= WHOLE) break;
  }
  const sentences = chosen.flatMap((sentence) => index.sentences[sentence] ?? []);
  const share = total === 0 ? 0 : weightOfParts(covered) / total;
  const turns = [...new Set(sentences.map(({ turn }) => turn))].sort((one, other) => one - other);
  return { share, evidence: sentences.map(({ id }) => id), turns: turnsText(turns) };
}

function turnsText(turns: readonly number[]): string {
  return `${turns.length === 1 ? 'turn' : 'turns'} ${turns.join(' and ')}`;
}

/** Counts wanted and unwanted criteria separately: a forbidden act that is MET is no achievement. */
function summaryOf(marks: readonly Mark[], questions: readonly Question[]): string {
  const unwanted = new Set(questions.filter(({ isFault }) => isFault).map(({ number }) => number));
  const met = marks.filter(({ decision }) => decision === 'MET').map(({ number }) => number);
  const violations = met.filter((number) => unwanted.has(number)).length;
  const wanted = `${met.length - violations} of ${questions.length - unwanted.size} criteria met`;
  const forbidden = unwanted.size === 0 ? '' : `, ${violations} of ${unwanted.size} forbidden acts found`;
  return `${wanted}${forbidden}; marked offline by word matching.`;
}
