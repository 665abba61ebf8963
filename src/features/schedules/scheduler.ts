import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { RecurringTask } from '../../platform/concurrency';
import { Log } from '../../platform/config';
import { Database } from '../../platform/database';
import { ScheduleClock } from './schedule-clock';
import { ScheduledStarts } from './scheduled-starts';
import { SchedulesStore } from './schedules.store';

const LOOK_EVERY_MS = 5_000;

/** Schedules that a process looks at in one round; those that are left are looked at in the next, or by another process. */
const LOOKED_AT_ONCE = 100;

/** Looks for starts that are due, on every process of the service. */
@Injectable()
export class Scheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: RecurringTask;
  private isStopping = false;

  constructor(
    private readonly schedules: SchedulesStore,
    private readonly starts: ScheduledStarts,
    private readonly clock: ScheduleClock,
    private readonly database: Database,
    log: Log,
  ) {
    this.task = new RecurringTask('starts of schedules', LOOK_EVERY_MS, () => this.look(), log);
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.task.stop();
  }

  /**
   * Makes what is due. One schedule that cannot be started holds up no other.
   * @throws the first error that it met: what it was about is still due
   */
  async look(): Promise<void> {
    const failures: Error[] = [];
    for (const schedule of await this.schedules.due(await this.clock.now(), LOOKED_AT_ONCE)) {
      if (this.isStopping) return;
      try {
        await this.starts.makeDue(schedule, await this.clock.now());
      } catch (error) {
        if (this.database.isUnavailable(error)) throw error;
        failures.push(error instanceof Error ? error : new Error('A start could not be made.', { cause: error }));
      }
    }
    const [first] = failures;
    if (first !== undefined) throw first;
  }
}
