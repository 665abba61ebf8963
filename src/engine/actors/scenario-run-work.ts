import { z } from 'zod';
import { type Bus, subjects } from '../bus/bus';

/** One piece of work: execute this scenario run. */
export const scenarioRunWork = z.object({
  scenario_run_id: z.uuid(),
  test_run_id: z.uuid(),
  /** When it was put into the queue, in milliseconds since 1970, by the clock of the process that did. Work without it is work all the same: it only measures the wait. */
  enqueued_ms: z.number().optional().catch(undefined),
});

/** A scenario run that no process executes. */
export interface Unowned {
  readonly scenarioRunId: string;
  readonly testRunId: string;
  /** The last one; 0 before the first. */
  readonly attempt: number;
}

/** The same claimable state of a row is dispatched under the same id, so that the queue holds it once. @throws BusError */
export function enqueueWork(bus: Bus, { scenarioRunId, testRunId, attempt }: Unowned): Promise<void> {
  const work: z.infer<typeof scenarioRunWork> = {
    scenario_run_id: scenarioRunId,
    test_run_id: testRunId,
    enqueued_ms: Date.now(),
  };
  return bus.enqueue(subjects.scenarioRunWork, work, { messageId: `${scenarioRunId}:${attempt}` });
}
