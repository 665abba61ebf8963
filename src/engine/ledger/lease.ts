/** A row whose heartbeat is older than this has no living owner and may be claimed by anyone. */
export const LEASE_SECONDS = 15;

/** How often a process renews the heartbeats of what it owns: two may be lost before a lease runs out. */
export const HEARTBEAT_INTERVAL_MS = 4_000;

/** Every write of a turn renews the heartbeat too: a younger one is left alone, so that a busy process beats for few rows. */
export const FRESH_HEARTBEAT_SECONDS = 2;
