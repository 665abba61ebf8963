import { isInt16Array } from 'node:util/types';
import { z } from 'zod';

/** Sound, mono, of 16 bits: the channel between the processes carries it as it is. */
const Samples = z.custom<Int16Array>((value) => isInt16Array(value));

/** What the service asks of the process that holds the rooms. `session` names one participation in one room. */
export const RoomCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('join'), session: z.string(), url: z.string(), token: z.string() }),
  z.object({ type: z.literal('text'), session: z.string(), call: z.number(), topic: z.string(), text: z.string() }),
  z.object({
    type: z.literal('data'),
    session: z.string(),
    call: z.number(),
    /** Base64. */
    payload: z.string(),
    isReliable: z.boolean(),
    topic: z.string().nullable(),
  }),
  z.object({
    type: z.literal('bytes'),
    session: z.string(),
    call: z.number(),
    topic: z.string(),
    /** Base64. */
    payload: z.string(),
    to: z.string(),
  }),
  /** From now on we have a voice, and hear those of the others. */
  z.object({ type: z.literal('call'), session: z.string(), call: z.number() }),
  z.object({
    type: z.literal('say'),
    session: z.string(),
    call: z.number(),
    utterance: z.number(),
    /** Of SPOKEN_RATE. */
    samples: Samples,
    /** Pressed in it, each so many ms after its beginning. */
    keys: z.array(z.object({ key: z.string(), afterMs: z.number() })).readonly(),
    /** What is said once into the words of these speakers, so long after they began to answer; null: nothing. */
    interjection: z
      .object({
        utterance: z.number(),
        afterMs: z.number(),
        samples: Samples,
        speakers: z.array(z.string()).readonly(),
      })
      .nullable(),
  }),
  /** The turn that `say` began is over: what has not been said into it is not said any more, unless `turnGoesOn` follows. */
  z.object({ type: z.literal('turnOver'), session: z.string(), call: z.number() }),
  /** What was heard in the turn was no answer, which is waited for. */
  z.object({ type: z.literal('turnGoesOn'), session: z.string(), call: z.number() }),
  /** Ends what we are saying. */
  z.object({ type: z.literal('hush'), session: z.string() }),
  z.object({ type: z.literal('leave'), session: z.string() }),
]);
export type RoomCommand = z.infer<typeof RoomCommand>;

/** A participant other than us. */
export const Participant = z.object({
  identity: z.string(),
  kind: z.enum(['agent', 'standard', 'other']),
  /** The server considers the connection up: what is sent now arrives. */
  isActive: z.boolean(),
  attributes: z.record(z.string(), z.string()),
  publications: z.number(),
});
export type Participant = z.infer<typeof Participant>;

/** What the process that holds the rooms reports about one session. */
export const RoomEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('joined'),
    session: z.string(),
    room: z.string(),
    identity: z.string(),
    /** Identities of those who were there before us. */
    others: z.array(z.string()),
  }),
  z.object({ type: z.literal('joinFailed'), session: z.string(), reason: z.string() }),
  z.object({ type: z.literal('participant'), session: z.string(), participant: Participant }),
  /** `reason`: a DisconnectReason of the protocol; UNKNOWN_REASON also when it is our own connection that was lost. */
  z.object({ type: z.literal('participantLeft'), session: z.string(), identity: z.string(), reason: z.string() }),
  z.object({
    type: z.literal('streamBegan'),
    session: z.string(),
    stream: z.string(),
    topic: z.string(),
    sender: z.string(),
    segment: z.string().nullable(),
  }),
  z.object({ type: z.literal('streamText'), session: z.string(), stream: z.string(), text: z.string() }),
  /** `isWhole`: it ended normally; false when it broke off or grew too long. */
  z.object({ type: z.literal('streamEnded'), session: z.string(), stream: z.string(), isWhole: z.boolean() }),
  z.object({
    type: z.literal('data'),
    session: z.string(),
    sender: z.string(),
    topic: z.string().nullable(),
    /** Base64. */
    payload: z.string(),
  }),
  z.object({
    type: z.literal('bytes'),
    session: z.string(),
    topic: z.string(),
    sender: z.string(),
    /** Base64. */
    payload: z.string(),
  }),
  /** An utterance of ours has gone out. Times here and below are ms of CLOCK_MONOTONIC. */
  z.object({
    type: z.literal('said'),
    session: z.string(),
    utterance: z.number(),
    from: z.number(),
    to: z.number(),
    /** False when there is a hole in it: its times say nothing. */
    isReliable: z.boolean(),
    /** False when it was hushed. */
    isWhole: z.boolean(),
  }),
  /** What was to be said into the agent's words is being said now; `said` follows. */
  z.object({ type: z.literal('interjecting'), session: z.string(), utterance: z.number() }),
  /** Before the answer to `turnOver`. */
  z.object({
    type: z.literal('turnSound'),
    session: z.string(),
    /** What the way here did to the sound of the turn; null where it cannot be told. */
    quality: z.object({ bufferMs: z.number(), concealedMs: z.number(), insertedMs: z.number() }).nullable(),
    /** Stretches of voices that were what we had said ourselves, so much later. */
    echoes: z.array(z.object({ from: z.number(), to: z.number(), delayMs: z.number() })).readonly(),
  }),
  /** A voice can be heard from now on, whether it says something or not. */
  z.object({ type: z.literal('voiced'), session: z.string(), sender: z.string() }),
  /** A voice began to speak, or has been silent for a pause; `at` is when the voice began or ended. */
  z.object({
    type: z.literal('voice'),
    session: z.string(),
    sender: z.string(),
    isSpeaking: z.boolean(),
    at: z.number(),
  }),
  z.object({
    type: z.literal('sound'),
    session: z.string(),
    sender: z.string(),
    /** The place of its first sample in all that the sender is heard to say, and when it was heard. */
    firstSample: z.number(),
    at: z.number(),
    /** Of HEARD_RATE. */
    samples: Samples,
  }),
  z.object({ type: z.literal('reconnecting'), session: z.string() }),
  z.object({ type: z.literal('reconnected'), session: z.string() }),
  z.object({ type: z.literal('disconnected'), session: z.string(), reason: z.string() }),
  z.object({ type: z.literal('called'), session: z.string(), call: z.number(), error: z.string().nullable() }),
  z.object({ type: z.literal('left'), session: z.string() }),
]);
export type RoomEvent = z.infer<typeof RoomEvent>;

/** A room event without the session name, which the worker adds. */
export type SessionEvent = RoomEvent extends infer Event
  ? Event extends RoomEvent
    ? Omit<Event, 'session'>
    : never
  : never;

/** Topics whose text streams are received; the framework's own names. */
export const TRANSCRIPTION_TOPIC = 'lk.transcription';
export const CHAT_TOPIC = 'lk.chat';
/** Byte streams with the agent framework's session protocol. */
export const SESSION_TOPIC = 'lk.agent.session';

/** More text than any reply may hold; a stream is cut off there. */
export const MAX_STREAM_CHARACTERS = 1024 * 1024 + 1;
/** A session message carries a whole reply with its tool calls. */
export const MAX_BYTE_STREAM = 4 * 1024 * 1024;
