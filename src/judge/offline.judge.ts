import { setImmediate as nextTick } from 'node:timers/promises';
import type { Evidence } from '../../machines/rubric';
import { NO_USAGE, type AdapterHealth } from '../tester/tester';
import { weightOf } from '../tester/words';
import {
  Judge,
  JudgeError,
  type CriterionDecision,
  type IndexedCriterion,
  type JudgeAnswer,
  type JudgeRequest,
} from './judge';
import { ReplyIndex, type AgentSentence } from './reply-index';
import { requirementOf, type Requirement } from './requirement';

/** Share of a criterion's terms that says it all, and about half of it. */
const WHOLE = 0.7;
const HALF = 0.45;
/** At least this share must stand in one sentence when several are taken together. */
const IN_ONE = 0.35;
/** Sentences taken together for a criterion with several parts. */
const MAX_TOGETHER = 3;
const CRITERIA_A_BREATH = 20;

/**
 * Marks without a model, the same way every time: looks for each criterion's content words, or their synonyms, in the agent's
 * sentences. It knows negations and questions, quotes what it found, and decides NOT MET when it found nothing.
 */
export class OfflineJudge extends Judge {
  readonly name = 'offline';
  readonly model = null;
  readonly health: AdapterHealth = {
    status: 'warning',
    detail:
      'Offline judge: criteria are matched by words. Good for trying the harness, not for clinical judgement; set ANTHROPIC_API_KEY for a language model.',
  };

  /** @throws JudgeError when aborted */
  async grade({ transcript, criteria }: JudgeRequest, signal: AbortSignal): Promise<JudgeAnswer> {
    try {
      const index = await ReplyIndex.of(transcript, signal);
      const decisions: CriterionDecision[] = [];
      for (const criterion of criteria) {
        decisions.push(decide(criterion, index));
        if (decisions.length % CRITERIA_A_BREATH !== 0) continue;
        await nextTick();
        signal.throwIfAborted();
      }
      return { decisions, summary: summaryOf(decisions), usage: NO_USAGE };
    } catch (error) {
      if (signal.aborted) throw new JudgeError('Grading was canceled.', { cause: error });
      throw error;
    }
  }
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
function search({ terms, asks, advisesAgainst }: Requirement, index: ReplyIndex, strictly: boolean): Found {
  const total = terms.reduce((sum, term) => sum + weightOf(term), 0);
  const candidates = new Map<number, { readonly terms: Set<string>; negated: boolean }>();
  for (const term of terms) {
    for (const { sentence, negated } of index.of(term)) {
      const isQuestion = index.sentences[sentence]?.isQuestion === true;
      const counts = asks ? isQuestion : advisesAgainst ? true : !negated && !(strictly && isQuestion);
      if (!counts) continue;
      const candidate = candidates.get(sentence) ?? { terms: new Set<string>(), negated: false };
      candidate.terms.add(term);
      candidate.negated ||= negated;
      candidates.set(sentence, candidate);
    }
  }
  const covered = new Set<string>();
  const chosen: number[] = [];
  let first = 0;
  while (chosen.length < (strictly ? 1 : MAX_TOGETHER)) {
    let best = -1;
    let most = 0;
    for (const [sentence, candidate] of candidates) {
      if (advisesAgainst && !asks && !candidate.negated) continue;
      let gain = 0;
      for (const term of candidate.terms) if (!covered.has(term)) gain += weightOf(term);
      if (gain > most || (gain === most && gain > 0 && sentence < best)) {
        best = sentence;
        most = gain;
      }
    }
    if (best === -1) break;
    if (chosen.length === 0) first = most / total;
    for (const term of candidates.get(best)?.terms ?? []) covered.add(term);
    chosen.push(best);
    if (first < IN_ONE || coverage(covered) / total >= WHOLE) break;
  }
  const sentences = chosen.flatMap((sentence) => index.sentences[sentence] ?? []);
  const share = total === 0 ? 0 : coverage(covered) / total;
  const turns = [...new Set(sentences.map(({ turn }) => turn))].sort((one, other) => one - other).join(' and ');
  return { share, evidence: sentences.map(quoted), turns };
}

function coverage(terms: ReadonlySet<string>): number {
  let sum = 0;
  for (const term of terms) sum += weightOf(term);
  return sum;
}

function quoted({ turn, text }: AgentSentence): Evidence {
  return { turn, quote: text };
}

/** The evidence of absence is all that was said; its last sentence stands for it. */
function closingSentence(index: ReplyIndex): Evidence[] {
  const last = index.sentences.at(-1);
  return last === undefined ? [] : [quoted(last)];
}

function summaryOf(decisions: readonly CriterionDecision[]): string {
  const met = decisions.filter(({ decision }) => decision === 'MET').length;
  return `${met} of ${decisions.length} criteria met, marked offline by word matching.`;
}
