/** Why the service cannot use its NATS server, and what to do about it, in one sentence without secrets. */
export class BusStartError extends Error {
  override readonly name = 'BusStartError';
}
