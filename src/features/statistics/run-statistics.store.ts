import { Injectable } from '@nestjs/common';
import type { ErrorCode, ScenarioRunStatus } from '../../domain';
import { type Queryable, Database } from '../../platform/database';
import { readFlaky, type FlakyScenario } from './flaky-scenarios';
import { queuedStatements, readFindings, type Ending, type RunFindings } from './run-findings';

/** Scenarios of a run of which as many trials were graded, and as many passed. */
export interface AlikeScenarios {
  readonly scenarios: number;
  /** Graded, and passed, of each of them. */
  readonly graded: number;
  readonly passed: number;
  /** Scenario runs of all of them together. */
  readonly total: number;
}

/** Alike scenarios in a category, or with a tag. */
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
  /** By the categories, severities and tags that the scenarios have now; one that is gone has none. */
  readonly byCategory: readonly NamedAlikeScenarios[];
  readonly bySeverity: readonly NamedAlikeScenarios[];
  readonly byTag: readonly NamedAlikeScenarios[];
  /** Scenarios whose trials disagree, in the run's order. */
  readonly unstable: readonly FaredScenario[];
  /** In the run's order. */
  readonly flaky: readonly FlakyScenario[];
  /** Scenarios in which the patient was at fault. */
  readonly faulty: readonly FaredScenario[];
  readonly ungraded: readonly UngradedCount[];
  readonly reviewed: readonly ReviewedScenario[];
}

/**
 * Reads what statistics are made of. PostgreSQL adds up: of twenty thousand scenarios a few numbers come back, however many
 * trials they have, and no request waits for this process to add them up.
 */
@Injectable()
export class RunStatisticsStore {
  constructor(private readonly database: Database) {}

  /**
   * Of a run that goes on, all of it from one snapshot, so that it adds up; one that has ended does not change, and is read over several
   * connections at once. Readers hold no lock that a writer waits for.
   */
  async read(testRunId: string, hasEnded: boolean): Promise<RunTallies> {
    if (hasEnded) return talliesOf(this.database, testRunId);
    return this.database.transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      return talliesOf(queuedStatements(tx), testRunId);
    });
  }
}

async function talliesOf(database: Queryable, testRunId: string): Promise<RunTallies> {
  const [rates, findings, reviewed] = await Promise.all([
    readRates(database, testRunId),
    readNotable(database, testRunId),
    readReviewed(database, testRunId),
  ]);
  return { ...rates, ...findings, reviewed };
}

type Rates = Pick<RunTallies, 'scenarios' | 'byCategory' | 'bySeverity' | 'byTag' | 'unstable' | 'flaky'>;

async function readRates(database: Queryable, testRunId: string): Promise<Rates> {
  const [rows, wavering] = await Promise.all([
    database.query<AlikeRow>(ALIKE, [testRunId]),
    readWavering(database, testRunId),
  ]);
  const of = (kind: AlikeRow['kind']): AlikeRow[] => rows.filter((row) => row.kind === kind);
  return {
    scenarios: of('all'),
    byCategory: of('category'),
    bySeverity: of('severity'),
    byTag: of('tag'),
    ...wavering,
  };
}

/** By a statement of its own, before all is added up: where many scenarios waver, finding the flaky ones takes longest. */
async function readWavering(database: Queryable, testRunId: string): Promise<Pick<Rates, 'unstable' | 'flaky'>> {
  const unstable = await database.query<FaredScenario>(UNSTABLE, [testRunId]);
  const ids = unstable.map(({ scenario_id }) => scenario_id);
  return { unstable, flaky: await readFlaky(database, testRunId, ids) };
}

async function readNotable(
  database: Queryable,
  testRunId: string,
): Promise<Omit<RunTallies, keyof Rates | 'reviewed'>> {
  const { endings, ...findings } = await readFindings(database, testRunId);
  return { ...findings, faulty: await readFaulty(database, testRunId, findings), ungraded: ungradedOf(endings) };
}

function ungradedOf(endings: readonly Ending[]): UngradedCount[] {
  const counts = new Map<string, UngradedCount>();
  for (const { status, error_code, count } of endings) {
    if (status === 'passed' || status === 'failed') continue;
    const key = `${status} ${error_code ?? ''}`;
    counts.set(key, { status, error_code, count: (counts.get(key)?.count ?? 0) + count });
  }
  const textOf = ({ status, error_code }: UngradedCount): string => `${status} ${error_code ?? '~'}`;
  return [...counts.values()].sort((one, other) => other.count - one.count || (textOf(one) < textOf(other) ? -1 : 1));
}

