/** Runs that start again and again, each start once whatever the number of processes, and the gates that their runs are measured by. */

export { DatabaseClock, ScheduleClock } from './schedule-clock';
export { ScheduleStartsStore } from './schedule-starts.store';
export { SchedulesModule } from './schedules.module';
export { SchedulesStore } from './schedules.store';
