import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Bus, type Subscription, subjects } from '../bus/bus';

const settlement = z.object({ scenario_run_id: z.string() });

/**
 * How a scenario run's actor reports to its test run's that its row is final: over the bus, also when both live in this process.
 * The reconciler reads from the rows what is lost on the way.
 */
@Injectable()
export class Settlements {
  constructor(private readonly bus: Bus) {}

  announce(testRunId: string, scenarioRunId: string): void {
    this.bus.publish(subjects.settlement(testRunId), { scenario_run_id: scenarioRunId });
  }

  /** May be called twice for one settlement. */
  listen(testRunId: string, hear: (scenarioRunId: string) => void): Subscription {
    return this.bus.subscribe(subjects.settlement(testRunId), (payload) => {
      const message = settlement.safeParse(payload);
      if (message.success) hear(message.data.scenario_run_id);
    });
  }
}
