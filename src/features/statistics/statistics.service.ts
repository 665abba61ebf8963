import { Injectable, NotFoundException } from '@nestjs/common';
import { isFinalTestRun } from '../../domain';
import { othersTurn } from '../../platform/concurrency';
import { CalibrationsStore, type CompletedCalibration } from '../calibrations/calibrations.store';
import { RunStatisticsStore, type RunTallies } from './run-statistics.store';
import { SharedRead } from '../../platform/database';
import type { TestRunRecord } from '../runs/test-run.row';
import { TestRunsStore } from '../runs/test-runs.store';
import { statisticsOf } from './statistics-of';
import type { StatisticsView } from '../../../contract/statistics';

interface Found {
  readonly run: TestRunRecord;
  readonly tallies: RunTallies;
  /** Of the judge that marked most of it. */
  readonly calibrated: CompletedCalibration | null;
}

/** What the numbers of a run say, at any moment of it. */
@Injectable()
export class StatisticsService {
  /** Clients read the statistics of a run again and again: those who ask together share one read. */
  private readonly reads = new SharedRead<string, Found | null>((ids) => Promise.all(ids.map((id) => this.read(id))));

  constructor(
    private readonly testRuns: TestRunsStore,
    private readonly store: RunStatisticsStore,
    private readonly calibrations: CalibrationsStore,
  ) {}

  /** @throws NotFoundException */
  async find(idOrLabel: string, confidencePercent: number): Promise<StatisticsView> {
    const found = await this.reads.load(idOrLabel);
    if (found === null) throw new NotFoundException('Test run not found');
    // Sums over the scenarios of a large run take some milliseconds, in a turn of the event loop of their own.
    await othersTurn();
    return statisticsOf(found.run, found.tallies, confidencePercent, found.calibrated);
  }

  private async read(idOrLabel: string): Promise<Found | null> {
    const run = await this.testRuns.find(idOrLabel);
    if (run === null) return null;
    const tallies = await this.store.read(run.id, isFinalTestRun(run.status));
    // A run that was being cleared away has no statistics.
    if ((await this.testRuns.resolve(run.id)) === null) return null;
    const judge = tallies.examiners[0]?.judge;
    return { run, tallies, calibrated: judge === undefined ? null : await this.calibrations.newestFor(judge) };
  }
}
