/** A row whose heartbeat is older than this has no living owner and may be claimed by anyone. */
export const LEASE_SECONDS = 15;

/** How often a process renews the heartbeats of what it owns: three may be lost before a lease runs out. */
export const HEARTBEAT_INTERVAL_MS = 4_000;
