import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { RecurringTask } from '../../platform/concurrency';
import { Log } from '../../platform/config';
import { calibrationResultOf } from './calibration-result';
import { CalibrationsStore } from './calibrations.store';

const LOOK_EVERY_MS = 1_000;

/** Compares marks and labels once the run of a calibration has ended, on any process of the service. */
@Injectable()
export class CalibrationResults implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: RecurringTask;

  constructor(
    private readonly calibrations: CalibrationsStore,
    log: Log,
  ) {
    this.task = new RecurringTask('results of calibrations', LOOK_EVERY_MS, () => this.look(), log);
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  private async look(): Promise<void> {
    const id = await this.calibrations.findUnfinished();
    if (id === null) return;
    const [labelled, settled] = await Promise.all([this.calibrations.labels(id), this.calibrations.settled(id)]);
    await this.calibrations.complete(id, await calibrationResultOf(labelled, settled));
  }
}
