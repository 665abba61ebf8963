import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Log } from '../../platform/config';
import { Database } from '../../platform/database';
import { OwnershipStore } from '../ledger/ownership.store';
import { ActorHost } from './actor-host';
import { ActorTimes } from './actor-times';
import { Cancellations } from './cancellations';
import { Heartbeat } from './heartbeat';
import { OwnershipWatch } from './ownership-watch';
import { Reconciler } from './reconciler';
import { ServiceProcesses } from './service-processes';
import { WorkIntake } from './work-intake';

const RELEASE_MS = 3_000;
const LOOK_MS = 50;
/** A supervisor hears over the bus that its run's last scenario run has settled, and records the run's end only then: at one look neither may be live. */
const IDLE_LOOKS = 2;

/** Begins and ends the work of this process's actors with the application. */
@Injectable()
export class ActorsLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly database: Database,
    private readonly ownership: OwnershipStore,
    private readonly host: ActorHost,
    private readonly intake: WorkIntake,
    private readonly heartbeat: Heartbeat,
    private readonly cancellations: Cancellations,
    private readonly ownershipWatch: OwnershipWatch,
    private readonly reconciler: Reconciler,
    private readonly processes: ServiceProcesses,
    private readonly times: ActorTimes,
    private readonly log: Log,
  ) {}

  /** Whether the runs without a supervisor when the process started have been looked for once. */
  get hasStarted(): boolean {
    return this.reconciler.hasAdopted;
  }

  async onApplicationBootstrap(): Promise<void> {
    // No other process can be using this database: what a killed one left behind need not wait for its lease to expire.
    if (this.database.exclusive) await this.ownership.releaseAll();
    this.cancellations.start();
    this.ownershipWatch.start();
    this.heartbeat.start();
    this.processes.start();
    this.intake.start();
    this.reconciler.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.intake.stop();
    await this.reconciler.stop();
    await this.untilIdle(this.times.graceMs);
    if (this.host.liveScenarioRuns > 0) {
      this.log.info('Releasing live scenario runs', { scenarioRuns: this.host.liveScenarioRuns });
    }
    this.host.releaseAll();
    await this.untilIdle(RELEASE_MS);
    await this.heartbeat.stop();
    await this.processes.stop();
    await this.ownershipWatch.stop();
    this.cancellations.stop();
    this.intake.close();
  }

  private async untilIdle(limitMs: number): Promise<void> {
    const deadline = Date.now() + limitMs;
    let idleLooks = 0;
    while (idleLooks < IDLE_LOOKS && Date.now() < deadline) {
      idleLooks = this.host.isIdle && this.intake.isIdle ? idleLooks + 1 : 0;
      if (idleLooks > 0 && this.host.listTestRunIds().length === 0) return;
      await sleep(LOOK_MS);
    }
  }
}
