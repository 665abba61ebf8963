import { Injectable } from '@nestjs/common';
import type { Counts, RunEvent } from '../../../machines/run-events';
import { MAX_ATTEMPTS, TOO_MANY_ATTEMPTS } from './attempt-limit';
import { CommittedEvents } from './committed-events';
import { Database } from '../database';
import { GroupCommit } from './group-commit';
import { LEASE_SECONDS } from './lease';
import type { JsonObject } from './scenario-run.changes';
import { isLockedOut } from '../patience';
import { isUnavailable } from '../unavailable';

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
  /** It was claimed too often already: the claim has ended it in an error. */
  | { readonly kind: 'exhausted'; readonly attempt: number }
  /** Final, gone, or owned by a living process: there is nothing to do. */
  | { readonly kind: 'settled' }
  /** The run has as many scenario runs under way as its concurrency limit allows. */
  | { readonly kind: 'full' };

/** Two ids and the names of the fields. */
const CHARS_OF_A_REQUEST = 128;

/** Takes ownership of scenario runs. Each claim raises the row's attempt, which fences off whoever had it before. */
@Injectable()
export class ScenarioRunClaims {
  private readonly commits: GroupCommit<ClaimRequest, Claim>;

  constructor(
    private readonly database: Database,
    private readonly committed: CommittedEvents,
  ) {
    this.commits = new GroupCommit({
      write: (requests, lockWaitMs) => this.write(requests, lockWaitMs),
      rowOf: ({ scenarioRunId }) => scenarioRunId,
      runOf: ({ testRunId }) => testRunId,
      charsOf: () => CHARS_OF_A_REQUEST,
      isPoison: (error) => !isUnavailable(error),
      isLockedOut,
    });
  }

  /**
   * What the process owns already counts as free: it asks only for what it does not execute, so the answer to an earlier
   * claim was lost. @throws the database's error
   */
  claim(request: ClaimRequest): Promise<Claim> {
    return this.commits.submit(request);
  }

  private async write(requests: readonly ClaimRequest[], lockWaitMs: number): Promise<Claim[]> {
    const [first] = requests;
    if (first === undefined) return [];
    const rows = await this.database.engine.query<ClaimRow>(
      'SELECT * FROM claim_scenario_runs_2($1, $2, $3, $4, $5, $6, $7, $8)',
      [
        JSON.stringify(
          requests.map(({ scenarioRunId, testRunId }, ord) => ({ ord, id: scenarioRunId, test_run_id: testRunId })),
        ),
        first.owner,
        LEASE_SECONDS,
        first.restartingProviders,
        JSON.stringify(first.metadata),
        MAX_ATTEMPTS,
        JSON.stringify(TOO_MANY_ATTEMPTS),
        lockWaitMs,
      ],
    );
    const logged = rows.filter((row) => row.seq !== null).sort((one, next) => one.seq - next.seq);
    this.committed.tell(logged.flatMap((row) => eventOf(requests[row.ord], row)));
    const rowAt = new Map(rows.map((row) => [row.ord, row]));
    return requests.map((_, ord): Claim => {
      const row = rowAt.get(ord);
      if (row === undefined) return { kind: 'settled' };
      return row.seq === null ? { kind: row.kind } : { kind: row.kind, attempt: row.attempt };
    });
  }
}

/** As the function in the database answers. */
type ClaimRow = { readonly ord: number } & (LoggedClaim | { readonly kind: 'settled' | 'full'; readonly seq: null });

/** A claim that changed the row, and the number of the event that tells of it. */
interface LoggedClaim {
  readonly kind: 'claimed' | 'exhausted';
  readonly attempt: number;
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly seq: number;
  readonly at: Date;
  /** Of an `exhausted` one: the run's counts right after it. */
  readonly counts: Counts | null;
}

/** The event that the function has logged. */
function eventOf(request: ClaimRequest | undefined, row: LoggedClaim): RunEvent[] {
  if (request === undefined) return [];
  const { attempt, scenario_id, scenario_name, seq, counts } = row;
  const { scenarioRunId: scenario_run_id, testRunId: run_id } = request;
  const envelope = { run_id, seq, at: row.at.toISOString() };
  if (counts === null)
    return [{ type: 'scenario_started', scenario_run_id, scenario_id, scenario_name, attempt, ...envelope }];
  const { code: error_code, message: error } = TOO_MANY_ATTEMPTS;
  return [{ type: 'scenario_error', scenario_run_id, error_code, error, scenario_id, counts, ...envelope }];
}
