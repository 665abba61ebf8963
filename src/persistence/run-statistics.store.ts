import { Injectable } from '@nestjs/common';
import type { ErrorCode } from '../../machines/failure';
import type { ScenarioRunStatus } from '../../machines/statuses';
import { Database, type Transaction } from './database';
import { readFindings, type RunFindings } from './run-findings';

/** Scenarios of a run of which as many trials were graded, and as many passed. */
export interface AlikeScenarios {
  readonly scenarios: number;
  /** Graded, and passed, of each of them. */
  readonly graded: number;
  readonly passed: number;
  /** Scenario runs of all of them together. */
  readonly total: number;
}

/** Those of them in a category, or with a tag. */
export interface NamedAlikeScenarios extends AlikeScenarios {
  readonly name: string;
}

/** How one scenario of a run fared over its trials. */
export interface FaredScenario {
  readonly scenario_id: string;
  readonly scenario_name: string;
  readonly graded: number;
  readonly passed: number;
}

/** Scenario runs without a verdict. */
export interface UngradedCount {
  readonly status: ScenarioRunStatus;
  readonly error_code: ErrorCode | null;
  readonly count: number;
}

/** Everything that the statistics of a run are made of, as it stood at one moment. */
export interface RunTallies extends RunFindings {
  readonly scenarios: readonly AlikeScenarios[];
  /** By the categories and tags that the scenarios have now; one that is gone has none. */
  readonly byCategory: readonly NamedAlikeScenarios[];
  readonly byTag: readonly NamedAlikeScenarios[];
  /** Whose trials disagree, in the run's order. */
  readonly unstable: readonly FaredScenario[];
  /** Those in which the patient was at fault. */
  readonly faulty: readonly FaredScenario[];
  readonly ungraded: readonly UngradedCount[];
}

/**
 * Reads what statistics are made of. The sums are PostgreSQL's: of twenty thousand scenarios a few numbers come back, however many
 * trials they have, and nobody waits for this process to add them up.
 */
@Injectable()
export class RunStatisticsStore {
  constructor(private readonly database: Database) {}

  /** All of it from one snapshot, so that a run that goes on adds up. Readers hold no lock that a writer waits for. */
  async read(testRunId: string): Promise<RunTallies> {
    return this.database.transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const alike = await tx.query<AlikeRow>(ALIKE, [testRunId]);
      const scenarios = alike.filter(({ kind }) => kind === 'all');
      const areAllStable = scenarios.every(({ graded, passed }) => passed === 0 || passed === graded);
      const findings = await readFindings(tx, testRunId);
      return {
        scenarios,
        byCategory: alike.filter(({ kind }) => kind === 'category'),
        byTag: alike.filter(({ kind }) => kind === 'tag'),
        unstable: areAllStable ? [] : await tx.query<FaredScenario>(UNSTABLE, [testRunId]),
        faulty: await readFaulty(tx, testRunId, findings),
        ungraded: await tx.query<UngradedCount>(UNGRADED, [testRunId]),
        ...findings,
      };
    });
  }
}

async function readFaulty(tx: Transaction, testRunId: string, { notable }: RunFindings): Promise<FaredScenario[]> {
  const faulty = notable.filter(({ findings }) => findings.patient_faults.length > 0);
  if (faulty.length === 0) return [];
  const ids = new Set(faulty.map(({ scenario_id }) => scenario_id));
  return tx.query<FaredScenario>(FARED, [testRunId, [...ids]]);
}

interface AlikeRow extends NamedAlikeScenarios {
  readonly kind: 'all' | 'category' | 'tag';
}

const COUNTED = `
  count(*) FILTER (WHERE s.status IN ('passed', 'failed'))::int AS graded,
  count(*) FILTER (WHERE s.status = 'passed')::int AS passed`;

/** Scenarios are counted together as soon as they have category, tags and outcomes in common: what is left to add up is short. */
const ALIKE = `
  WITH fared AS (
    SELECT s.scenario_id, count(*) AS total, ${COUNTED}
    FROM scenario_runs s WHERE s.test_run_id = $1 GROUP BY s.scenario_id
  ), alike AS MATERIALIZED (
    SELECT c.category, c.tags, f.graded, f.passed, count(*) AS scenarios, sum(f.total) AS total
    FROM fared f LEFT JOIN scenarios c ON c.id = f.scenario_id GROUP BY c.category, c.tags, f.graded, f.passed
  ), named AS (
    SELECT 'all' AS kind, '' AS name, graded, passed, scenarios, total FROM alike
    UNION ALL
    SELECT 'category', category, graded, passed, scenarios, total FROM alike WHERE category IS NOT NULL
    UNION ALL
    SELECT 'tag', t.tag, graded, passed, scenarios, total
    FROM alike CROSS JOIN LATERAL (SELECT DISTINCT unnest(alike.tags) AS tag) t
  )
  SELECT kind, name, graded, passed, sum(scenarios)::int AS scenarios, sum(total)::int AS total
  FROM named GROUP BY kind, name, graded, passed ORDER BY kind, name COLLATE "C", graded, passed`;

const UNSTABLE = `
  SELECT * FROM (
    SELECT s.scenario_id, min(s.scenario_name COLLATE "C") AS scenario_name, min(s.position) AS position, ${COUNTED}
    FROM scenario_runs s WHERE s.test_run_id = $1 GROUP BY s.scenario_id
  ) fared WHERE passed > 0 AND passed < graded ORDER BY position`;

const FARED = `
  SELECT s.scenario_id, min(s.scenario_name COLLATE "C") AS scenario_name, ${COUNTED}
  FROM scenario_runs s WHERE s.test_run_id = $1 AND s.scenario_id = ANY($2::uuid[]) GROUP BY s.scenario_id`;

const UNGRADED = `
  SELECT status, error_code, count(*)::int AS count FROM scenario_runs
  WHERE test_run_id = $1 AND status NOT IN ('passed', 'failed')
  GROUP BY status, error_code ORDER BY count DESC, status, error_code`;
