import type { LiveActor } from '../../src/engine/actors/live-actor';
import { ProcessId } from '../../src/engine/actors/process-id';
import { Settlements } from '../../src/engine/actors/settlements';
import { TestRunActors } from '../../src/engine/actors/test-run-actors';
import { TestRunEffects } from '../../src/engine/actors/test-run.effects';
import { BusError } from '../../src/engine/bus/bus';
import { InProcessBus } from '../../src/engine/bus/in-process.bus';
import { silentLog, type Log } from '../../src/platform/config/log';
import { CommittedEvents } from '../../src/engine/ledger/run-log';
import { FailedSupervisions } from '../../src/engine/ledger/failed-supervisions';
import type { OwnershipStore } from '../../src/engine/ledger/ownership.store';
import { eventually } from './eventually';
import type { StoredRuns } from './stored-run';

/** Keeps what is dispatched, in order; nobody takes it. */
export class KeepingBus extends InProcessBus {
  readonly dispatched: string[] = [];
  /** How many messages waited at once, at most, for the queue to take them. */
  mostOpen = 0;
  private open = 0;
  broken = false;
  /** What it says while it is broken. */
  breaks: () => Error = () => new Error('The queue is out of order.');
  /** How many messages it does not take at first, as if it were out of reach. */
  refusals = 0;

  override async enqueue(queue: string, payload: unknown, options: { messageId: string }): Promise<void> {
    if (this.broken) throw this.breaks();
    if (this.refusals > 0) {
      this.refusals -= 1;
      throw new BusError('unavailable', 'The queue is out of reach.');
    }
    this.dispatched.push(options.messageId);
    this.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    await super.enqueue(queue, payload, options);
    this.open -= 1;
  }
}

/** What supervises the runs of one process. @param parts in place of the usual ones */
export function openSupervisors(
  { testRuns, ownership: usual, database }: StoredRuns,
  {
    ownership = usual,
    failures = new FailedSupervisions(database, new CommittedEvents()),
    log = silentLog,
  }: { readonly ownership?: OwnershipStore; readonly failures?: FailedSupervisions; readonly log?: Log } = {},
) {
  const bus = new KeepingBus();
  const processId = new ProcessId();
  const settlements = new Settlements(bus);
  const effects = new TestRunEffects(processId, testRuns, ownership, database, settlements, bus, log);
  const actors = new TestRunActors(processId, effects, settlements, testRuns, failures, log);
  const started: LiveActor[] = [];
  actors.onStarting((live) => started.push(live));
  /** Lets the runs go, which would be tried again for ever on a database that is closed. */
  const close = async (): Promise<void> => {
    actors.releaseAll();
    await eventually(() => expect(actors.isSettled).toBe(true));
    await bus.close();
  };
  return { bus, processId, owner: processId.value, settlements, failures, actors, started, close };
}
