import { Injectable } from '@nestjs/common';

/** Intervals and time limits of event streams, in milliseconds. */
@Injectable()
export class StreamTimes {
  /** A comment line this often keeps proxies open (HTTP contract, section 4). */
  readonly heartbeatMs: number = 15_000;
  /** How often the log is read without a notice; also the delay of events when the bus loses messages. */
  readonly pollMs: number = 1_000;
  /** A subscriber that accepts no byte for this long is disconnected; it can come back with Last-Event-ID. */
  readonly stallMs: number = 60_000;
  /** How long a stream for a run that does not exist waits for it to be started. */
  readonly unknownRunMs: number = 60_000;
}
