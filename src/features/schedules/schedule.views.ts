import { entityTag } from '../../platform/http';
import type { ScheduleEntity, ScheduleStartEntity } from './schedule.entity';
import type { ScheduleDetail, ScheduleStartView, ScheduleView } from '../../../contract/schedules';
import type { TestRunListItem } from '../../../contract/test-runs';

export function viewOfSchedule(schedule: ScheduleEntity, last: ScheduleStartEntity | null): ScheduleView {
  return {
    id: schedule.id,
    name: schedule.name,
    run: schedule.run,
    cron: schedule.cron,
    time_zone: schedule.timeZone,
    gate: schedule.gate,
    overlap: schedule.overlap,
    is_enabled: schedule.isEnabled,
    next_start: schedule.nextAt?.toISOString() ?? null,
    last_start: last && viewOfStart(last),
    created_at: schedule.createdAt.toISOString(),
    updated_at: schedule.updatedAt.toISOString(),
  };
}

export function detailOfSchedule(
  schedule: ScheduleEntity,
  last: ScheduleStartEntity | null,
  nextStarts: readonly Date[],
): ScheduleDetail {
  return { ...viewOfSchedule(schedule, last), next_starts: nextStarts.map((start) => start.toISOString()) };
}

/** The tag of what may be changed: starts are no part of it. */
export function etagOfSchedule(schedule: ScheduleEntity): string {
  const { next_start: _, last_start: __, ...own } = viewOfSchedule(schedule, null);
  return entityTag(own);
}

export function viewOfStart(start: ScheduleStartEntity): Omit<ScheduleStartView, 'run'> {
  return {
    id: start.id,
    schedule_id: start.scheduleId,
    due_at: start.dueAt.toISOString(),
    until: start.missedUntil?.toISOString() ?? null,
    missed: start.missed,
    is_manual: start.isManual,
    outcome: start.outcome,
    sentence: start.sentence,
    test_run_id: start.testRunId,
    gate: start.gateVerdict && { verdict: start.gateVerdict, sentence: start.gateSentence },
    noted_at: start.notedAt.toISOString(),
  };
}

export function startWithRun(start: ScheduleStartEntity, run: TestRunListItem | null): ScheduleStartView {
  return { ...viewOfStart(start), run };
}
