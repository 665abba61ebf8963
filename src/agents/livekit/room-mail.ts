/** A message received in a room. */
export interface Mail {
  readonly payload: Uint8Array;
  /** null when a data packet has none. */
  readonly topic: string | null;
  /** Identity of the sender; empty when the server sent it, or has not announced the sender yet. */
  readonly sender: string;
}

/** The subscribers to one channel of a room. */
export class RoomMail {
  private readonly handlers = new Set<(mail: Mail) => void>();

  /** Receives everything from now on; the returned function unsubscribes. */
  on(handler: (mail: Mail) => void): () => void {
    this.handlers.add(handler);
    return () => this.handlers.delete(handler);
  }

  /** @param payload base64 */
  hand({
    payload,
    topic,
    sender,
  }: {
    readonly payload: string;
    readonly topic: string | null;
    readonly sender: string;
  }): void {
    const mail = { payload: Buffer.from(payload, 'base64'), topic, sender };
    for (const handler of [...this.handlers]) handler(mail);
  }
}
