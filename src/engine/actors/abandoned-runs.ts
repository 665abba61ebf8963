import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/config';
import { TestRunLedger } from '../ledger/test-run.ledger';
import { Settlements } from './settlements';

/** Ends runs that no process of the service can go on with. */
@Injectable()
export class AbandonedRuns {
  constructor(
    private readonly ledger: TestRunLedger,
    private readonly settlements: Settlements,
    private readonly log: Log,
  ) {}

  /** @param why the sentence that its reader is told. @throws the database's error */
  async end(testRunId: string, why: string): Promise<void> {
    const canceled = await this.ledger.abandon(testRunId, why);
    if (canceled.length === 0) return;
    this.log.error('A test run has ended: no process has the judge that it is about', { testRunId });
    for (const scenarioRunId of canceled) this.settlements.announce(testRunId, scenarioRunId);
  }
}
