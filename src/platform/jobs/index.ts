/**
 * What the service does without being asked. A job is a row that one process claims, works on under a lease and settles; upkeep is a task
 * that one process at a time does again and again. A feature declares its jobs and its upkeep to `Jobs`.
 */

export { JobsModule, Jobs } from './jobs';
export type { InPieces, Upkeep } from './upkeep';
export type { ClaimedJob, Ending, JobTable } from './job-kind';
