import type { z } from 'zod';
import * as answers from './answers';
import * as runAnswers from './run-answers';
import { everyItem } from './every-item';
import type { ServiceApi } from './service-api';

/** Calls about schedules. They throw the same errors as ServiceApi. */

/** All of them. */
export function listSchedules(api: ServiceApi): Promise<answers.Schedule[]> {
  return everyItem(
    async (query) => (await api.ask('GET /api/v1/schedules', { query }, answers.scheduleList)).schedules,
    ({ id }) => id,
  );
}

/** With its next starts. */
export function getSchedule(api: ServiceApi, id: string): Promise<answers.ScheduleDetail> {
  return api.ask('GET /api/v1/schedules/{id}', { path: { id } }, answers.scheduleDetail);
}

export function createSchedule(api: ServiceApi, body: object): Promise<answers.ScheduleDetail> {
  return api.make('POST /api/v1/schedules', { body }, answers.scheduleDetail);
}

/** Pauses or resumes it. */
export function enableSchedule(api: ServiceApi, id: string, is_enabled: boolean): Promise<answers.ScheduleDetail> {
  return api.ask('PATCH /api/v1/schedules/{id}', { path: { id }, body: { is_enabled } }, answers.scheduleDetail);
}

export function runSchedule(api: ServiceApi, id: string): Promise<runAnswers.StartedRun> {
  return api.make('POST /api/v1/schedules/{id}/run', { path: { id } }, runAnswers.startedRun);
}

export function deleteSchedule(api: ServiceApi, id: string): Promise<void> {
  return api.tell('DELETE /api/v1/schedules/{id}', { path: { id } });
}

/** The newest starts, newest first. */
export function scheduleStarts(
  api: ServiceApi,
  id: string,
  limit: number,
): Promise<z.infer<typeof answers.scheduleStartList>> {
  return api.ask('GET /api/v1/schedules/{id}/starts', { path: { id }, query: { limit } }, answers.scheduleStartList);
}
