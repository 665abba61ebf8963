import { Injectable, NotFoundException } from '@nestjs/common';
import { isFinalTestRun } from '../../../machines/statuses';
import { ownTurn } from '../../concurrency/own-turn';
import { RunStatisticsStore, type RunTallies } from '../../persistence/run-statistics.store';
import { SharedRead } from '../../persistence/shared-read';
import type { TestRunRecord } from '../../persistence/test-run.row';
import { TestRunsStore } from '../../persistence/test-runs.store';
import { statisticsOf } from './statistics-of';
import type { StatisticsView } from './statistics.view';

interface Found {
  readonly run: TestRunRecord;
  readonly tallies: RunTallies;
}

/** What the numbers of a run say, at any moment of it. */
@Injectable()
export class StatisticsService {
  /** Whoever looks at a run looks again and again: those who ask together share one read. */
  private readonly reads = new SharedRead<string, Found | null>((ids) => Promise.all(ids.map((id) => this.read(id))));

  constructor(
    private readonly testRuns: TestRunsStore,
    private readonly store: RunStatisticsStore,
  ) {}

  /** @throws NotFoundException */
  async find(idOrLabel: string, confidencePercent: number): Promise<StatisticsView> {
    const found = await this.reads.load(idOrLabel);
    if (found === null) throw new NotFoundException('Test run not found');
    // Sums over the scenarios of a large run take some milliseconds, in a turn of the event loop of their own.
    await ownTurn(Number.POSITIVE_INFINITY);
    return statisticsOf(found.run, found.tallies, confidencePercent);
  }

  private async read(idOrLabel: string): Promise<Found | null> {
    const run = await this.testRuns.find(idOrLabel);
    return run && { run, tallies: await this.store.read(run.id, isFinalTestRun(run.status)) };
  }
}
