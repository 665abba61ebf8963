import type { Failure } from '../../domain';

/** A row whose heartbeat is older than this has no living owner and may be claimed by any process. */
export const LEASE_SECONDS = 15;

/** How often a process renews the heartbeats of what it owns: two may be lost before a lease runs out. */
export const HEARTBEAT_INTERVAL_MS = 4_000;

/** Every write of a turn renews the heartbeat too: a younger one is left alone, so that a busy process beats for few rows. */
export const FRESH_HEARTBEAT_SECONDS = 2;

/** After so many executions of one scenario run no other is granted: something ends every one of them too soon. */
export const MAX_ATTEMPTS = 50;

/** How a scenario run ends that has used up its attempts. */
export const TOO_MANY_ATTEMPTS: Failure = {
  code: 'internal',
  message: `Given up after ${MAX_ATTEMPTS} attempts, none of which came to an end; the service's log names this scenario run and why they stopped.`,
};

/** After so many failed supervisions a run is given up. Restarts and hand-overs do not count: a run may wait for weeks. */
export const MAX_FAILED_SUPERVISIONS = 50;
