import { Injectable } from '@nestjs/common';
import type { PatientProfile } from '../../machines/patient';
import type { Region } from '../../machines/region';
import { Database } from './database';
import type { Examiners } from './ledger/findings';
import type { Part } from './part';

/** A verdict on a scenario. */
export interface PastVerdict {
  readonly scenario_run_id: string;
  readonly test_run_id: string;
  readonly trial: number;
  readonly status: 'passed' | 'failed';
  readonly score_percent: number | null;
  /** ISO 8601. */
  readonly completed_at: string;
}

/** Verdicts on a scenario that were given under the same conditions: whatever differs between them is chance. */
export interface LikeVerdicts {
  readonly agent_config_hash: string;
  readonly agent_version: string | null;
  /** Of the newest of them: agents of any name may have the same config. */
  readonly agent_id: string;
  readonly agent_name: string;
  readonly scenario_revision: number | null;
  readonly scenario_content_hash: string;
  readonly patient: PatientProfile;
  readonly examiners: Examiners;
  readonly max_turns: number;
  /** Percent. */
  readonly pass_threshold: number;
  /** Null when nobody said. */
  readonly region: Region | null;
  readonly passed: number;
  readonly failed: number;
  /** ISO 8601. */
  readonly first_at: string;
  readonly last_at: string;
  /** The newest of them. */
  readonly verdicts: readonly PastVerdict[];
}

export interface ScenarioHistory {
  /** All that were looked at. */
  readonly verdicts: number;
  /** Of these, those that do not say what exactly was examined, or by whom. */
  readonly ungrouped: number;
  readonly groups: number;
  /** Groups that have both verdicts. */
  readonly flaky: number;
  readonly page: readonly LikeVerdicts[];
}

/** The newest so many verdicts are looked at, however often a scenario was examined. */
export const MOST_VERDICTS = 5_000;
/** Of each group so many verdicts are named; all are counted. */
export const NAMED_VERDICTS = 20;

/** Reads how a scenario fared, run after run. */
@Injectable()
export class ScenarioHistoryStore {
  constructor(private readonly database: Database) {}

  /** Null when there is no such scenario; one that was deleted has none. */
  async nameOf(scenarioId: string): Promise<string | null> {
    const [row] = await this.database.query<{ name: string }>('SELECT name FROM scenarios WHERE id = $1', [scenarioId]);
    return row?.name ?? null;
  }

  /** Groups with the newest verdict first. */
  async read(scenarioId: string, { limit, offset }: Part): Promise<ScenarioHistory> {
    const [row] = await this.database.query<ScenarioHistory>(HISTORY, [scenarioId, limit, offset]);
    return row ?? { verdicts: 0, ungrouped: 0, groups: 0, flaky: 0, page: [] };
  }
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
const utc = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', ${ISO})`;

/** JSON has no equality: its texts are compared. A group is what agrees in all of these. */
const LIKE = `agent_config_hash, agent_version, scenario_revision, scenario_content_hash, patient, examiners, max_turns, pass_threshold, region`;

/** A verdict that was carried into other runs is one verdict, and stands where it was given for as long as that run is kept. */
const OBSERVATION = 'CASE WHEN carried THEN source_scenario_run_id ELSE id END';

const HISTORY = `
  WITH newest AS (
    SELECT s.id, s.test_run_id, s.trial, s.status, s.score_percent, s.completed_at, s.patient::text AS patient,
           s.examiners::text AS examiners, s.scenario_revision, s.scenario_content_hash,
           t.agent_config_hash, t.agent_version, t.agent_id, t.agent_name, t.max_turns, t.pass_threshold, t.region
    FROM (
      SELECT DISTINCT ON (${OBSERVATION}) * FROM (
        SELECT * FROM scenario_runs v WHERE scenario_id = $1 AND status IN ('passed', 'failed')
          AND EXISTS (SELECT FROM test_runs t WHERE t.id = v.test_run_id)
        ORDER BY completed_at DESC LIMIT ${MOST_VERDICTS}
      ) latest ORDER BY ${OBSERVATION}, carried, id
    ) s JOIN test_runs t ON t.id = s.test_run_id AND t.derivation IS DISTINCT FROM 'fork'
  ), placed AS (
    SELECT *, row_number() OVER (PARTITION BY ${LIKE} ORDER BY completed_at DESC, id) AS place FROM newest
    WHERE agent_config_hash IS NOT NULL AND scenario_content_hash IS NOT NULL AND examiners IS NOT NULL
  ), alike AS (
    SELECT ${LIKE}, count(*) FILTER (WHERE status = 'passed')::int AS passed,
           count(*) FILTER (WHERE status = 'failed')::int AS failed,
           min(agent_id::text) FILTER (WHERE place = 1) AS agent_id, min(agent_name) FILTER (WHERE place = 1) AS agent_name,
           min(completed_at) AS first_at, max(completed_at) AS last_at,
           json_agg(json_build_object('scenario_run_id', id, 'test_run_id', test_run_id, 'trial', trial, 'status', status,
             'score_percent', score_percent, 'completed_at', ${utc('completed_at')}) ORDER BY place)
             FILTER (WHERE place <= ${NAMED_VERDICTS}) AS verdicts
    FROM placed GROUP BY ${LIKE}
  ), page AS (
    SELECT agent_config_hash, agent_version, agent_id, agent_name, scenario_revision, scenario_content_hash,
           patient::json AS patient, examiners::json AS examiners, max_turns, pass_threshold, region, passed, failed,
           ${utc('first_at')} AS first_at, ${utc('last_at')} AS last_at, verdicts
    FROM alike ORDER BY alike.last_at DESC, (alike.verdicts->0->>'scenario_run_id') LIMIT $2 OFFSET $3
  )
  SELECT (SELECT count(*)::int FROM newest) AS verdicts,
         (SELECT count(*)::int FROM newest) - (SELECT count(*)::int FROM placed) AS ungrouped,
         (SELECT count(*)::int FROM alike) AS groups,
         (SELECT count(*)::int FROM alike WHERE passed > 0 AND failed > 0) AS flaky,
         COALESCE((SELECT json_agg(page) FROM page), '[]') AS page`;
