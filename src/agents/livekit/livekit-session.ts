import type { LiveKitConfig } from '../config';
import { endingReply, replyText } from '../reply-text';
import { AgentHungUp, ProviderError } from '../errors';
import { timedOut } from '../outbound/http-client';
import type { Limiter } from '../outbound/limiter';
import { hasHungUp, lastWords } from './room-failure';
import type { AgentRoom } from './agent-room';
import type { RunResult, ToolCall, SessionProtocol } from './session-protocol';
import { OneAtATime } from '../one-at-a-time';
import type { Json, OwnershipAssurance, Reply, Session } from '../provider';
import type { Secrets } from '../secrets/secrets';

/** How much metadata keeps of tool calls and of a reply that never ended. */
const MAX_TOOL_CALLS = 50;
const MAX_TOOL_TEXT = 1_000;
const MAX_PARTIAL = 10_000;
const MAX_QUOTE = 300;

export interface LiveKitSessionParts {
  readonly room: AgentRoom;
  /** null: the conversation uses text streams. */
  readonly protocol: SessionProtocol | null;
  readonly greeting: string | null;
  readonly secrets: Secrets;
  readonly config: LiveKitConfig;
  readonly limiter: Limiter;
  readonly limiterKey: string;
  readonly assureOwnership?: OwnershipAssurance | undefined;
  /** Leaves the room and deletes it; never throws. */
  readonly cleanUp: () => Promise<void>;
}

/** A conversation in a room that was joined and whose agent is ready. */
export class LiveKitSession implements Session {
  readonly greeting: string | null;
  private readonly messages = new OneAtATime();
  private partial: string | null = null;
  private closing: Promise<void> | null = null;

  constructor(private readonly parts: LiveKitSessionParts) {
    this.greeting = greetingText(parts.greeting);
  }

  send(message: string, signal: AbortSignal): Promise<Reply> {
    return this.messages.pass(signal, async (ending) => {
      const { limiter, limiterKey, config, room, protocol, assureOwnership } = this.parts;
      await limiter.admit(limiterKey, config.requests_per_minute, Infinity, ending);
      await assureOwnership?.(ending);
      const began = performance.now();
      const wasGone = room.failure !== null;
      try {
        const { text, until, tools } = await this.ask(message, began + config.turn_timeout_ms, ending);
        const called = tools.filter(({ isError }) => !isError).map(({ name }) => name);
        const end = endingReply({ text, tools: called }, config.end_tools);
        const content = replyText(text, 'The agent may have called a tool or stayed silent.');
        const latencyMs = Math.max(0, until - began);
        const metadata = this.parts.secrets.removeFromRecord(toolFacts(tools));
        return { content, latencyMs, continuation: null, metadata, ...end };
      } catch (error) {
        const soFar = room.textSoFar;
        if (hasHungUp(error, protocol?.calledTools ?? [], config)) {
          if (wasGone) throw new AgentHungUp(false);
          const latencyMs = Math.max(0, room.lastHeardAt - began);
          return { ...lastWords(soFar), latencyMs, continuation: null, metadata: {} };
        }
        if (soFar !== '' && !ending.aborted) this.partial = soFar.slice(0, MAX_PARTIAL);
        throw error;
      }
    });
  }

  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  metadata(): Readonly<Record<string, Json>> {
    const { room, protocol, secrets } = this.parts;
    return secrets.removeFromRecord({
      room: room.name,
      agent_identity: room.agent?.identity ?? null,
      protocol: protocol === null ? 'text streams' : 'session',
      ...(this.greeting === null ? {} : { greeting: this.greeting }),
      ...(this.partial === null ? {} : { partial_reply: storable(this.partial, MAX_PARTIAL) }),
    });
  }

  private async ask(message: string, deadline: number, signal: AbortSignal): Promise<Heard> {
    const { room, protocol } = this.parts;
    if (protocol === null) {
      await room.sendText(message, signal);
      const text = await room.reply(deadline, timedOut, signal);
      // The quiet that ended it is our wait, not the agent's time.
      return { text, until: room.lastHeardAt, tools: [] };
    }
    room.beginTurn();
    const quote = (words: string): string => storable(this.parts.secrets.remove(words), MAX_QUOTE);
    const result = await protocol.runInput(message, deadline, timedOut, quote, signal);
    return { text: textOf(result), until: performance.now(), tools: result.toolCalls };
  }

  private async end(): Promise<void> {
    this.messages.close();
    this.parts.protocol?.close();
    await this.parts.cleanUp();
  }
}

interface Heard {
  readonly text: string;
  /** When the reply was complete, in milliseconds of `performance.now()`. */
  readonly until: number;
  readonly tools: readonly ToolCall[];
}

function textOf({ messages }: RunResult): string {
  return messages
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n');
}

function toolFacts(calls: readonly ToolCall[]): Readonly<Record<string, Json>> {
  if (calls.length === 0) return {};
  return {
    tool_calls: calls.slice(0, MAX_TOOL_CALLS).map((call) => ({
      name: storable(call.name, MAX_TOOL_TEXT),
      arguments: storable(call.arguments, MAX_TOOL_TEXT),
      ...(call.output === null ? {} : { output: storable(call.output, MAX_TOOL_TEXT) }),
      ...(call.isError ? { is_error: true } : {}),
    })),
    ...(calls.length > MAX_TOOL_CALLS ? { tool_calls_total: calls.length } : {}),
  };
}

/** Fit for PostgreSQL and JSON. */
function storable(text: string, maxLength: number): string {
  return text.slice(0, maxLength).toWellFormed().replaceAll('\0', '\ufffd');
}

/** A greeting that cannot be kept is dropped: it is context, not a reply. */
function greetingText(raw: string | null): string | null {
  if (raw === null) return null;
  try {
    return replyText(raw);
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}
