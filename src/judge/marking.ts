import type { Evidence } from '../../machines/rubric';
import { NO_USAGE } from '../model/model-usage';
import { weightOf } from '../language/words';
import type { CriterionDecision, IndexedCriterion, JudgeAnswer, JudgeRequest } from './judge';
import { ReplyIndex, type AgentSentence } from './reply-index';
import { requirementOf, type Requirement } from './requirement';

/** Share of a criterion's terms that says it all, and about half of it. */
const WHOLE = 0.7;
const HALF = 0.45;
/** At least this share must stand in one sentence when several are taken together. */
const IN_ONE = 0.35;
/** Sentences taken together for a criterion with several parts. */
const MAX_TOGETHER = 3;
/** A sentence is longer only where nothing in it ends one; this much of it is quoted. */
const MAX_QUOTE_CHARACTERS = 2_000;

/**
 * Marks a transcript without a model, the same way every time: looks for each criterion's content words, or their synonyms, in
 * the agent's sentences. It knows negations and questions, quotes what it found, and decides NOT MET when it found nothing.
 * Takes time in proportion to transcript and rubric, without a pause: long texts belong into a thread.
 */
export function mark({ transcript, criteria }: JudgeRequest): JudgeAnswer {
  const index = ReplyIndex.of(transcript);
  const decisions = criteria.map((criterion) => decide(criterion, index));
  return { decisions, summary: summaryOf(decisions, criteria), usage: NO_USAGE, unread: index.unread };
}

function decide(criterion: IndexedCriterion, index: ReplyIndex): CriterionDecision {
  const requirement = requirementOf(criterion);
  const found = search(requirement, index, criterion.points < 0 || requirement.expectsAbsence);
  const make = (decision: CriterionDecision['decision'], rationale: string, evidence: readonly Evidence[]) => ({
    index: criterion.index,
    decision,
    rationale,
    evidence,
  });
  if (requirement.expectsAbsence) {
    if (found.share >= WHOLE) return make('NOT MET', `The agent did say so in turn ${found.turns}.`, found.evidence);
    const closest = found.evidence.length > 0 ? found.evidence : closingSentence(index);
    if (closest.length === 0) return make('NOT MET', 'The agent said nothing that could be marked.', []);
    return make('MET', 'No reply of the agent says so; the quote is the closest it came.', closest);
  }
  if (found.share >= WHOLE) return make('MET', `Said in turn ${found.turns}.`, found.evidence);
  if (found.share >= HALF && criterion.points >= 0) {
    return make('PARTIALLY MET', `About half of what it names was said, in turn ${found.turns}.`, found.evidence);
  }
  return make('NOT MET', 'No reply of the agent says this.', []);
}

interface Found {
  /** Weight of the terms found by the weight of all. */
  readonly share: number;
  readonly evidence: readonly Evidence[];
  /** The turns of the evidence, for a sentence. */
  readonly turns: string;
}

/**
 * The sentence that says most of a requirement, and those that add the rest of it.
 * @param strictly one plain statement must say it: nobody is blamed for a question or for words from several places
 */
function search({ parts, asks, advisesAgainst }: Requirement, index: ReplyIndex, strictly: boolean): Found {
  const weights = parts.map((terms) => Math.max(...terms.map(weightOf)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  /** By sentence the numbers of the parts that it says. */
  const candidates = new Map<number, { readonly parts: Set<number>; negated: boolean }>();
  for (const [part, terms] of parts.entries()) {
    for (const { sentence, negated } of terms.flatMap((term) => index.of(term))) {
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
  const turns = [...new Set(sentences.map(({ turn }) => turn))].sort((one, other) => one - other).join(' and ');
  return { share, evidence: sentences.map(quoted), turns };
}

function quoted({ turn, text }: AgentSentence): Evidence {
  if (text.length <= MAX_QUOTE_CHARACTERS) return { turn, quote: text };
  // A quote ends where a word does.
  let end = MAX_QUOTE_CHARACTERS;
  while (end > 0 && /[\p{L}\p{N}\p{M}\p{Cs}]/u.test(text.charAt(end - 1))) end -= 1;
  return { turn, quote: text.slice(0, end === 0 ? MAX_QUOTE_CHARACTERS : end).toWellFormed() };
}

/** The evidence of absence is all that was said; its last sentence stands for it. */
function closingSentence(index: ReplyIndex): Evidence[] {
  const last = index.sentences.at(-1);
  return last === undefined ? [] : [quoted(last)];
}

/** Wanted and unwanted criteria apart: a forbidden act that was MET is nothing to be proud of. */
function summaryOf(decisions: readonly CriterionDecision[], criteria: readonly IndexedCriterion[]): string {
  const unwanted = new Set(criteria.filter(({ points }) => points < 0).map(({ index }) => index));
  const met = decisions.filter(({ decision }) => decision === 'MET').map(({ index }) => index);
  const violations = met.filter((index) => unwanted.has(index)).length;
  const wanted = `${met.length - violations} of ${criteria.length - unwanted.size} criteria met`;
  const forbidden = unwanted.size === 0 ? '' : `, ${violations} of ${unwanted.size} forbidden acts found`;
  return `${wanted}${forbidden}; marked offline by word matching.`;
}
