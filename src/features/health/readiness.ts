import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ActorsLifecycle } from '../../engine/actors/actors.lifecycle';
import { Bus } from '../../engine/bus/bus';
import { Remembered } from '../../platform/concurrency/remembered';
import { HealthService } from './health.service';
import type { HealthCheck, ReadyView } from './health.view';

/** However many probe: the database is asked no more often. */
const FRESH_MS = 1_000;

const OK: HealthCheck = { status: 'ok', detail: 'The process has started.' };
const STARTING: HealthCheck = {
  status: 'error',
  detail: 'The process is still taking over the runs that nobody supervises.',
};
const STOPPING: HealthCheck = {
  status: 'error',
  detail: 'The process is stopping: it ends or gives back what it has begun.',
};

/** Whether this process should get traffic. */
@Injectable()
export class Readiness implements OnModuleDestroy {
  private isStopping = false;
  private readonly database: Remembered<HealthCheck>;

  constructor(
    health: HealthService,
    private readonly bus: Bus,
    private readonly actors: ActorsLifecycle,
  ) {
    this.database = new Remembered(() => health.checkDatabase(), FRESH_MS);
  }

  /** The first that Nest does when the application is closed. */
  onModuleDestroy(): void {
    this.isStopping = true;
  }

  async examine(): Promise<ReadyView> {
    if (this.isStopping) return { status: 'error', checks: { process: STOPPING } };
    const database = await this.database.get();
    const process = this.isStopping ? STOPPING : this.actors.hasStarted ? OK : STARTING;
    const checks = { process, database, bus: this.bus.status() };
    const isReady = Object.values(checks).every(({ status }) => status !== 'error');
    return { status: isReady ? 'ok' : 'error', checks };
  }
}
