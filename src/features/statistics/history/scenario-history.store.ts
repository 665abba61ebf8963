import { Injectable } from '@nestjs/common';
import type { Modality, PatientProfile, Region } from '../../../domain';
import { Database, isoTime, type Part } from '../../../platform/database';
import { type Examiners, SHOWN_RUNS, SPOKEN_CONDITIONS } from '../../../engine/ledger';
import { MOST_VERDICTS, NAMED_VERDICTS } from '../../../../contract/scenario-history';

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
  /** Null when it was not given. */
  readonly region: Region | null;
  readonly modality: Modality;
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

/** JSON has no equality: its texts are compared. A group is what agrees in all of these. */
const LIKE = `agent_config_hash, agent_version, scenario_revision, scenario_content_hash, patient, examiners, max_turns, pass_threshold, region, modality, sound`;

/** The same of a group `p` and a verdict `n`; what may be null last. */
const SAME = `n.agent_config_hash = p.agent_config_hash AND n.scenario_content_hash = p.scenario_content_hash
  AND n.patient = p.patient AND n.examiners = p.examiners AND n.max_turns = p.max_turns
  AND n.pass_threshold = p.pass_threshold AND n.agent_version IS NOT DISTINCT FROM p.agent_version
  AND n.scenario_revision IS NOT DISTINCT FROM p.scenario_revision AND n.region IS NOT DISTINCT FROM p.region
  AND n.modality = p.modality AND n.sound IS NOT DISTINCT FROM p.sound`;

/** A verdict that was carried into other runs is one verdict, and stands where it was given for as long as that run is kept. */
const OBSERVATION = 'CASE WHEN s.carried THEN s.source_scenario_run_id ELSE s.id END';

/**
 * The keys are compared in the sort and the hash of thousands of rows, and a long row keeps even a short text outside of itself: what is
 * appended to is read once. Only the groups of the page are asked for their verdicts.
 */
const HISTORY = `
  WITH latest AS MATERIALIZED (
    SELECT s.id, s.test_run_id, s.trial, s.status, s.score_percent, s.completed_at, s.carried, ${OBSERVATION} AS observation,
           s.patient::text || '' AS patient, s.examiners::text || '' AS examiners, s.scenario_revision,
           s.scenario_content_hash || '' AS scenario_content_hash, t.agent_config_hash, t.agent_version, t.agent_id,
           t.agent_name, t.max_turns, t.pass_threshold, t.region, t.modality, ${SPOKEN_CONDITIONS} AS sound, t.derivation
    FROM scenario_runs s JOIN ${SHOWN_RUNS} t ON t.id = s.test_run_id
    WHERE s.scenario_id = $1 AND s.status IN ('passed', 'failed')
    ORDER BY s.completed_at DESC LIMIT ${MOST_VERDICTS}
  ), newest AS MATERIALIZED (
    SELECT * FROM (SELECT DISTINCT ON (observation) * FROM latest ORDER BY observation, carried, id) observed
    WHERE derivation IS DISTINCT FROM 'fork'
  ), placed AS (
    SELECT * FROM newest
    WHERE agent_config_hash IS NOT NULL AND scenario_content_hash IS NOT NULL AND examiners IS NOT NULL
  ), alike AS MATERIALIZED (
    SELECT ${LIKE}, count(*) FILTER (WHERE status = 'passed')::int AS passed,
           count(*) FILTER (WHERE status = 'failed')::int AS failed,
           min(completed_at) AS first_at, max(completed_at) AS last_at, min(id::text) AS first_id
    FROM placed GROUP BY ${LIKE}
  ), page AS MATERIALIZED (
    SELECT * FROM alike ORDER BY last_at DESC, first_id LIMIT $2 OFFSET $3
  ), named AS (
    SELECT p.first_id, n.id, n.test_run_id, n.trial, n.status, n.score_percent, n.completed_at, n.agent_id, n.agent_name,
           row_number() OVER (PARTITION BY p.first_id ORDER BY n.completed_at DESC, n.id) AS place
    FROM page p JOIN placed n ON ${SAME}
  ), verdicts AS (
    SELECT first_id, min(agent_id::text) FILTER (WHERE place = 1) AS agent_id,
           min(agent_name) FILTER (WHERE place = 1) AS agent_name,
           json_agg(json_build_object('scenario_run_id', id, 'test_run_id', test_run_id, 'trial', trial, 'status', status,
             'score_percent', score_percent, 'completed_at', ${isoTime('completed_at')}) ORDER BY place) AS verdicts
    FROM named WHERE place <= ${NAMED_VERDICTS} GROUP BY first_id
  ), shown AS (
    SELECT p.agent_config_hash, p.agent_version, v.agent_id, v.agent_name, p.scenario_revision, p.scenario_content_hash,
           p.patient::json AS patient, p.examiners::json AS examiners, p.max_turns, p.pass_threshold, p.region, p.modality, p.passed,
           p.failed, ${isoTime('p.first_at')} AS first_at, ${isoTime('p.last_at')} AS last_at, v.verdicts
    FROM page p JOIN verdicts v USING (first_id) ORDER BY p.last_at DESC, p.first_id
  )
  SELECT (SELECT count(*)::int FROM newest) AS verdicts,
         (SELECT count(*)::int FROM newest) - (SELECT count(*)::int FROM placed) AS ungrouped,
         (SELECT count(*)::int FROM alike) AS groups,
         (SELECT count(*)::int FROM alike WHERE passed > 0 AND failed > 0) AS flaky,
         COALESCE((SELECT json_agg(shown) FROM shown), '[]') AS page`;
