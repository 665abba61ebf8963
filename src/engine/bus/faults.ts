/**
 * What the network may do, done on purpose: tests run the service on a bus that loses and repeats messages. Shares are
 * probabilities from 0 to 1.
 */
export interface BusFaults {
  /** The same seed gives the same faults for the same sequence of calls. */
  readonly seed: number;
  /** Published messages and requests that one receiver never hears. */
  readonly dropMessages?: number;
  /** Published messages and requests that one receiver hears twice. */
  readonly duplicateMessages?: number;
  /** Acks and naks that are lost: the work is delivered again after the ack wait. */
  readonly loseSettlements?: number;
  /** Work delivered a second time while the first delivery is still open. */
  readonly duplicateWork?: number;
}

/** The dice of one bus. */
export class FaultDice {
  private state: number;

  constructor(private readonly faults: BusFaults = { seed: 0 }) {
    this.state = faults.seed >>> 0;
  }

  /** How often a receiver hears a message: 0, 1 or 2. */
  copies(): 0 | 1 | 2 {
    if (this.roll(this.faults.dropMessages)) return 0;
    return this.roll(this.faults.duplicateMessages) ? 2 : 1;
  }

  losesSettlement(): boolean {
    return this.roll(this.faults.loseSettlements);
  }

  duplicatesWork(): boolean {
    return this.roll(this.faults.duplicateWork);
  }

  /** A fault that never happens takes no number from those that do. */
  private roll(share = 0): boolean {
    return share > 0 && this.next() < share;
  }

  /** Mulberry32, a 32-bit generator with a published reference (Tommy Ettinger, 2017): small and good enough for dice. */
  private next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
