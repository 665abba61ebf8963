import type { ErrorCode } from '../../domain';
import type { ForwardProxy, TunnelEnd } from '../../platform/egress';
import type { CallMessage } from '../voice/agent-call';
import type { CallEvent } from '../voice/call-floor';
import type { Ignored, StreamIds } from './stream-messages';

/** The one who is heard on a line. */
export const AGENT = 'agent';

/** How a line is rung: an address that was checked, and what is sent there. */
export interface LinePlan {
  /** `http:` or `https:`, host and port. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The addresses that the host may lead to; the thread connects to no others. */
  readonly addresses: readonly string[];
  /** The forward proxy that leads there, with what to ask it for; null: directly. */
  readonly through: { readonly proxy: ForwardProxy; readonly end: TunnelEnd } | null;
  readonly ids: StreamIds;
  readonly customParameters: Readonly<Record<string, string>>;
}

/** What the service asks of the thread that carries lines. `line` names one of them. */
export type LineCommand =
  | { readonly type: 'ring'; readonly line: string; readonly plan: LinePlan }
  | (CallMessage & { readonly line: string; readonly call: number })
  /** Ends what we are saying. */
  | { readonly type: 'hush'; readonly line: string }
  | { readonly type: 'hangUp'; readonly line: string };

/** How many messages of the server had no effect, by why. */
export type IgnoredCounts = Partial<Record<Ignored | 'binary', number>>;

/** What the thread reports of a line. */
export type LineEvent =
  | CallEvent
  | { readonly type: 'connected' }
  /** The server answered and did not upgrade. */
  | {
      readonly type: 'refused';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
    }
  /** The connection could not be made. */
  | { readonly type: 'unreachable'; readonly code: ErrorCode; readonly message: string; readonly isPassing: boolean }
  | { readonly type: 'ignored'; readonly counts: IgnoredCounts }
  /** The agent threw away words that it had sent and that were not heard yet. */
  | { readonly type: 'wordsCleared' }
  /** The server closed the stream; `code` as it gave it. */
  | { readonly type: 'closed'; readonly code: number | null }
  /** The connection ended without a close. */
  | { readonly type: 'lost' }
  /** What the server sent cannot be gone on with: the end of a sentence. */
  | { readonly type: 'unusable'; readonly what: string }
  /** The answer to `say`, `turnOver` or `turnGoesOn`. */
  | { readonly type: 'called'; readonly call: number }
  | { readonly type: 'left' };

export type NamedLineEvent = LineEvent & { readonly line: string };
