import type { AnswerTo, BodyFor } from '../../../contract/call';
import type { ScheduleDetail, ScheduleStartView, ScheduleView } from '../../../contract/schedules';
import type { StartRunAnswer } from '../../../contract/start-run';
import { call, callForNothing, callTagged } from './client';
import { resourceOf, type Resource } from './resource';

export type Schedule = ScheduleView & Partial<Pick<ScheduleDetail, 'next_starts'>>;
export type ScheduleStart = ScheduleStartView;
export type ScheduleFields = BodyFor<'POST /api/v1/schedules'>;
export type ScheduleChanges = BodyFor<'PATCH /api/v1/schedules/{id}'>;
export type StartList = AnswerTo<'GET /api/v1/schedules/{id}/starts'>;

export const schedules: Resource<Schedule, ScheduleFields, ScheduleChanges> = resourceOf<
  Schedule,
  ScheduleFields,
  ScheduleChanges
>({
  view: '/schedules',
  idOf: ({ id }) => id,
  list: async (query, signal) => (await call('GET /api/v1/schedules', { query, signal })).schedules,
  get: (id, signal) => callTagged('GET /api/v1/schedules/{id}', { path: { id }, signal }),
  create: (body, idempotencyKey) => callTagged('POST /api/v1/schedules', { body, idempotencyKey }),
  change: (id, body, etag) => callTagged('PATCH /api/v1/schedules/{id}', { path: { id }, body, etag }),
  remove: (id) => callForNothing('DELETE /api/v1/schedules/{id}', { path: { id } }),
});

export const STARTS_A_PAGE = 25;

/** The parts of a schedule that change without an edit. */
export function getScheduleNow(id: string, signal: AbortSignal): Promise<ScheduleDetail> {
  return call('GET /api/v1/schedules/{id}', { path: { id }, signal });
}

/** What became of its starts, newest first. @param page from 0 */
export function listStarts(id: string, page: number, signal: AbortSignal): Promise<StartList> {
  const query = { limit: STARTS_A_PAGE, offset: page * STARTS_A_PAGE };
  return call('GET /api/v1/schedules/{id}/starts', { path: { id }, query, signal });
}

export function runScheduleNow(id: string, idempotencyKey: string): Promise<StartRunAnswer> {
  return call('POST /api/v1/schedules/{id}/run', { path: { id }, idempotencyKey });
}

/** The next starts that an expression would have. @throws ApiError with what to write instead */
export async function previewStarts(cron: string, time_zone: string, signal: AbortSignal): Promise<readonly string[]> {
  return (await call('GET /api/v1/schedule-preview', { query: { cron, time_zone }, signal })).next_starts;
}
