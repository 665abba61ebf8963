import type { OwnedAttempt, OwnershipStore } from '../persistence/ownership.store';
import { SharedRead } from '../persistence/shared-read';

export type Holding = 'held' | 'lost' | 'canceled';

/**
 * Whether an attempt is still this process's, by the rows. Whoever stood still for a while (a suspended machine, a stopped
 * process, a garbage collection of seconds) cannot know it by itself: its lease may have gone to another process meanwhile,
 * or the run may have been canceled. Asked before outside calls; those who ask at the same time share one query.
 */
export class OwnershipCheck {
  private readonly looks: SharedRead<OwnedAttempt, Holding>;

  constructor(owner: string, ownership: OwnershipStore) {
    this.looks = new SharedRead(async (attempts) => {
      const lost = await ownership.findLostAttempts(owner, attempts);
      const holdings = new Map(lost.map((one) => [one.scenarioRunId, one.isCanceled ? 'canceled' : 'lost'] as const));
      return attempts.map(({ scenarioRunId }) => holdings.get(scenarioRunId) ?? 'held');
    });
  }

  /** @throws the database's error */
  ask(attempt: OwnedAttempt): Promise<Holding> {
    return this.looks.load(attempt);
  }
}