async function readFaulty(database: Queryable, testRunId: string, { notable }: RunFindings): Promise<FaredScenario[]> {
  const faulty = notable.filter(({ findings }) => findings.patient_faults.length > 0);
  if (faulty.length === 0) return [];
  const ids = new Set(faulty.map(({ scenario_id }) => scenario_id));
  return database.query<FaredScenario>(FARED, [testRunId, [...ids]]);
}

interface AlikeRow extends NamedAlikeScenarios {
  readonly kind: 'all' | 'category' | 'severity' | 'tag';
}

const COUNTED = `
  count(*) FILTER (WHERE s.status IN ('passed', 'failed'))::int AS graded,
  count(*) FILTER (WHERE s.status = 'passed')::int AS passed`;

/** Scenarios are counted together as soon as they have category, severity, tags and outcomes in common: what is left to add up is short. */
const ALIKE = `
  WITH fared AS (
    SELECT s.scenario_id, count(*) AS total, ${COUNTED}
    FROM scenario_runs s WHERE s.test_run_id = $1 GROUP BY s.scenario_id
  ), alike AS MATERIALIZED (
    SELECT c.category, c.severity, c.tags, f.graded, f.passed, count(*) AS scenarios, sum(f.total) AS total
    FROM fared f LEFT JOIN scenarios c ON c.id = f.scenario_id GROUP BY c.category, c.severity, c.tags, f.graded, f.passed
  ), named AS (
    SELECT 'all' AS kind, '' AS name, graded, passed, scenarios, total FROM alike
    UNION ALL
    SELECT 'category', category, graded, passed, scenarios, total FROM alike WHERE category IS NOT NULL
    UNION ALL
    SELECT 'severity', severity, graded, passed, scenarios, total FROM alike WHERE severity IS NOT NULL
    UNION ALL
    SELECT 'tag', t.tag, graded, passed, scenarios, total
    FROM alike CROSS JOIN LATERAL (SELECT DISTINCT unnest(alike.tags) AS tag) t
  )
  SELECT kind, name, graded, passed, sum(scenarios)::int AS scenarios, sum(total)::int AS total
  FROM named GROUP BY kind, name, graded, passed ORDER BY kind, name, graded, passed`;

/** In the run's order. */
const UNSTABLE = `
  SELECT scenario_id, scenario_name, graded, passed FROM (
    SELECT s.scenario_id, min(s.scenario_name COLLATE "C") AS scenario_name, min(s.position) AS position, ${COUNTED}
    FROM scenario_runs s WHERE s.test_run_id = $1 GROUP BY s.scenario_id
  ) fared WHERE passed > 0 AND passed < graded ORDER BY position`;

const FARED = `
  SELECT s.scenario_id, min(s.scenario_name COLLATE "C") AS scenario_name, ${COUNTED}
  FROM scenario_runs s WHERE s.test_run_id = $1 AND s.scenario_id = ANY($2::uuid[]) GROUP BY s.scenario_id`;

/** A scenario of a run with at least one scenario run that was reviewed. */
interface ReviewedScenario {
  readonly scenario_id: string;
  /** Trials, and those of them that passed by the judge. */
  readonly graded: number;
  readonly passed: number;
  /** Trials that pass where the reviews stand in for the judge. */
  readonly passed_by_review: number;
  /** Trials that were reviewed, and those of them with another verdict than the judge's. */
  readonly reviewed: number;
  readonly changed: number;
}

/** The reviewed scenarios of a run; all others are as the judge has them. */
function readReviewed(database: Queryable, testRunId: string): Promise<ReviewedScenario[]> {
  return database.query<ReviewedScenario>(REVIEWED, [testRunId]);
}

/** Few scenarios of a run are reviewed, and most runs have no review: only where there is one is it looked for conversation by conversation. */
const REVIEWED = `
  WITH verdicts AS (
    SELECT s.scenario_id, s.status = 'passed' AS passed, last.effective_passed FROM scenario_runs s
    LEFT JOIN LATERAL (
      SELECT effective_passed FROM reviews WHERE scenario_run_id = s.id ORDER BY number DESC LIMIT 1
    ) last ON true
    WHERE s.test_run_id = $1 AND s.status IN ('passed', 'failed') AND s.scenario_id IN (
      SELECT r.scenario_id FROM reviews JOIN scenario_runs r ON r.id = reviews.scenario_run_id WHERE r.test_run_id = $1
    )
  )
  SELECT scenario_id, count(*)::int AS graded, count(*) FILTER (WHERE passed)::int AS passed,
         count(*) FILTER (WHERE COALESCE(effective_passed, passed))::int AS passed_by_review,
         count(effective_passed)::int AS reviewed, count(*) FILTER (WHERE effective_passed <> passed)::int AS changed
  FROM verdicts GROUP BY scenario_id HAVING count(effective_passed) > 0`;
