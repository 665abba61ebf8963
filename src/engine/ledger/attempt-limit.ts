import type { Failure } from '../../domain/failure';

/** Executions of one scenario run after which no other is granted: something ends every one of them too soon. */
export const MAX_ATTEMPTS = 50;

/** How a scenario run ends that is claimed once more. */
export const TOO_MANY_ATTEMPTS: Failure = {
  code: 'internal',
  message: `Given up after ${MAX_ATTEMPTS} attempts, none of which came to an end; the service's log names this scenario run and why they stopped.`,
};

/** Failed supervisions of one run after which it is given up. Restarts and hand-overs are none: a run may wait for weeks. */
export const MAX_FAILED_SUPERVISIONS = 50;
