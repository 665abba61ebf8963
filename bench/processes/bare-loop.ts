import { z } from 'zod';
import { Child } from './child';

const addresses = { agentUrl: z.string(), messagesUrl: z.string() };

export const loopCommand = z.discriminatedUnion('type', [
  /** Holds conversations as a harness that only makes the calls. */
  z.object({
    type: z.literal('converse'),
    ...addresses,
    conversations: z.int(),
    concurrency: z.int(),
    turns: z.int(),
    /** Whether tester and judge are called too, or only the agent. */
    withModels: z.boolean(),
    client: z.enum(['undici', 'fetch']),
  }),
  /** Sends requests that the agent does not answer for long; resolves when they are on their way. */
  z.object({ type: z.literal('hang'), ...addresses, requests: z.int() }),
  /** Aborts them. Returns the time of it, on the clock that all processes share. */
  z.object({ type: z.literal('abort') }),
  /** Sends one request to the agent. Returns the time of sending, on the clock that all processes share. */
  z.object({ type: z.literal('callOnce'), ...addresses }),
  /** Serves the agent's replies as an event stream; returns its address. */
  z.object({ type: z.literal('stream') }),
]);
export type LoopCommand = z.infer<typeof loopCommand>;

/** The HTTP client of the loop: undici's `request`, the cheapest in Node, or the `fetch` that most programs use. */
export type HttpClient = Extract<LoopCommand, { type: 'converse' }>['client'];

const conversed = z.object({ wallMs: z.number(), processorMs: z.number(), peakResidentBytes: z.number() });
export type Conversed = z.infer<typeof conversed>;

export interface LoopLoad {
  readonly conversations: number;
  readonly concurrency: number;
  readonly turns: number;
  readonly withModels: boolean;
}

interface Stubs {
  readonly agentUrl: string;
  readonly messagesUrl: string;
}

/** The floor for everything that makes calls: the same calls, in a process of its own, without storing anything. */
export class BareLoop {
  private constructor(
    private readonly child: Child<LoopCommand>,
    private readonly stubs: Stubs,
    private readonly client: HttpClient,
  ) {}

  static start({ agentUrl, messagesUrl }: Stubs, client: HttpClient = 'undici'): BareLoop {
    return new BareLoop(Child.start('bare-loop'), { agentUrl, messagesUrl }, client);
  }

  converse(load: LoopLoad): Promise<Conversed> {
    return this.child.ask({ type: 'converse', client: this.client, ...this.stubs, ...load }, conversed);
  }

  async hang(requests: number): Promise<void> {
    await this.child.ask({ type: 'hang', ...this.stubs, requests }, z.unknown());
  }

  async abort(): Promise<number> {
    return (await this.child.ask({ type: 'abort' }, z.object({ abortedAt: z.number() }))).abortedAt;
  }

  async callOnce(): Promise<number> {
    return (await this.child.ask({ type: 'callOnce', ...this.stubs }, z.object({ sentAt: z.number() }))).sentAt;
  }

  async stream(): Promise<string> {
    return (await this.child.ask({ type: 'stream' }, z.object({ url: z.string() }))).url;
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}
