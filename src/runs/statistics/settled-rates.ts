import { Injectable } from '@nestjs/common';
import { isFinalTestRun } from '../../../machines/statuses';
import { ownTurn } from '../../concurrency/own-turn';
import { ClusterCountsStore, type ClusterCount } from '../../persistence/cluster-counts.store';
import type { TestRunRecord } from '../../persistence/test-run.row';
import { rateOf } from '../../statistics/clusters';

/** A graded pass rate with its interval, in percent. */
export interface SettledRate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Of the interval, as statistics have it unless they are asked for another. */
const CONFIDENCE = 0.95;

/** Runs whose rate is remembered: some hundred bytes each. */
const REMEMBERED = 10_000;

/**
 * The graded pass rates of runs that have ended, as their statistics have them. Lists of runs are polled, and what has ended never
 * changes: each rate is computed once, all that a list lacks in one query.
 */
@Injectable()
export class SettledRates {
  /** Null: nothing was graded. */
  private readonly known = new Map<string, SettledRate | null>();

  constructor(private readonly store: ClusterCountsStore) {}

  /** By run id; a run that is under way, or of which nothing was graded, is missing. */
  async of(runs: readonly TestRunRecord[]): Promise<ReadonlyMap<string, SettledRate>> {
    const settled = runs.filter(({ status }) => isFinalTestRun(status)).map(({ id }) => id);
    const unknown = settled.filter((id) => !this.known.has(id));
    if (unknown.length > 0) {
      const counts = byRun(await this.store.read(unknown));
      for (const id of unknown) {
        this.known.set(id, rateIn(counts.get(id) ?? []));
        await ownTurn(Number.POSITIVE_INFINITY);
      }
    }
    const rates = new Map<string, SettledRate>();
    for (const id of settled) {
      const rate = this.known.get(id);
      if (rate) rates.set(id, rate);
    }
    this.forgetOldest();
    return rates;
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

function rateIn(counts: readonly ClusterCount[]): SettledRate | null {
  const rate = rateOf(counts, CONFIDENCE);
  return rate && { value: rate.value * 100, low: rate.low * 100, high: rate.high * 100 };
}
