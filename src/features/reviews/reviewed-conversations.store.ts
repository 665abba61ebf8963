import { Injectable } from '@nestjs/common';
import type { Decision } from '../../domain';
import { othersTurn } from '../../platform/concurrency';
import { Database } from '../../platform/database';
import type { ReviewRole } from './reviews.store';
import { readFindings, type NotableRun } from '../statistics/run-findings';
import { SHOWN_RUNS } from '../../engine/ledger';

/** A graded scenario run, as a queue of reviews needs it. */
export interface QueuedRun {
  readonly id: string;
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly trial: number;
  /** By the judge. */
  readonly passed: boolean;
  /** Null when it has no review. */
  readonly effective_passed: boolean | null;
  /** Criteria on which the reviewers differ. */
  readonly disagreements: number;
  /** Oldest first; a reviewer with two reviews is named twice. */
  readonly reviews: readonly {
    readonly reviewer: string;
    readonly key_name: string | null;
    readonly role: ReviewRole;
    readonly blind: boolean;
  }[];
}

export interface ReviewableRuns {
  /** Graded scenario runs that stand out, in the run's order, and what of them does. */
  readonly notable: readonly (QueuedRun & Pick<NotableRun, 'findings'>)[];
  /** All others that were graded, in an order that the seed determines. */
  readonly rest: readonly QueuedRun[];
}

/** A conversation with its marks and with everything that people decided about it. */
export interface ReviewedConversation {
  readonly id: string;
  readonly test_run_id: string;
  readonly judge: { readonly name: string; readonly model: string | null; readonly prompt_version: string | null };
  /** The judge's marks, in the rubric's order. */
  readonly marks: readonly {
    readonly decision: Decision;
    readonly max_points: number;
    readonly tags: readonly string[];
    /** The kind of the check that decided it; null where the judge did. */
    readonly check: string | null;
  }[];
  /** Oldest first. */
  readonly reviews: readonly {
    readonly reviewer: string;
    readonly key_name: string | null;
    readonly role: ReviewRole;
    readonly blind: boolean;
    readonly decisions: readonly Decision[];
  }[];
}

export interface ConversationFilter {
  /** Name, model or version of the prompts; null: any. */
  readonly judge: string | null;
  /** UUID; null: any. */
  readonly testRunId: string | null;
}

/** The newest so many are compared. */
export const MOST_CONVERSATIONS = 5_000;
const AT_ONCE = 200;

/** Reads what was reviewed, and what is to be. */
@Injectable()
export class ReviewedConversationsStore {
  constructor(private readonly database: Database) {}

  async reviewable(testRunId: string, seed: number): Promise<ReviewableRuns> {
    const [{ notable }, runs] = await Promise.all([
      readFindings(this.database, testRunId),
      this.database.query<QueuedRun>(QUEUED, [testRunId, String(seed)]),
    ]);
    const byId = new Map(runs.map((run) => [run.id, run]));
    const standing = notable.flatMap(({ id, findings }) => {
      const run = byId.get(id);
      return run === undefined || !standsOut(findings) ? [] : [{ ...run, findings }];
    });
    const ids = new Set(standing.map(({ id }) => id));
    return { notable: standing, rest: runs.filter(({ id }) => !ids.has(id)) };
  }

  /** The newest first. */
  async *conversations({ judge, testRunId }: ConversationFilter): AsyncGenerator<ReviewedConversation> {
    const found = await this.database.query<{ id: string }>(REVIEWED, [testRunId, judge]);
    for (let from = 0; from < found.length; from += AT_ONCE) {
      const ids = found.slice(from, from + AT_ONCE).map(({ id }) => id);
      yield* await this.database.query<ReviewedConversation>(CONVERSATIONS, [ids]);
      await othersTurn();
    }
  }
}

function standsOut({ violations, disputed, flags }: NotableRun['findings']): boolean {
  return violations.length > 0 || disputed > 0 || flags.length > 0;
}

/** The order of the hashes is random, and stays the same when others are added or left out. */
const QUEUED = `
  SELECT s.id, s.scenario_id, s.scenario_name, s.trial, s.passed, last.effective_passed,
         COALESCE(last.disagreements, 0) AS disagreements, COALESCE(given.reviews, '[]') AS reviews
  FROM scenario_runs s
  LEFT JOIN LATERAL (
    SELECT effective_passed, disagreements FROM reviews WHERE scenario_run_id = s.id ORDER BY number DESC LIMIT 1
  ) last ON true
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('reviewer', reviewer, 'key_name', key_name, 'role', role, 'blind', blind) ORDER BY number) AS reviews
    FROM reviews WHERE scenario_run_id = s.id
  ) given ON true
  WHERE s.test_run_id = $1 AND s.status IN ('passed', 'failed')
  ORDER BY sha256(convert_to($2 || ' ' || s.id::text, 'UTF8'))`;

const REVIEWED = `
  SELECT s.id FROM (
    SELECT scenario_run_id, max(created_at) AS last_at FROM reviews GROUP BY scenario_run_id
  ) r JOIN scenario_runs s ON s.id = r.scenario_run_id JOIN ${SHOWN_RUNS} t ON t.id = s.test_run_id
  WHERE ($1::uuid IS NULL OR s.test_run_id = $1) AND ($2::text IS NULL OR $2 IN (
    COALESCE(s.examiners, s.metadata)->'judge'->>'name', COALESCE(s.examiners, s.metadata)->'judge'->>'model',
    COALESCE(s.examiners, s.metadata)->'judge'->>'prompt_version'))
  ORDER BY r.last_at DESC, s.id LIMIT ${MOST_CONVERSATIONS}`;

const CONVERSATIONS = `
  SELECT s.id, s.test_run_id,
         json_build_object(
           'name', COALESCE(COALESCE(s.examiners, s.metadata)->'judge'->>'name', 'unknown'),
           'model', COALESCE(s.examiners, s.metadata)->'judge'->>'model',
           'prompt_version', COALESCE(s.examiners, s.metadata)->'judge'->>'prompt_version') AS judge,
         (SELECT json_agg(json_build_object('decision', m.mark->>'decision', 'max_points', m.mark->'max_points', 'tags', m.mark->'tags', 'check', m.mark->>'check')
            ORDER BY m.place)
          FROM json_array_elements(s.criteria_results) WITH ORDINALITY m(mark, place)) AS marks,
         (SELECT json_agg(json_build_object('reviewer', r.reviewer, 'key_name', r.key_name, 'role', r.role, 'blind', r.blind, 'decisions',
            (SELECT json_agg(c.decided->>'decision' ORDER BY c.place)
             FROM json_array_elements(r.criteria) WITH ORDINALITY c(decided, place))) ORDER BY r.number)
          FROM reviews r WHERE r.scenario_run_id = s.id) AS reviews
  FROM scenario_runs s JOIN unnest($1::uuid[]) WITH ORDINALITY asked(id, place) ON asked.id = s.id
  ORDER BY asked.place`;
