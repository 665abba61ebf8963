/** Numbers the turns of the event loop. */
export class LoopTurns {
  /** The one that is under way. */
  present = 0;
  private next = setImmediate(() => this.turn());

  stop(): void {
    clearImmediate(this.next);
  }

  private turn(): void {
    this.present += 1;
    this.next = setImmediate(() => this.turn());
  }
}
