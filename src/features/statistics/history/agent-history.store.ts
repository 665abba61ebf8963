import { Injectable } from '@nestjs/common';
import type { TestRunListItem } from '../../../../contract/test-runs';
import { patientName } from '../../../domain';
import { Database, isoTime, isUuid } from '../../../platform/database';
import { type Examiners, SHOWN_RUNS, SPOKEN_CONDITIONS } from '../../../engine/ledger';
import { MOST_SEARCHED } from '../../../../contract/agent-history';

/** Which runs of an agent are meant; what is left out is not asked for. */
export interface AgentHistoryFilter {
  /** UUID of a test suite. */
  readonly suite?: string | undefined;
  /** Only scenarios that have this tag now are counted, and only runs that had one of them. */
  readonly tag?: string | undefined;
  readonly from?: Date | undefined;
  /** Excluded. */
  readonly to?: Date | undefined;
}

type OfRow =
  | 'id'
  | 'test_run_id'
  | 'name'
  | 'status'
  | 'derivation'
  | 'agent_name'
  | 'agent_version'
  | 'agent_config_hash'
  | 'trials'
  | 'max_turns'
  | 'pass_threshold'
  | 'region'
  | 'modality'
  | 'total_scenarios';

/** A run of an agent that has ended, without what it came to. */
export interface PastRun extends Pick<TestRunListItem, OfRow> {
  /** When it was started. */
  readonly at: string;
  /** How its patient sounded, as SPOKEN_CONDITIONS compares it; null in text. */
  readonly sound: string | null;
  readonly is_baseline: boolean;
}

/** Scenarios of a run that have a severity in common, and of which as many trials were graded and as many passed. */
export interface SevereScenarios {
  /** As the scenarios have it now. */
  readonly severity: string | null;
  readonly scenarios: number;
  /** Graded, and passed, of each of them. */
  readonly graded: number;
  readonly passed: number;
  /** Scenario runs of all of them together. */
  readonly total: number;
  /** Graded ones that have a score, and the sum of their scores in percent. */
  readonly scored: number;
  readonly score: number;
  readonly violations: number;
  /** Scenario runs of older releases that do not say what they violate. */
  readonly unknown: number;
}

/** What a run came to, as far as a line through many runs shows it. */
export interface PastResult {
  /** SHA-256 of the scenarios with their text and rubric; null when it has none that count. */
  readonly scenarios_hash: string | null;
  readonly severe: readonly SevereScenarios[];
  /** Who examined, most often first; scenario runs that do not say are left out. */
  readonly examiners: readonly Examiners[];
  /** The patients who took part, by name. */
  readonly patients: readonly string[];
}

/** Reads how an agent fared, run after run. */
@Injectable()
export class AgentHistoryStore {
  constructor(private readonly database: Database) {}

  /** What an agent is called; one that was deleted as its newest run calls it. Null when neither it nor a run of it is known. */
  async nameOf(agentId: string): Promise<string | null> {
    if (!isUuid(agentId)) return null;
    const [row] = await this.database.query<{ name: string | null }>(
      `SELECT COALESCE(
         (SELECT name FROM agents WHERE id = $1 AND deleted_at IS NULL),
         (SELECT agent_name FROM ${SHOWN_RUNS} t WHERE agent_id = $1 ORDER BY created_at DESC LIMIT 1)) AS name`,
      [agentId],
    );
    return row?.name ?? null;
  }

  /** Whether there is such a suite, or a run of this agent that was of it. */
  async hasSuite(agentId: string, suiteId: string): Promise<boolean> {
    if (!isUuid(suiteId)) return false;
    const [row] = await this.database.query<{ known: boolean }>(
      `SELECT EXISTS (SELECT FROM test_suites WHERE id = $2)
           OR EXISTS (SELECT FROM ${SHOWN_RUNS} t WHERE agent_id = $1 AND test_suite_id = $2) AS known`,
      [agentId, suiteId],
    );
    return row?.known ?? false;
  }

  /** The newest that have ended, the newest first. Conversations that were gone on with differently are nothing to measure an agent by. */
  runs(agentId: string, { suite, tag, from, to }: AgentHistoryFilter, most: number): Promise<PastRun[]> {
    return this.database.query<PastRun>(RUNS, [agentId, suite, from, to, tag, most]);
  }

  /** By run id. @param tag only scenarios that have it now are counted */
  async results(runIds: readonly string[], tag?: string): Promise<Map<string, PastResult>> {
    const values = [runIds, tag];
    const [severe, prints, examiners, patients] = await Promise.all([
      this.database.query<SevereScenarios & OfRun>(SEVERE, values),
      this.database.query<Print>(PRINTS, values),
      this.database.query<RunExaminers>(EXAMINERS, values),
      this.database.query<Played>(PATIENTS, values),
    ]);
    const [severeOf, printsOf, examinersOfRun, playedOf] = [
      byRun(severe),
      byRun(prints),
      byRun(examiners),
      byRun(patients),
    ];
    return new Map(
      runIds.map((id) => [
        id,
        {
          scenarios_hash: printsOf.get(id)?.[0]?.hash ?? null,
          severe: severeOf.get(id) ?? [],
          examiners: (examinersOfRun.get(id) ?? []).map((row) => row.examiners),
          patients: (playedOf.get(id) ?? []).map(patientName),
        },
      ]),
    );
  }
}

interface OfRun {
  readonly test_run_id: string;
}

interface Print extends OfRun {
  readonly hash: string;
}

interface RunExaminers extends OfRun {
  readonly examiners: Examiners;
}

interface Played extends OfRun {
  readonly style: string;
  readonly language: string;
}

