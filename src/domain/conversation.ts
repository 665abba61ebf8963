/** Facts kept beside a message, a reply or a turn: timings, token usage, what a provider reports about itself. */
export type Notes = Readonly<Record<string, unknown>>;

/** What the patient says, ready to be sent. Times are ISO 8601 UTC. */
export interface PatientMessage {
  readonly turn: number;
  readonly content: string;
  readonly at: string;
  readonly notes: Notes;
}

/** The agent's whole reply to one patient message. */
export interface AgentReply {
  readonly turn: number;
  readonly content: string;
  readonly at: string;
  /** Milliseconds from passing the message to the provider until the whole reply arrived. */
  readonly latencyMs: number;
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
}

export type AgentAnswer = AgentReply | HangUp;

/** Who may end a conversation before it has all its turns. The patient never does. */
export const ENDED_BY = ['agent'] as const;
export type EndedBy = (typeof ENDED_BY)[number];

/** How a conversation came to its end. */
export interface Ending {
  /** Null: it had all its turns. */
  readonly endedBy: EndedBy | null;
  /** What the patient said last, when the agent ended the conversation without a reply to it. */
  readonly unansweredMessage: string | null;
}

/** One turn: a patient message and the agent's reply to it. */
export interface Exchange {
  /** Counts from 1. */
  readonly turn: number;
  readonly patientMessage: string;
  readonly patientAt: string;
  readonly agentMessage: string;
  readonly agentAt: string;
  readonly latencyMs: number;
}

/** A turn with everything stored about it: what the next attempt continues from. */
export interface Turn extends Exchange {
  readonly continuation: unknown;
  readonly metadata: Notes;
}

export function turnOf(message: PatientMessage, reply: AgentReply): Turn {
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
