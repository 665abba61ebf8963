import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { isFinalTestRun } from '../../domain/statuses';
import type { ExaminedAgent } from '../../engine/ledger/new-test-run';
import type { TestRunRecord } from '../runs/test-run.row';
import { TestRunsStore } from '../runs/test-runs.store';

/** Finds what a run can be derived from. */
@Injectable()
export class RunSources {
  constructor(private readonly testRuns: TestRunsStore) {}

  /** @throws NotFoundException; ConflictException while the run is live: its rows still change */
  async find(idOrLabel: string): Promise<TestRunRecord> {
    const run = await this.testRuns.find(idOrLabel);
    if (run === null) throw new NotFoundException('Test run not found');
    if (!isFinalTestRun(run.status)) {
      throw new ConflictException(
        `Test run ${run.label} is ${run.status}: wait until it has ended, or cancel it, and ask again.`,
      );
    }
    return run;
  }

  /** The agent as the run had found it. */
  async agentOf(run: TestRunRecord): Promise<ExaminedAgent> {
    const configs = await this.testRuns.agentConfigsOf([run.id]);
    return {
      id: run.agentId,
      name: run.agentName,
      provider: run.agentProvider,
      config: configs.get(run.id) ?? null,
      configHash: run.agentConfigHash,
      version: run.agentVersion,
    };
  }
}
