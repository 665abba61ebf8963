import { Injectable } from '@nestjs/common';
import type { ScenarioRunStatus } from '../../machines/statuses';
import { CommittedEvents } from './committed-events';
import { Database, type Transaction } from './database';
import { GroupCommit } from './group-commit';
import { LEASE_SECONDS } from './lease';
import { appendEvents, lockRuns, type LockedRun } from './run-log';
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

interface Candidate {
  readonly id: string;
  readonly test_run_id: string;
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly is_free: boolean;
}

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
    const { claims, events } = await this.database.transaction(async (tx) => {
      const runs = await lockRuns(
        tx,
        requests.map((request) => request.testRunId),
      );
      const candidates = await findCandidates(tx, requests);
      const room = await roomOf(tx, [...runs.keys()]);
      const granted: { request: ClaimRequest; candidate: Candidate; run: LockedRun }[] = [];
      const grantedIds = new Set<string>();
      const refusals = requests.map((request): 'settled' | 'full' | null => {
        const candidate = candidates.get(request.scenarioRunId);
        const run = runs.get(request.testRunId);
        if (candidate?.is_free !== true || run === undefined || grantedIds.has(candidate.id)) return 'settled';
        const left = room.get(run.id) ?? 0;
        if (left <= 0) return 'full';
        room.set(run.id, left - 1);
        grantedIds.add(candidate.id);
        granted.push({ request, candidate, run });
        return null;
      });
      const attempts = await takeOver(
        tx,
        granted.map(({ request }) => request),
      );
      const events = await appendEvents(
        tx,
        granted.map(({ candidate, run }) => ({
          run,
          fields: {
            type: 'scenario_started',
            scenario_run_id: candidate.id,
            scenario_id: candidate.scenario_id,
            scenario_name: candidate.scenario_name,
            attempt: attempts.get(candidate.id) ?? 1,
          },
        })),
      );
      const claims = requests.map((request, at): Claim => {
        const refusal = refusals[at];
        if (refusal) return { kind: refusal };
        return { kind: 'claimed', attempt: attempts.get(request.scenarioRunId) ?? 1 };
      });
      return { claims, events };
    });
    this.committed.tell(events);
    return claims;
  }
}

async function findCandidates(tx: Transaction, requests: readonly ClaimRequest[]): Promise<Map<string, Candidate>> {
  const rows = await tx.query<Candidate>(
    `SELECT id, test_run_id, scenario_id, scenario_name,
            (owner IS NULL OR owner = $3 OR heartbeat_at < now() - make_interval(secs => $2)) AS is_free
     FROM scenario_runs WHERE id = ANY($1::uuid[]) AND status IN ('pending', 'running', 'grading')`,
    [requests.map((request) => request.scenarioRunId), LEASE_SECONDS, requests[0]?.owner],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** How many more scenario runs each run may have under way, over all processes. */
async function roomOf(tx: Transaction, testRunIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx.query<{ id: string; room: number }>(
    `SELECT t.id, t.concurrency_limit - count(s.id)::int AS room
     FROM test_runs t LEFT JOIN scenario_runs s
       ON s.test_run_id = t.id AND s.status IN ('pending', 'running', 'grading') AND s.owner IS NOT NULL
       AND s.heartbeat_at >= now() - make_interval(secs => $2)
     WHERE t.id = ANY($1::uuid[]) AND t.status = 'running' GROUP BY t.id`,
    [testRunIds, LEASE_SECONDS],
  );
  return new Map(rows.map((row) => [row.id, row.room]));
}

async function takeOver(tx: Transaction, requests: readonly ClaimRequest[]): Promise<Map<string, number>> {
  const [first] = requests;
  if (first === undefined) return new Map();
  const rows = await tx.query<{ id: string; status: ScenarioRunStatus; attempt: number }>(
    `UPDATE scenario_runs s SET
       attempt = s.attempt + 1,
       owner = $2,
       heartbeat_at = now(),
       status = CASE WHEN s.status = 'pending' THEN 'running' ELSE s.status END,
       started_at = COALESCE(s.started_at, now()),
       metadata = $4::json,
       conversation = CASE WHEN again.starts THEN s.attempt + 1 ELSE s.conversation END,
       turns = CASE WHEN again.starts THEN 0 ELSE s.turns END
     FROM (
       SELECT c.id, c.status = 'running' AND c.turns > 0 AND c.turns < t.max_turns
                    AND t.agent_provider = ANY($3::text[]) AS starts
       FROM scenario_runs c JOIN test_runs t ON t.id = c.test_run_id WHERE c.id = ANY($1::uuid[])
     ) again
     WHERE s.id = again.id
     RETURNING s.id, s.status, s.attempt`,
    [
      requests.map((request) => request.scenarioRunId),
      first.owner,
      first.restartingProviders,
      JSON.stringify(first.metadata),
    ],
  );
  return new Map(rows.map((row) => [row.id, row.attempt]));
}
