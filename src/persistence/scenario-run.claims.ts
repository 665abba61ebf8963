import { Injectable } from '@nestjs/common';
import type { RunEvent } from '../../machines/run-events';
import { CommittedEvents } from './committed-events';
import { Database } from './database';
import { GroupCommit } from './group-commit';
import { LEASE_SECONDS } from './lease';
import type { JsonObject } from './scenario-run.changes';

export interface ClaimRequest {
  readonly scenarioRunId: string;
  readonly testRunId: string;
  /** The claiming process. */
  readonly owner: string;
  /** Provider kinds whose sessions die with their process: their conversations start again. */
  readonly restartingProviders: readonly string[];
  /** Kept with the scenario run from the start: who plays the patient and who judges. */
  readonly metadata: JsonObject;
}

export type Claim =
  | { readonly kind: 'claimed'; readonly attempt: number }
  /** Final, gone, or owned by a living process: there is nothing to do. */
  | { readonly kind: 'settled' }
  /** The run has as many scenario runs under way as its concurrency limit allows. */
  | { readonly kind: 'full' };

/** Takes ownership of scenario runs. Each claim raises the row's attempt, which fences off whoever had it before. */
@Injectable()
export class ScenarioRunClaims {
  private readonly commits: GroupCommit<ClaimRequest, Claim>;

  constructor(
    private readonly database: Database,
    private readonly committed: CommittedEvents,
  ) {
    this.commits = new GroupCommit(
      (requests) => this.write(requests),
      (error) => !this.database.isUnavailable(error),
    );
  }

  /**
   * What the process owns already counts as free: it asks only for what it does not execute, so the answer to an earlier
   * claim was lost. @throws the database's error
   */
  claim(request: ClaimRequest): Promise<Claim> {
    return this.commits.submit(request);
  }

  private async write(requests: readonly ClaimRequest[]): Promise<Claim[]> {
    const [first] = requests;
    if (first === undefined) return [];
    const rows = await this.database.query<ClaimRow>('SELECT * FROM claim_scenario_runs_1($1, $2, $3, $4, $5)', [
      JSON.stringify(
        requests.map(({ scenarioRunId, testRunId }, ord) => ({ ord, id: scenarioRunId, test_run_id: testRunId })),
      ),
      first.owner,
      LEASE_SECONDS,
      first.restartingProviders,
      JSON.stringify(first.metadata),
    ]);
    const claimed = rows.filter((row) => row.kind === 'claimed').sort((one, next) => one.seq - next.seq);
    this.committed.tell(claimed.flatMap((row) => eventOf(requests[row.ord], row)));
    const rowAt = new Map(rows.map((row) => [row.ord, row]));
    return requests.map((_, ord): Claim => {
      const row = rowAt.get(ord);
      if (row?.kind === 'claimed') return { kind: 'claimed', attempt: row.attempt };
      return { kind: row?.kind ?? 'settled' };
    });
  }
}

/** As the function in the database answers; fields of a claim that was not granted are null. */
type ClaimRow = { readonly ord: number } & (
  | {
      readonly kind: 'claimed';
      readonly attempt: number;
      readonly scenario_id: string;
      readonly scenario_name: string;
      readonly seq: number;
      readonly at: Date;
    }
  | { readonly kind: 'settled' | 'full' }
);

/** The event that the function has logged. */
function eventOf(request: ClaimRequest | undefined, row: ClaimRow & { kind: 'claimed' }): RunEvent[] {
  if (request === undefined) return [];
  const { attempt, scenario_id, scenario_name, seq, at } = row;
  return [
    {
      type: 'scenario_started',
      scenario_run_id: request.scenarioRunId,
      scenario_id,
      scenario_name,
      attempt,
      run_id: request.testRunId,
      seq,
      at: at.toISOString(),
    },
  ];
}
