import type { Type } from '@nestjs/common';
import { ScheduleClock } from '../../src/features/schedules/schedule-clock';

/** A clock for schedules that several instances of the service share, and that a test sets. */
export interface SetClock {
  /** For `startTestService`. */
  readonly type: Type<ScheduleClock>;
  /** @param time ISO 8601 */
  set(time: string): void;
}

export function setClock(time: string): SetClock {
  let now = new Date(time);
  return {
    type: class extends ScheduleClock {
      override now(): Promise<Date> {
        return Promise.resolve(now);
      }
    },
    set: (later) => (now = new Date(later)),
  };
}
