import * as z from 'zod/mini';

/** Facts kept beside a message, a reply or a turn: timings, token usage, what a provider reports about itself. */
export type Notes = Readonly<Record<string, unknown>>;

/** What the patient says, ready to be sent. Times are ISO 8601 UTC. */
export interface PatientMessage {
  readonly turn: number;
  readonly content: string;
  readonly at: string;
  readonly notes: Notes;
  /** Pressed on the telephone's keypad in place of saying the content, which tells of it. */
  readonly keys?: string;
}

/** The agent's whole reply to one patient message. */
export interface AgentReply {
  readonly turn: number;
  readonly content: string;
  readonly at: string;
  /**
   * Milliseconds from passing the message to the provider until the whole reply arrived; of a spoken one, from the end of the patient's words to the
   * agent's first. Null where that is not known: the agent began before, or had left; the conversation was held elsewhere, or never with an agent.
   */
  readonly latencyMs: number | null;
  /** Where the provider left the conversation, as JSON; null where it keeps nothing. */
  readonly continuation: unknown;
  readonly notes: Notes;
  /** The agent ended the conversation with it, by a deliberate act of its own. */
  readonly endsConversation: boolean;
}

/** In place of a reply: the agent ended the conversation, by a deliberate act of its own. */
export interface HangUp {
  readonly turn: number;
  readonly content: null;
  /** False when it had done so before the message was sent. */
  readonly isUnanswered: boolean;
  /** What the agent did in place of a reply; absent where nothing is known of it. */
  readonly notes?: Notes;
}

export type AgentAnswer = AgentReply | HangUp;

/** The sides that may end a conversation before it has all its turns. The patient never does. */
export const ENDED_BY = ['agent'] as const;
export type EndedBy = (typeof ENDED_BY)[number];

/** How a conversation came to its end. */
export interface Ending {
  /** Null: it had all its turns. */
  readonly endedBy: EndedBy | null;
  /** What the patient said last, when the agent ended the conversation without a reply to it. */
  readonly unansweredMessage: string | null;
  /** What the agent did in place of that reply; absent where nothing is known of it. */
  readonly closingActs?: Notes;
}

/** One turn: a patient message and the agent's reply to it. */
export interface Turn {
  /** Counts from 1. */
  readonly turn: number;
  readonly patientMessage: string;
  readonly patientAt: string;
  readonly agentMessage: string;
  readonly agentAt: string;
  /** As `AgentReply.latencyMs`. */
  readonly latencyMs: number | null;
}

/** A turn with everything stored about it: what the next attempt continues from. */
export interface TurnRecord extends Turn {
  readonly continuation: unknown;
  readonly metadata: Notes;
}

/** What marking reads of a turn: with what the agent's provider reported of it, where that is known. */
export type ExaminedTurn = Turn & { readonly metadata?: Notes };

export function turnOf(message: PatientMessage, reply: AgentReply): TurnRecord {
  return {
    turn: message.turn,
    patientMessage: message.content,
    patientAt: message.at,
    agentMessage: reply.content,
    agentAt: reply.at,
    latencyMs: reply.latencyMs,
    continuation: reply.continuation,
    metadata: { ...message.notes, ...reply.notes },
  };
}

/** Turns per scenario: a client's number is clamped to 5..7; 6 by default. */
export const MIN_TURNS = 5;
export const MAX_TURNS = 7;
export const DEFAULT_TURNS = 6;

export function clampTurns(requested: number | undefined): number {
  if (requested === undefined) return DEFAULT_TURNS;
  return Math.min(MAX_TURNS, Math.max(MIN_TURNS, requested));
}

const ended = z.object({ ended_by: z.enum(ENDED_BY), unanswered_message: z.optional(z.string()) });

/** How a conversation ended that had not all its turns. */
interface EarlyEnd {
  readonly endedBy: EndedBy;
  /** What the patient said last, when the agent did not reply to it. */
  readonly unansweredMessage: string | null;
}

/** What a scenario run's metadata says of it; null for a conversation that goes on, or had all its turns. */
export function earlyEndIn(metadata: Readonly<Record<string, unknown>>): EarlyEnd | null {
  const { data } = ended.safeParse(metadata);
  return data === undefined ? null : { endedBy: data.ended_by, unansweredMessage: data.unanswered_message ?? null };
}

/** @param maxTurns null where it is not known */
export function earlyEndSentence(turns: number, maxTurns: number | null): string {
  return `The agent ended the conversation after turn ${turns}${maxTurns === null ? '' : ` of ${maxTurns}`}.`;
}

/** The placeholders that carry a conversation; an address may hold them escaped. */
const CARRIER = /(?:\{|%7B){2}(?:\s|%20){0,5}(?:session_id|messages|history)(?:\s|%20){0,5}(?:\}|%7D){2}/i;
const SESSION = /(?:\{|%7B){2}(?:\s|%20){0,5}session_id/i;
const CARRIERS = '{{session_id}}, {{messages}} or {{history}}';

/**
 * The warning about an agent that cannot tell which conversation a message belongs to: it may take every message of a patient for
 * the first one. Null when its config carries the conversation, and for kinds of agents that keep it themselves.
 * @param config in either spelling of its fields; credentials may be masked: a mask keeps the placeholders in them
 */
export function conversationWarning(provider: string, config: Readonly<Record<string, unknown>>): string | null {
  if (provider !== 'http' || typeof config['url'] !== 'string') return null;
  const { url, headers, body } = config;
  const written = JSON.stringify([url, headers, body]);
  if (CARRIER.test(written)) return null;
  const path = config['session_id_path'] ?? config['sessionIdPath'] ?? '';
  return path === ''
    ? `Nothing in the config carries the conversation from one message to the next, so the agent may take each message for a new conversation: put ${CARRIERS} into body, url or headers, with session_id_path where the agent names the session itself.`
    : 'session_id_path is set, but no message carries the id that is found there, so the agent may take each message for a new conversation: put {{session_id}} into body, url or headers.';
}

/** Whether messages carry the id of a session. */
export function sendsSession({ url, headers, body }: Readonly<Record<string, unknown>>): boolean {
  return SESSION.test(JSON.stringify([url, headers, body]));
}
