import { z } from 'zod';

const key = z.int();
const text = z.string();

/** Messages in JSON text, as `toWire` writes it: what a worker asks of the hub. */
const fromWorker = z.discriminatedUnion('bus', [
  z.object({ bus: z.literal('publish'), subject: text, payload: text }),
  z.object({ bus: z.literal('subscribe'), key, pattern: text }),
  z.object({ bus: z.literal('respond'), key, pattern: text }),
  z.object({ bus: z.literal('consume'), key, queue: text, capacity: z.int() }),
  z.object({ bus: z.literal('unsubscribe'), key }),
  z.object({ bus: z.literal('request'), key, subject: text, payload: text, timeoutMs: z.number() }),
  z.object({ bus: z.literal('enqueue'), key, queue: text, payload: text, messageId: text }),
  z.object({ bus: z.literal('answer'), key, payload: text }),
  z.object({ bus: z.literal('no_answer'), key, message: text }),
  z.object({ bus: z.literal('settle'), key, as: z.enum(['ack', 'drop', 'nak', 'working']), delayMs: z.number() }),
  z.object({ bus: z.literal('close') }),
]);

/** What the hub tells a worker. `listener` is the key under which the worker subscribed. */
const fromHub = z.discriminatedUnion('bus', [
  z.object({ bus: z.literal('heard'), listener: key, subject: text, payload: text }),
  z.object({ bus: z.literal('asked'), listener: key, key, subject: text, payload: text }),
  z.object({ bus: z.literal('delivered'), listener: key, key, payload: text, sequence: key, deliveryCount: key }),
  z.object({ bus: z.literal('done'), key, payload: text }),
  z.object({
    bus: z.literal('failed'),
    key,
    reason: z.enum([
      'no_responder',
      'timeout',
      'responder_failed',
      'unavailable',
      'invalid_subject',
      'invalid_payload',
      'payload_too_large',
    ]),
    message: text,
  }),
]);

export type FromWorker = z.infer<typeof fromWorker>;
export type FromHub = z.infer<typeof fromHub>;

/** Null for what is no message of the bus: others send messages between the same processes. */
export function readFromWorker(message: unknown): FromWorker | null {
  return fromWorker.safeParse(message).data ?? null;
}

export function readFromHub(message: unknown): FromHub | null {
  return fromHub.safeParse(message).data ?? null;
}

/** One end of a channel between two processes: messages arrive in the order in which they were sent, or the channel has closed. */
export interface WorkerLink<Sent> {
  /** What is sent after the channel closed is lost. @param handedOver called when the message has left this process, or never will */
  send(message: Sent, handedOver?: () => void): void;
  onMessage(hear: (message: unknown) => void): void;
  onClose(closed: () => void): void;
}

/** What Node’s processes and workers of a cluster have in common. */
interface Channel {
  send?(message: unknown, handle: undefined, options: object, handedOver: () => void): boolean;
  on(event: 'message', hear: (message: unknown) => void): unknown;
  once(event: 'disconnect', closed: () => void): unknown;
}

const DONE = (): void => undefined;

/** @param channel `process` in a worker, the worker in its primary */
export function linkOver<Sent extends object>(channel: Channel): WorkerLink<Sent> {
  return {
    send: (message, handedOver = DONE) => {
      // The callback also gets the error of a channel that has closed.
      if (channel.send === undefined) handedOver();
      else channel.send(message, undefined, {}, () => handedOver());
    },
    onMessage: (hear) => void channel.on('message', hear),
    onClose: (closed) => void channel.once('disconnect', closed),
  };
}
