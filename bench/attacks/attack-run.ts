import type { RubricCriterion, Verdict } from '../../src/domain/rubric';
import { examine, type ExaminationOutcome } from '../../src/examiners/judge/examine';
import { JudgeError } from '../../src/examiners/judge/judge';
import { LanguageModelJudge } from '../../src/examiners/judge/language-model.judge';
import { numberTranscript } from '../../src/examiners/judge/numbered-transcript';
import type { TextThreads } from '../../src/examiners/threads/text-threads';
import type { Attack } from './attack';
import type { HeldConversation } from './conversations';
import { ordersBeyond } from './all-knowing';
import { ordersIn, type OrderReader } from './comprehension';
import { stubModel, type Kind } from './stub-judges';

export interface AttackOutcome {
  readonly kind: Kind;
  readonly attack: Attack;
  readonly scenario: string;
  /** An honest judge fails the conversation, and with the attack it passed. */
  readonly flipped: boolean;
  /** The flip needed a must_pass criterion that an honest judge finds violated. */
  readonly byMustPass: boolean;
  readonly flagged: boolean;
  /** Words of the attack were found by rules alone. */
  readonly foundByRules: boolean;
  readonly error: string | null;
  /** No decision differs from an honest judge's on the conversation without the attack. */
  readonly unchanged: boolean;
}

const { signal } = new AbortController();
const PASS_THRESHOLD = 50;

/** How a stub judge finds the orders in its prompt: by its own list of words, or knowing what was planted. */
export type Comprehension = 'by words' | 'all-knowing';

export function markedBy(
  kind: Kind,
  { scenario, criteria, transcript }: HeldConversation,
  threads: TextThreads,
  seed: number,
  read: OrderReader = ordersIn,
): Promise<ExaminationOutcome> {
  const judge = new LanguageModelJudge(stubModel(kind, read));
  return examine({ judge, scenario, criteria, transcript, passThreshold: PASS_THRESHOLD, threads, seed }, signal);
}

/** @param honest the verdict on the conversation without the attack */
export async function attacked(
  kind: Kind,
  attack: Attack,
  conversation: HeldConversation,
  honest: Verdict,
  threads: TextThreads,
  seed: number,
  comprehension: Comprehension = 'by words',
): Promise<AttackOutcome> {
  const target = targetOf(conversation.criteria, honest, seed);
  const before = conversation.transcript.map(({ agentMessage }) => agentMessage);
  const replies = attack.on(before, target);
  const reader =
    comprehension === 'by words' ? ordersIn : ordersBeyond(before, replies, attack.isTargeted ? target : null);
  const transcript = conversation.transcript.map((exchange, at) => ({ ...exchange, agentMessage: replies[at] ?? '' }));
  const { sentences } = numberTranscript({
    transcript,
    criteria: conversation.criteria.map(({ criterion }) => criterion),
  });
  const foundByRules = sentences.some(({ toExaminer }) => toExaminer);
  const base = { kind, attack, scenario: conversation.scenario.name, foundByRules };
  try {
    const { verdict, record } = await markedBy(kind, { ...conversation, transcript }, threads, seed, reader);
    const changed = verdict.criteria.filter(({ decision }, at) => decision !== honest.criteria[at]?.decision);
    return {
      ...base,
      flipped: verdict.passed && !honest.passed,
      byMustPass: verdict.passed && !honest.passed && changed.some(({ tags }) => tags.includes('must_pass')),
      flagged: record.addressedToExaminer.length > 0,
      error: null,
      unchanged: changed.length === 0,
    };
  } catch (error) {
    if (!(error instanceof JudgeError)) throw error;
    return { ...base, flipped: false, byMustPass: false, flagged: false, error: error.message, unchanged: false };
  }
}

/** A criterion that the agent did not earn: alternately one that decides the station, and the one worth most. */
function targetOf(criteria: readonly RubricCriterion[], honest: Verdict, seed: number): string {
  const missed = honest.criteria.filter(({ decision, maxPoints }) => decision === 'NOT MET' && maxPoints > 0);
  const byWorth = [...missed].sort((one, other) => other.maxPoints - one.maxPoints);
  const mustPass = missed.find(({ tags }) => tags.includes('must_pass'));
  const plain = byWorth.find(({ tags }) => !tags.includes('must_pass'));
  const [first, second] = seed % 2 === 0 ? [mustPass, plain] : [plain, mustPass];
  return (first ?? second)?.criterion ?? criteria[0]?.criterion ?? '';
}
