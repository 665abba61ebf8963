/**
 * Every advisory lock that the service takes by a number of its own (reviews lock a hash of their conversation): PostgreSQL has
 * one space of numbers for a whole database. A number stays what it is from release to release, because processes of two releases
 * run side by side during a rolling upgrade.
 */
export const ADVISORY_LOCKS = {
  /** Held by the session that migrates the schema. */
  migration: 7_265_001,
  /** One process at a time adds the starter scenarios of its release. */
  starterScenarios: 7_265_002,
  /** One process at a time seeds an empty database. */
  firstStart: 7_265_003,
  /** Scheduled runs are counted and stored one at a time, so that requests that come together do not all see the same count. */
  scheduledRuns: 7_265_117,
  /** Schedules are counted and stored one at a time, so that their limit holds. */
  schedules: 7_265_118,
  /** Webhooks are counted and stored one at a time, so that their limit holds. */
  webhooks: 7_265_201,
  /** One process at a time deletes old deliveries and secrets that no longer sign. */
  webhookHistory: 7_265_202,
  /** One process at a time deletes runs that are older than RETENTION_DAYS. */
  retention: 7_265_301,
  /** One process at a time removes what belonged to deleted runs. */
  deletedRuns: 7_265_302,
  /** One process at a time erases deleted agents. */
  deletedAgents: 7_265_303,
  /** One process at a time deletes recordings that are not kept. */
  recordings: 7_265_304,
  /** One process at a time deletes idempotency keys that have been kept long enough. */
  idempotencyKeys: 7_265_401,
  /** Names of keys and of people are given one at a time, so that no two callers have one; and the limit of keys holds. */
  namesOfCallers: 7_265_601,
  /** One process at a time deletes sessions that have ended. */
  endedSessions: 7_265_602,
  /** One process at a time encrypts stored secrets with the current SECRETS_KEY. */
  reencryption: 7_265_501,
  /** One process at a time deletes audit records that are older than AUDIT_DAYS. */
  auditRetention: 0x6175_6469,
} as const;

export type AdvisoryLock = (typeof ADVISORY_LOCKS)[keyof typeof ADVISORY_LOCKS];
