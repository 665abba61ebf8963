import { z } from 'zod';

/** How the agent is to behave, turn by turn; times in ms. */
export const KnownTurn = z.object({
  /** From the last sound of the patient that it hears to the first that it makes. */
  delayMs: z.number().positive(),
  speechMs: z.number().positive(),
  /** How long it goes on when the patient speaks into its words; null: to the end. */
  yieldsAfterMs: z.number().nonnegative().nullable(),
});
export type KnownTurn = z.infer<typeof KnownTurn>;

/** What the agent does, one after the other. */
export const KnownTurns = z.array(KnownTurn).max(10_000);

/** Pieces of sound that were heard, and those of them that came more than 20 ms after their place in the track. */
const HeardPieces = z.object({ pieces: z.number(), late: z.number() });
export type HeardPieces = z.infer<typeof HeardPieces>;

/** What it did, in ms of CLOCK_MONOTONIC. */
export const KnownAgentEvent = z.discriminatedUnion('type', [
  /** `url`: where it is called; without one it is in the room that it was sent to. */
  z.object({ type: z.literal('ready'), url: z.string().optional() }),
  z.object({ type: z.literal('failed'), reason: z.string() }),
  z.object({
    type: z.literal('answered'),
    turn: z.number(),
    /** The end of the patient's words at its ear. */
    heardEnd: z.number(),
    /** Its own words as they went out. */
    from: z.number(),
    to: z.number(),
    isReliable: z.boolean(),
    /** When it heard the patient speak into its words; null when it did not. */
    interruptedAt: z.number().nullable(),
    /** What came of the patient's track since the last answer; absent of the first answer, and where sound has no place but its arrival. */
    heard: HeardPieces.optional(),
  }),
]);
export type KnownAgentEvent = z.infer<typeof KnownAgentEvent>;

/** What one of the agents in a process did. */
export const AgentReport = z.object({ agent: z.string(), event: KnownAgentEvent });
export type AgentReport = z.infer<typeof AgentReport>;

/** To the process of the agents: one is to begin, with what its program takes, or to end. */
export const ToAgents = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), agent: z.string(), command: z.unknown() }),
  z.object({ type: z.literal('end'), agent: z.string() }),
]);
export type ToAgents = z.infer<typeof ToAgents>;
