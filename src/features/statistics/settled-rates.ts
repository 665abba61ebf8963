import { Injectable } from '@nestjs/common';
import type { TestRunListItem } from '../../../contract/test-runs';
import { isFinalTestRun } from '../../domain';
import { othersTurn } from '../../platform/concurrency';
import { ClusterCountsStore, type ClusterCount } from '../runs/cluster-counts.store';
import type { TestRunRecord } from '../runs/test-run.row';
import { rateOf } from '../../domain/statistics';

/** What a list says of a run that has ended, beside its counts. */
export type SettledRun = Pick<TestRunListItem, 'graded_pass_rate' | 'must_pass_violated_count'>;

/** Of the interval, as statistics have it unless they are asked for another. */
const CONFIDENCE = 0.95;

/** Runs whose rate is remembered: some hundred bytes each. */
const REMEMBERED = 10_000;

/**
 * The graded pass rates of runs that have ended, as their statistics have them, and how often they violate what must pass. Lists of
 * runs are polled, and what has ended never changes: each is computed once, all that a list lacks in one query.
 */
@Injectable()
export class SettledRates {
  private readonly known = new Map<string, SettledRun>();

  constructor(private readonly store: ClusterCountsStore) {}

  /** By run id; a run that is under way is missing. */
  async of(runs: readonly TestRunRecord[]): Promise<ReadonlyMap<string, SettledRun>> {
    const settled = runs.filter(({ status }) => isFinalTestRun(status)).map(({ id }) => id);
    const unknown = settled.filter((id) => !this.known.has(id));
    if (unknown.length > 0) {
      const [clusters, violations] = await Promise.all([this.store.read(unknown), this.store.readViolations(unknown)]);
      const counts = byRun(clusters);
      const violated = new Map(violations.map((one) => [one.test_run_id, one.violated]));
      for (const id of unknown) {
        this.known.set(id, {
          graded_pass_rate: rateIn(counts.get(id) ?? []),
          must_pass_violated_count: violated.get(id) ?? 0,
        });
        await othersTurn();
      }
    }
    const found = new Map<string, SettledRun>();
    for (const id of settled) {
      const run = this.known.get(id);
      if (run !== undefined) found.set(id, run);
    }
    this.forgetOldest();
    return found;
  }

  private forgetOldest(): void {
    for (const id of this.known.keys()) {
      if (this.known.size <= REMEMBERED) return;
      this.known.delete(id);
    }
  }
}

function byRun(counts: readonly ClusterCount[]): Map<string, ClusterCount[]> {
  const runs = new Map<string, ClusterCount[]>();
  for (const count of counts) {
    const others = runs.get(count.test_run_id);
    if (others === undefined) runs.set(count.test_run_id, [count]);
    else others.push(count);
  }
  return runs;
}

function rateIn(counts: readonly ClusterCount[]): SettledRun['graded_pass_rate'] {
  const rate = rateOf(counts, CONFIDENCE);
  return rate && { value: rate.value * 100, low: rate.low * 100, high: rate.high * 100 };
}
