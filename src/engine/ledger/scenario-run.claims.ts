import { Injectable, Optional } from '@nestjs/common';
import type { RunEvent } from '../../domain';
import { Database, isLockedOut, openConfig, UnknownKey, isUnavailable } from '../../platform/database';
import { Metrics, silentMetrics } from '../../platform/telemetry';
import { MAX_ATTEMPTS, TOO_MANY_ATTEMPTS, LEASE_SECONDS } from './lease';
import { CommittedEvents, readFields } from './run-log';
import { executionOf, type ExecutionRecord, type ExecutionRow } from './execution-record';
import { CLAIM } from './functions';
import { GroupCommit, measuredCommits } from './group-commit';
import type { JsonObject } from './scenario-run.changes';

export interface ClaimRequest {
  readonly scenarioRunId: string;
  readonly testRunId: string;
  /** The claiming process. */
  readonly owner: string;
  /** Provider kinds whose sessions die with their process: their conversations start again. */
  readonly restartingProviders: readonly string[];
  /** Kept with the scenario run from the start: the tester and the judge. */
  readonly metadata: JsonObject;
}

export type Claim =
  /** With everything that it is executed from. */
  | { readonly kind: 'claimed'; readonly attempt: number; readonly record: ExecutionRecord }
  /** Claimed, but its row holds what no reader understands: no attempt gets further. */
  | { readonly kind: 'unreadable'; readonly attempt: number; readonly error: unknown }
  /** Its agent's config is sealed with a key that this process lacks: another one may have it, or this one after its next start. */
  | {
      readonly kind: 'locked';
      readonly error: UnknownKey;
      /** What this claim has taken, to be given back; null when nothing was. */
      readonly taken: { readonly attempt: number; readonly sentTurns: number } | null;
    }
  /** It was claimed too often already: the claim has ended it in an error. */
  | { readonly kind: 'exhausted'; readonly attempt: number }
  /** Final, gone, or owned by a living process: there is nothing to do. */
  | { readonly kind: 'settled' }
  /** The run has as many scenario runs under way as its concurrency limit allows. */
  | { readonly kind: 'full' };

/** What the answer to one request may well hold: a scenario, an agent's config, recorded turns. */
const CHARS_OF_AN_ANSWER = 32 * 1024;
/** Runs that are remembered as locked: a run that is forgotten costs one more attempt. */
const LOCKED_KEPT = 1_000;

/** Takes ownership of scenario runs. Each claim raises the row's attempt, which fences off the owner before it. */
@Injectable()
export class ScenarioRunClaims {
  /** One for each metadata: who examines is the same for all of a statement. */
  private readonly commits = new Map<string, GroupCommit<ClaimRequest, Claim>>();
  /**
   * Runs whose agent's config could not be decrypted here: looked at before the next claim, so that waiting for a key uses up no
   * attempts.
   */
  private readonly locked = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly committed: CommittedEvents,
    @Optional() private readonly metrics: Metrics = silentMetrics,
  ) {}

  /**
   * What the process owns already counts as free: it asks only for what it does not execute, so the answer to an earlier
   * claim was lost. @throws the database's error
   */
  async claim(request: ClaimRequest): Promise<Claim> {
    const error = this.locked.has(request.testRunId) ? await this.lockOf(request.testRunId) : null;
    if (error !== null) return { kind: 'locked', error, taken: null };
    const metadata = JSON.stringify(request.metadata);
    const commits = this.commits.get(metadata) ?? this.groupCommit();
    this.commits.set(metadata, commits);
    return commits.submit(request);
  }

  /** Why the config of a run's agent still cannot be decrypted here; null when it can. */
  private async lockOf(testRunId: string): Promise<UnknownKey | null> {
    const [agent] = await this.database.engine.query<{ id: string; config: JsonObject }>(
      'SELECT a.id, a.config FROM test_runs t JOIN agents a ON a.id = t.agent_id WHERE t.id = $1',
      [testRunId],
    );
    try {
      if (agent !== undefined) openConfig(this.database.vault, agent.id, agent.config);
    } catch (error) {
      if (error instanceof UnknownKey) return error;
    }
    this.locked.delete(testRunId);
    return null;
  }

  private noteLocked(testRunId: string): void {
    this.locked.add(testRunId);
    const [oldest] = this.locked;
    if (this.locked.size > LOCKED_KEPT && oldest !== undefined) this.locked.delete(oldest);
  }

  private groupCommit(): GroupCommit<ClaimRequest, Claim> {
    return new GroupCommit({
      write: (requests, lockWaitMs) => this.write(requests, lockWaitMs),
      rowOf: ({ scenarioRunId }) => scenarioRunId,
      runOf: ({ testRunId }) => testRunId,
      charsOf: () => CHARS_OF_AN_ANSWER,
      isPoison: (error) => !isUnavailable(error),
      isLockedOut,
      onEnd: measuredCommits('claims', this.metrics),
    });
  }

  private async write(requests: readonly ClaimRequest[], lockWaitMs: number): Promise<Claim[]> {
    const [first] = requests;
    if (first === undefined) return [];
    const rows = await this.database.engine.query<AnswerRow>(
      `SELECT * FROM ${CLAIM.name}($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        requests.map(({ testRunId }) => testRunId),
        requests.map(({ scenarioRunId }) => scenarioRunId),
        first.owner,
        LEASE_SECONDS,
        first.restartingProviders,
        JSON.stringify(first.metadata),
        MAX_ATTEMPTS,
        JSON.stringify(TOO_MANY_ATTEMPTS),
        lockWaitMs,
      ],
    );
    const claims = requests.map((): Claim => ({ kind: 'settled' }));
    const events: RunEvent[] = [];
    for (const row of rows) {
      const request = requests[row.ord - 1];
      if (request === undefined) continue;
      if (row.kind === null) events.push(eventOf(request, row));
      else claims[row.ord - 1] = this.claimOf(request, row);
    }
    this.committed.publish(events);
    return claims;
  }

  private claimOf({ scenarioRunId, testRunId }: ClaimRequest, row: ClaimRow): Claim {
    if (row.kind === 'full') return { kind: 'full' };
    const { kind, attempt } = row;
    if (kind === 'exhausted') return { kind, attempt };
    try {
      const { agent_id, agent_config } = row.execution;
      const config = agent_config === null ? null : openConfig(this.database.vault, agent_id, agent_config);
      const execution = { ...row.execution, agent_config: config };
      return { kind, attempt, record: executionOf({ scenarioRunId, testRunId, attempt }, execution) };
    } catch (error) {
      if (error instanceof UnknownKey) {
        this.noteLocked(testRunId);
        const { turns, is_in_doubt } = row.execution;
        return { kind: 'locked', error, taken: { attempt, sentTurns: (turns?.length ?? 0) + (is_in_doubt ? 1 : 0) } };
      }
      return { kind: 'unreadable', attempt, error };
    }
  }
}

/** As claim-scenario-runs answers: what became of the request at `ord`, or its event. */
type AnswerRow = { readonly ord: number } & (ClaimRow | EventRow);

type ClaimRow =
  | { readonly kind: 'claimed'; readonly attempt: number; readonly execution: ExecutionRow }
  | { readonly kind: 'exhausted'; readonly attempt: number }
  | { readonly kind: 'full' };

interface EventRow {
  readonly kind: null;
  readonly seq: number;
  readonly at: Date;
  /** The stored text. */
  readonly fields: string;
}

function eventOf({ testRunId }: ClaimRequest, { seq, at, fields }: EventRow): RunEvent {
  return { ...readFields(fields), run_id: testRunId, seq, at: at.toISOString() };
}