function byRun<Row extends OfRun>(rows: readonly Row[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const others = found.get(row.test_run_id);
    if (others === undefined) found.set(row.test_run_id, [row]);
    else others.push(row);
  }
  return found;
}

/** When a run was started; one that was canceled before its time has the time for which it was scheduled. */
const AT = 'COALESCE(t.started_at, t.scheduled_at, t.created_at)';

/** Scenario runs `s` of scenarios that have the tag; all of them without one. */
const TAGGED = (tag: string): string =>
  `(${tag}::text IS NULL OR s.scenario_id IN (SELECT c.id FROM scenarios c WHERE c.tags @> ARRAY[${tag}::text]))`;

const RUNS = `
  SELECT t.id, t.label AS test_run_id, t.name, t.status, t.derivation, t.agent_name, t.agent_version, t.agent_config_hash, t.trials, t.max_turns,
         t.pass_threshold, t.region, t.modality, ${SPOKEN_CONDITIONS} AS sound, t.total_scenarios, ${isoTime('t.at')} AS at,
         EXISTS (SELECT FROM agents a WHERE a.id = $1 AND a.deleted_at IS NULL AND a.baseline_test_run_id = t.id) AS is_baseline
  FROM (
    SELECT t.*, ${AT} AS at FROM ${SHOWN_RUNS} t
    WHERE t.agent_id = $1 AND t.status IN ('completed', 'failed', 'canceled') AND t.derivation IS DISTINCT FROM 'fork'
      AND ($2::uuid IS NULL OR t.test_suite_id = $2::uuid)
      AND ($3::timestamptz IS NULL OR ${AT} >= $3::timestamptz) AND ($4::timestamptz IS NULL OR ${AT} < $4::timestamptz)
    ORDER BY at DESC, t.id LIMIT CASE WHEN $5::text IS NULL THEN $6::int ELSE ${MOST_SEARCHED} END
  ) t
  WHERE $5::text IS NULL OR EXISTS (SELECT FROM scenario_runs s WHERE s.test_run_id = t.id AND ${TAGGED('$5')})
  ORDER BY t.at DESC, t.id LIMIT $6::int`;

/** A long row keeps even a short text outside of itself: what is appended to is read once. */
const SEVERE = `
  WITH fared AS (
    SELECT s.test_run_id, s.scenario_id, count(*) AS total,
           count(*) FILTER (WHERE s.status IN ('passed', 'failed'))::int AS graded,
           count(*) FILTER (WHERE s.status = 'passed')::int AS passed,
           count(s.score_percent) FILTER (WHERE s.status IN ('passed', 'failed')) AS scored,
           sum(s.score_percent) FILTER (WHERE s.status IN ('passed', 'failed')) AS score,
           sum(json_array_length(s.findings->'violations')) AS violations,
           count(*) FILTER (WHERE s.examiners IS NULL AND s.status = 'failed') AS unknown
    FROM scenario_runs s WHERE s.test_run_id = ANY($1::uuid[]) AND ${TAGGED('$2')}
    GROUP BY s.test_run_id, s.scenario_id
  )
  SELECT f.test_run_id, c.severity, f.graded, f.passed, count(*)::int AS scenarios, sum(f.total)::int AS total,
         sum(f.scored)::int AS scored, COALESCE(sum(f.score), 0)::float8 AS score,
         COALESCE(sum(f.violations), 0)::int AS violations, sum(f.unknown)::int AS unknown
  FROM fared f LEFT JOIN scenarios c ON c.id = f.scenario_id
  GROUP BY f.test_run_id, c.severity, f.graded, f.passed ORDER BY f.test_run_id, c.severity, f.graded, f.passed`;

/** All scenario runs of a scenario in a run have the same copy of it. Runs of older releases have no hash of it, and are told apart by their text. */
const PRINTS = `
  WITH examined AS (
    SELECT s.test_run_id, s.scenario_id, min(s.scenario_content_hash || '') AS hash, min(s.position) AS position
    FROM scenario_runs s WHERE s.test_run_id = ANY($1::uuid[]) AND ${TAGGED('$2')}
    GROUP BY s.test_run_id, s.scenario_id
  ), printed AS (
    SELECT e.test_run_id, e.scenario_id, COALESCE(e.hash, (
      SELECT md5((o.scenario->'content')::jsonb::text) || md5((o.scenario->'rubric_criteria')::jsonb::text)
      FROM scenario_runs o WHERE o.test_run_id = e.test_run_id AND o.position = e.position)) AS hash
    FROM examined e
  )
  SELECT test_run_id,
         encode(sha256(convert_to(string_agg(scenario_id || ' ' || hash, E'\n' ORDER BY scenario_id), 'UTF8')), 'hex') AS hash
  FROM printed GROUP BY test_run_id`;

const EXAMINERS = `
  SELECT test_run_id, examiners::json AS examiners FROM (
    SELECT s.test_run_id, s.examiners::text || '' AS examiners, count(*) AS count
    FROM scenario_runs s WHERE s.test_run_id = ANY($1::uuid[]) AND s.examiners IS NOT NULL AND ${TAGGED('$2')} GROUP BY 1, 2
  ) alike ORDER BY test_run_id, count DESC, examiners COLLATE "C"`;

/** Each trial is held with the same patients. */
const PATIENTS = `
  SELECT DISTINCT s.test_run_id, s.patient->>'style' AS style, s.patient->>'language' AS language
  FROM scenario_runs s WHERE s.test_run_id = ANY($1::uuid[]) AND s.trial = 1 AND ${TAGGED('$2')}
  ORDER BY s.test_run_id, style, language`;
