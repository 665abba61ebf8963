import { Injectable } from '@nestjs/common';
import { failureOf } from '../../domain/failure';
import { Log } from '../../platform/config/log';
import type { AttemptRef } from '../ledger/scenario-run.changes';
import { ScenarioRunLedger } from '../ledger/scenario-run.ledger';
import { examinerMetadata, type NamedExaminers } from './outcome-metadata';
import { Settlements } from './settlements';

/** Ends claimed scenario runs for which no actor could be made: the next attempt would get no further (invariant 10). Gives back those that another process may start. */
@Injectable()
export class UnstartedScenarioRuns {
  constructor(
    private readonly ledger: ScenarioRunLedger,
    private readonly settlements: Settlements,
    private readonly log: Log,
  ) {}

  /** @throws the database's error */
  async fail(ref: AttemptRef, examiners: NamedExaminers, error: unknown): Promise<void> {
    const { scenarioRunId, testRunId, attempt } = ref;
    this.log.error('A scenario run could not be started and ends in an error', {
      error,
      scenarioRunId,
      testRunId,
      attempt,
    });
    const metadata = { ...examinerMetadata(examiners), attempts: attempt };
    await this.ledger.record({ ...ref, kind: 'failure', failure: failureOf(error), metadata });
    this.settlements.announce(testRunId, scenarioRunId);
  }

  /** A process that has the key goes on with it. @throws the database's error */
  async giveBack({ sentTurns, ...ref }: AttemptRef & { readonly sentTurns: number }, error: Error): Promise<void> {
    const { scenarioRunId, testRunId, attempt } = ref;
    this.log.warn('A scenario run waits for a process that can decrypt the config of its agent', {
      sentence: error.message,
      scenarioRunId,
      testRunId,
      attempt,
    });
    await this.ledger.record({ ...ref, kind: 'release', sentTurns });
  }

  /** The claim has ended it already: it was tried too often. */
  noteExhausted(scenarioRunId: string, testRunId: string, attempt: number): void {
    this.log.error('A scenario run was tried too often and has ended in an error', {
      scenarioRunId,
      testRunId,
      attempt,
    });
    this.settlements.announce(testRunId, scenarioRunId);
  }
}
