import { Global, Injectable, Module } from '@nestjs/common';
import { keyNameOf, type Caller } from '../../platform/access';
import { ShownMarksStore, type Shown, type Showing } from './shown-marks.store';

/** A conversation, by its scenario run. */
export interface ShownConversation {
  readonly id: string;
  readonly test_run_id: string;
}

/** Showings that need not be written again: clients read the same run again and again. */
const MOST_REMEMBERED = 20_000;

/**
 * Keeps what each service key was shown of how conversations were marked, so that a review is called blind only when it was.
 * Every endpoint that answers with a verdict, a score, a decision or a list of what was missed says so here before it answers;
 * the numbers of a whole run (its counts and its pass rate) belong to no conversation and do not count. What cannot be written is
 * not shown.
 */
@Injectable()
export class ShownMarks {
  private readonly written = new Set<string>();

  constructor(private readonly store: ShownMarksStore) {}

  /** The judge's marks of any conversation of these runs. */
  ofRuns(caller: Caller, testRunIds: Iterable<string>): Promise<void> {
    return this.add([...new Set(testRunIds)].map((testRunId) => showing(caller, 'marks', testRunId, null)));
  }

  /** The judge's marks of these conversations. */
  ofConversations(caller: Caller, shown: readonly ShownConversation[]): Promise<void> {
    return this.add(shown.map(({ id, test_run_id }) => showing(caller, 'marks', test_run_id, id)));
  }

  /** What others have decided about this conversation, and nothing of the judge's. */
  ofReviews(caller: Caller, { id, test_run_id }: ShownConversation): Promise<void> {
    return this.add([showing(caller, 'reviews', test_run_id, id)]);
  }

  private async add(showings: readonly Showing[]): Promise<void> {
    const left = showings.filter((one) => !this.written.has(nameOf(one)));
    if (left.length === 0) return;
    await this.store.add(left);
    for (const one of left) this.written.add(nameOf(one));
    for (const oldest of this.written) {
      if (this.written.size <= MOST_REMEMBERED) return;
      this.written.delete(oldest);
    }
  }
}

function showing(caller: Caller, what: Shown, testRunId: string, scenarioRunId: string | null): Showing {
  return { keyName: keyNameOf(caller), what, testRunId, scenarioRunId };
}

function nameOf({ keyName, what, testRunId, scenarioRunId }: Showing): string {
  return `${what} ${testRunId} ${scenarioRunId ?? ''} ${keyName ?? ''}`;
}

/** For every endpoint that shows marks. */
@Global()
@Module({ providers: [ShownMarks], exports: [ShownMarks] })
export class ShownMarksModule {}
