import { z } from 'zod';
import { NARROW_SYSTEM_PROMPT, PROOFS_SYSTEM_PROMPT } from '../../src/examiners/judge/prompts';
import { AUDIT_SYSTEM_PROMPT } from '../../src/examiners/tester/audit/audit-prompt';
import { Child } from './child';

/** The end of the stub agent's reply, before the time of the answer. */
export const ANSWERED_AT = 'Answered at';

/** What the stub agent says in every turn; the judge stub quotes its beginning. */
export const AGENT_ADVICE =
  'Please call 911 now. I am an assistant and cannot examine you, but what you describe needs a doctor at once. ' +
  `Do not drive yourself, sit down, and tell me whether anybody is with you. ${ANSWERED_AT}`;

/** Criteria that the judge stub answers: every scenario of the bench has as many. */
export const CRITERIA = 4;

/** Names that tell the two models apart in a request. */
export const TESTER_MODEL = 'bench-tester';
export const JUDGE_MODEL = 'bench-judge';

/** The beginning of a request for an audit of the patient. */
export const AUDIT = AUDIT_SYSTEM_PROMPT.slice(0, 50);

/** The beginning of a request for a vote on one criterion. */
export const NARROW_EXAMINATION = NARROW_SYSTEM_PROMPT.slice(0, 50);

/** The beginning of a request that reads the proofs of several criteria. */
export const PROOF_READING = PROOFS_SYSTEM_PROMPT.slice(0, 50);

export const stubCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listen') }),
  z.object({ type: z.literal('delays'), agentMs: z.number(), testerMs: z.number(), judgeMs: z.number() }),
  /** Forgets what was counted. */
  z.object({ type: z.literal('reset') }),
  z.object({ type: z.literal('counts') }),
]);
export type StubCommand = z.infer<typeof stubCommand>;

const addresses = z.object({ agentUrl: z.string(), messagesUrl: z.string() });
const counts = z.object({
  agentCalls: z.int(),
  testerCalls: z.int(),
  /** Audits of the patient of a whole conversation, made beside the judge's call. */
  auditCalls: z.int(),
  judgeCalls: z.int(),
  /** Those of them that are votes on one criterion, which run side by side. */
  voteCalls: z.int(),
  /** Those of them that read proofs: after the first call of a conversation, one or two side by side. */
  proofCalls: z.int(),
  /** Agent requests that wait for their answer now, and the most there were. */
  agentOpen: z.int(),
  agentMostOpen: z.int(),
  /** Agent requests with a client that disconnected before the answer. */
  agentAborted: z.int(),
  /** On the clock that all processes share (clock.ts); null when there was none. */
  firstAgentRequestAt: z.number().nullable(),
  lastAbortAt: z.number().nullable(),
});
export type StubCounts = z.infer<typeof counts>;

/** Milliseconds until each stub answers. */
export interface StubDelays {
  readonly agentMs: number;
  readonly testerMs: number;
  readonly judgeMs: number;
}

/** The outside world of the bench, in a process of its own: a target agent, and the Messages API for tester and judge. */
export class StubServers {
  private constructor(
    private readonly child: Child<StubCommand>,
    /** The agent's OpenAI-compatible API. */
    readonly agentUrl: string,
    /** Base address of the Messages API. */
    readonly messagesUrl: string,
  ) {}

  static async start(): Promise<StubServers> {
    const child = Child.start<StubCommand>('stub-servers');
    const { agentUrl, messagesUrl } = await child.ask({ type: 'listen' }, addresses);
    return new StubServers(child, agentUrl, messagesUrl);
  }

  async prepare(delays: StubDelays): Promise<void> {
    await this.child.ask({ type: 'delays', ...delays }, z.unknown());
    await this.child.ask({ type: 'reset' }, z.unknown());
  }

  counts(): Promise<StubCounts> {
    return this.child.ask({ type: 'counts' }, counts);
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

/** The time at which the stub agent gave this answer; null when the text is not one of its answers. */
export function answeredAt(agentMessage: string): number | null {
  const time = new RegExp(` ${ANSWERED_AT} (\\d+\\.\\d+)$`).exec(agentMessage)?.[1];
  return time === undefined ? null : Number(time);
}
