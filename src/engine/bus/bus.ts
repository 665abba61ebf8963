/**
 * Port: how actors, commands and events travel. Delivery is at least once and order holds per publisher and subject;
 * a message may be lost when the process or the server dies, because PostgreSQL is the truth and the reconciler dispatches
 * again what was lost. Payloads are JSON values of at most MAX_PAYLOAD_BYTES: receivers get their own copy, never the
 * sender's object, and never before the call that sent it returns.
 *
 * A request is a message with a return address: subscribers whose pattern matches hear it too, and responders hear plain
 * messages (their answer then goes nowhere). Patterns follow NATS: tokens separated by dots, `*` for one token, `>` for
 * one or more at the end.
 *
 * A closed bus delivers nothing, ignores publish and new subscriptions, and rejects the rest with `unavailable`.
 */
export abstract class Bus {
  /**
   * Delivers to every subscriber whose pattern matches. Never waits for them, never throws on a lost connection.
   * @throws BusError `invalid_subject`, `invalid_payload`, `payload_too_large`: caller errors
   */
  abstract publish(subject: string, payload: unknown): void;

  /** The handler must not throw; what it throws is reported and dropped, and others hear the message all the same. */
  abstract subscribe(pattern: string, handler: (payload: unknown, subject: string) => void): Subscription;

  /**
   * Sends a request and resolves with the first answer when several responders give one.
   * @throws BusError `no_responder` (the subject has no listener), `timeout`, `responder_failed`, `unavailable`,
   * and what `publish` throws
   */
  abstract request(subject: string, payload: unknown, options: { timeoutMs: number }): Promise<unknown>;

  /**
   * Answers requests on a pattern; no value is answered as null. What the handler throws, and an answer that cannot
   * travel, reaches the requester as BusError `responder_failed` with the error's message.
   */
  abstract respond(pattern: string, handler: (payload: unknown, subject: string) => Promise<unknown>): Subscription;

  /**
   * Puts one piece of work into the queue. The same messageId within two minutes is one message, even when the first is
   * already done. Resolves when the queue holds it. @throws BusError `unavailable`, `invalid_payload`, `payload_too_large`
   */
  abstract enqueue(queue: string, payload: unknown, options: { messageId: string }): Promise<void>;

  /**
   * Takes work from the queue, at most `capacity` open deliveries at a time; each goes to one consumer of all processes.
   * A delivery is open until it is settled or its ack wait has passed. A handler that throws leaves its delivery open.
   * Unsubscribing stops new deliveries; open ones can still be settled.
   */
  abstract consume(queue: string, capacity: number, handler: (delivery: Delivery) => void): Subscription;

  abstract status(): BusStatus;

  /** Stops deliveries and closes connections; unsettled work is redelivered elsewhere. Idempotent. */
  abstract close(): Promise<void>;
}

export interface Subscription {
  /** Nothing is delivered after it returns. Idempotent. */
  unsubscribe(): void;
}

/**
 * One delivery of a piece of work. Unless settled or kept alive it is delivered again after the ack wait (12 s).
 * Only the first of ack, drop and nak counts.
 */
export interface Delivery {
  readonly payload: unknown;
  /** The number of the message in its queue, from 1, by which operators find it. */
  readonly sequence: number;
  /** 1 on the first delivery. */
  readonly deliveryCount: number;
  /** Done: never deliver again. Not a fence: a late ack of an old delivery removes the work of a newer one. */
  ack(): void;
  /** Never deliver again: no consumer can understand it. */
  drop(): void;
  /** Not now: deliver again, to any consumer, after the delay. */
  nak(delayMs: number): void;
  /** Still in progress: restart the ack wait. */
  working(): void;
}

export interface BusStatus {
  readonly status: 'ok' | 'error';
  readonly detail: string;
}

export type BusErrorReason =
  | 'no_responder'
  | 'timeout'
  | 'responder_failed'
  | 'unavailable'
  | 'invalid_subject'
  | 'invalid_payload'
  | 'payload_too_large';

export class BusError extends Error {
  override readonly name = 'BusError';

  constructor(
    readonly reason: BusErrorReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Why the service cannot use its NATS server, and what to do about it, in one sentence without secrets. */
export class BusStartError extends Error {
  override readonly name = 'BusStartError';
}

/** Namespace first, identifiers last, so that one wildcard covers a family. */
export const subjects = {
  cancelTestRun: (testRunId: string) => `osce.test-run.command.cancel.${testRunId}`,
  anyCancel: 'osce.test-run.command.cancel.*',
  testRunEvent: (testRunId: string) => `osce.test-run.event.${testRunId}`,
  /** A scenario-run actor reports to its test-run actor that its row is final. */
  settlement: (testRunId: string) => `osce.test-run.settlement.${testRunId}`,
  /** Asks where each of these actors of the process stands. */
  inspectActors: (processId: string) => `osce.inspection.actors.${processId}`,
  /** Asks for everything about one actor of the process. */
  inspectActor: (processId: string) => `osce.inspection.actor.${processId}`,
  /** A client is watching the actor, wherever it lives; repeated for as long as it does. */
  watchActor: (actorId: string) => `osce.inspection.watch.${actorId}`,
  anyWatch: 'osce.inspection.watch.*',
  /** A transition of an actor that is watched. */
  actorTransition: (actorId: string) => `osce.inspection.transition.${actorId}`,
  /** Asks one of the worker processes of this machine for its metrics. */
  workerMetrics: (worker: number) => `osce.metrics.worker.${worker}`,
  /** Asks their primary for those of all of them. */
  machineMetrics: 'osce.metrics.machine',
  scenarioRunWork: 'osce.work.scenario-run',
} as const;
