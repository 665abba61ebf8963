/** How long the bus over NATS waits for what, in milliseconds; tests shorten it. */
export class NatsTimes {
  /** Between attempts to reach a server at start: doubling, up to the longest. */
  readonly dialRetryMs: number = 250;
  readonly longestDialRetryMs: number = 2_000;
  /** A server that has accepted the connection says who it is within this. */
  readonly connectWithinMs: number = 5_000;
  /** Two missed answers in a row: the connection counts as lost after 10 to 15 s of silence. */
  readonly pingIntervalMs: number = 5_000;
  /** For the server's answer to one request; the callers of `enqueue` try again. */
  readonly answerWithinMs: number = 2_000;
  /** For the answer of a consumer that is asked whether it hears pulls, and between two such questions. */
  readonly checkWithinMs: number = 500;
  readonly checkPauseMs: number = 50;
  /** A pull is renewed after this; in between, the server's heartbeats say that it is still open. */
  readonly pullLastsMs: number = 10_000;
  readonly pullHeartbeatMs: number = 2_500;
  /** Between attempts to pull from a server that refuses: doubling, up to the longest. */
  readonly pullRetryMs: number = 100;
  readonly longestPullRetryMs: number = 2_000;
  /** For the server to take what a bus that closes has said last. */
  readonly closeWithinMs: number = 2_000;
}
