import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings';

/** What bounds the runs that wait for their time. */
@Injectable()
export class RunLimits {
  /** How many may wait, over all processes. */
  readonly mostScheduled: number;
  /** One that is found later than this after its time is not started any more. */
  readonly graceSeconds: number;

  constructor({ maxScheduledRuns, scheduleGraceMs }: Settings) {
    this.mostScheduled = maxScheduledRuns;
    this.graceSeconds = scheduleGraceMs / 1_000;
  }
}

/** As many runs wait for their time as may. */
export class TooManyScheduledRuns extends Error {
  override readonly name = 'TooManyScheduledRuns';

  constructor(readonly most: number) {
    super(`${most} runs are scheduled already.`);
  }
}
