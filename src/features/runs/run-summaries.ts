import { Injectable, Module } from '@nestjs/common';
import { Judges } from '../../examiners/judge';
import { ModelSpend } from '../../examiners/model';
import { SharedRead } from '../../platform/database';
import type { TestRunRecord } from './test-run.row';
import { TestRunsStore } from './test-runs.store';
import { Testers } from '../../examiners/tester';
import { plannedExaminers, type PlannedExaminers, listItemOfTestRun } from './run.views';
import { SettledRates } from '../statistics/settled-rates';
import type { TestRunListItem } from '../../../contract/test-runs';

/** Test runs as every answer and stream shows them: the one way from a row to its view. */
@Injectable()
export class RunSummaries {
  private readonly planned: PlannedExaminers;
  /** Many subscribers arrive at the same time: a thousand cost a few queries. */
  private readonly found = new SharedRead<string, TestRunListItem | null>(async (idsOrLabels) => {
    const runs = await this.testRuns.findMany(idsOrLabels);
    const summaries = await this.of([...runs.values()]);
    const byId = new Map(summaries.map((summary) => [summary.id, summary]));
    return idsOrLabels.map((key) => byId.get(runs.get(key)?.id ?? '') ?? null);
  });

  constructor(
    private readonly testRuns: TestRunsStore,
    private readonly rates: SettledRates,
    private readonly spend: ModelSpend,
    testers: Testers,
    judges: Judges,
  ) {
    this.planned = plannedExaminers(testers, judges);
  }

  /** In the order of the runs. */
  async of(runs: readonly TestRunRecord[]): Promise<TestRunListItem[]> {
    const [reached, rates] = await Promise.all([this.spend.reached(), this.rates.of(runs)]);
    const present = { waiting: reached?.sentence ?? null, planned: this.planned };
    return runs.map((run) => listItemOfTestRun(run, present, rates.get(run.id) ?? null));
  }

  /** The run with this UUID or label; null when there is none. */
  find(idOrLabel: string): Promise<TestRunListItem | null> {
    return this.found.load(idOrLabel);
  }
}

/** A module without what starts runs, which streams do not need. */
@Module({ providers: [RunSummaries, SettledRates], exports: [RunSummaries, SettledRates] })
export class RunSummariesModule {}
