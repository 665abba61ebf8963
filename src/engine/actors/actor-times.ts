import { LEASE_SECONDS } from '../ledger/lease';

/** How long the actors of a process wait, in milliseconds; tests shorten it. */
export class ActorTimes {
  /** A stopping process lets live scenario runs end on their own for this long before it releases them (10 s in all). */
  readonly graceMs: number = 5_000;
  /** Examiners that no process has are looked for that long, counted from when this process first missed them. */
  readonly missedForMs: number = LEASE_SECONDS * 1_000;
  /** How often the queue hears that work goes on: three times within the bus's ack wait of 12 s. */
  readonly keepAliveMs: number = 4_000;
}
