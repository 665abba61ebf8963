import { BadRequestException, ConflictException, Injectable } from '@nestjs/common';
import { untilAvailable, TestRunActors } from '../../engine/actors';
import { ScenarioVanished, TooManyScheduledRuns, TwinGone, type SupervisionClaim } from '../../engine/ledger';
import { CommitInDoubt, isUnavailable } from '../../platform/database';

/** How long a client that starts a run waits for a commit in doubt to be resolved. */
const SETTLE_DOUBT_MS = 8_000;

/** Of a start that asks for the twin of a run that does not exist. */
export const NO_SUCH_TWIN = 'twin_of: there is no such test run: name one by its id or label';

/** Stores new runs and has them supervised. */
@Injectable()
export class RunBeginnings {
  constructor(private readonly supervisors: TestRunActors) {}

  /**
   * A commit in doubt is resolved by storing the run again, which waits for the first try: a client asked to retry would
   * get the run twice.
   * @param store safe to repeat
   * @throws what `store` throws; BadRequestException when the run that it is to be a twin of was deleted; ConflictException when MAX_SCHEDULED_RUNS is reached, or a scenario was purged meanwhile
   */
  async begin(store: () => Promise<SupervisionClaim>): Promise<void> {
    this.supervisors.supervise(await this.stored(store));
  }

  /** The same for runs that are stored together. */
  async beginAll(store: () => Promise<readonly SupervisionClaim[]>): Promise<void> {
    for (const claim of await this.stored(store)) this.supervisors.supervise(claim);
  }

  private async stored<Stored>(store: () => Promise<Stored>): Promise<Stored> {
    try {
      return await store();
    } catch (doubt) {
      if (doubt instanceof TooManyScheduledRuns) {
        throw new ConflictException(
          `${doubt.most} runs are scheduled already, as many as MAX_SCHEDULED_RUNS allows: ` +
            'cancel one of them, wait until one has started, or raise it.',
        );
      }
      if (doubt instanceof ScenarioVanished) {
        throw new ConflictException('A chosen scenario was purged in this moment: send the request again without it.');
      }
      if (doubt instanceof TwinGone) throw new BadRequestException(NO_SUCH_TWIN);
      if (!(doubt instanceof CommitInDoubt)) throw doubt;
      const patience = AbortSignal.timeout(SETTLE_DOUBT_MS);
      return untilAvailable(store, isUnavailable, patience).catch((error: unknown) => {
        throw patience.aborted ? doubt : error;
      });
    }
  }
}
