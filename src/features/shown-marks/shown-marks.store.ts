import { Injectable } from '@nestjs/common';
import { type Queryable, Database } from '../../platform/database';

/** marks: the judge's. reviews: what people decided. */
export type Shown = 'marks' | 'reviews';

/** What a service key was shown. */
export interface Showing {
  /** The name of the service key; null on a service without keys. */
  readonly keyName: string | null;
  readonly what: Shown;
  readonly testRunId: string;
  /** Null: of the whole run. */
  readonly scenarioRunId: string | null;
}

/** Why a review is not blind, in the order in which it is looked for. */
export const NOT_BLIND = ['marks_shown', 'source_deleted', 'reviews_shown', 'said_so'] as const;
export type NotBlind = (typeof NOT_BLIND)[number];

/** On a service without keys. No key is called so. */
const ANYBODY = '';
/** The most runs that are looked through, each derived from another of them in any direction. */
const MOST_RELATED = 1_000;

/** Remembers what was shown to which service key. */
@Injectable()
export class ShownMarksStore {
  constructor(private readonly database: Database) {}

  /** Safe to repeat. A run that is gone leaves nothing; a conversation of a run that was shown as a whole leaves nothing more. */
  async add(showings: readonly Showing[]): Promise<void> {
    const rows = showings.map(({ keyName, what, testRunId, scenarioRunId }) => ({
      test_run_id: testRunId,
      subject_id: scenarioRunId ?? testRunId,
      caller: keyName ?? ANYBODY,
      what,
    }));
    await this.database.query(
      `INSERT INTO shown_marks (test_run_id, subject_id, caller, what)
       SELECT g.test_run_id, g.subject_id, g.caller, g.what
       FROM json_to_recordset($1) AS g(test_run_id uuid, subject_id uuid, caller text, what text)
       WHERE EXISTS (SELECT FROM test_runs t WHERE t.id = g.test_run_id)
         AND NOT EXISTS (SELECT FROM shown_marks s WHERE s.test_run_id = g.test_run_id AND s.subject_id = g.test_run_id
           AND s.caller = g.caller AND s.what = g.what)
       ORDER BY 1, 2, 3, 4 ON CONFLICT DO NOTHING`,
      [JSON.stringify(rows)],
    );
  }

  /** Why a review by this key would not be blind now; null when it would. */
  notBlind(scenarioRunId: string, keyName: string | null, isAdjudicator: boolean): Promise<NotBlind | null> {
    return readNotBlind(this.database, scenarioRunId, keyName, isAdjudicator);
  }
}

/** What was shown under one name counts under another too from then on: they are of one person. */
export async function countShownUnder(tx: Queryable, before: string, now: string): Promise<void> {
  await tx.query(
    `INSERT INTO shown_marks (test_run_id, subject_id, caller, what, shown_at)
     SELECT test_run_id, subject_id, $2, what, shown_at FROM shown_marks WHERE caller = $1
     ORDER BY 1, 2, 4 ON CONFLICT DO NOTHING`,
    [before, now],
  );
}

/**
 * The same conversation may have been marked in several runs, each derived from another: what was shown of any of them counts,
 * for the same scenario, trial and patient. What a service without keys has shown, any reviewer may have seen; and on
 * such a service, any reviewer may have seen what any key was shown.
 * @param isAdjudicator an adjudicator has to read what others decided
 */
export async function readNotBlind(
  database: Queryable,
  scenarioRunId: string,
  keyName: string | null,
  isAdjudicator: boolean,
): Promise<NotBlind | null> {
  const [found] = await database.query<{ marks: boolean; reviews: boolean; lost: boolean }>(NOT_BLIND_NOW, [
    scenarioRunId,
    keyName,
    ANYBODY,
  ]);
  if (found === undefined || found.marks) return 'marks_shown';
  if (found.lost) return 'source_deleted';
  return found.reviews && !isAdjudicator ? 'reviews_shown' : null;
}

const NOT_BLIND_NOW = `
  WITH RECURSIVE asked AS (
    SELECT id, test_run_id, scenario_id, trial, patient::text AS patient FROM scenario_runs WHERE id = $1
  ), related (id, derived_from) AS (
    SELECT t.id, t.derived_from FROM test_runs t JOIN asked a ON a.test_run_id = t.id
    UNION
    SELECT t.id, t.derived_from FROM related r JOIN test_runs t ON t.id = r.derived_from OR t.derived_from = r.id
  ), family AS MATERIALIZED (
    SELECT id, derived_from FROM related LIMIT ${MOST_RELATED}
  ), shown AS (
    SELECT m.what FROM asked a CROSS JOIN family f JOIN shown_marks m ON m.test_run_id = f.id
    LEFT JOIN scenario_runs s ON s.id = m.subject_id
    WHERE ($2::text IS NULL OR m.caller IN ($2, $3))
      AND (m.subject_id = f.id OR m.subject_id = a.id OR (s.scenario_id = a.scenario_id AND s.trial = a.trial AND s.patient::text = a.patient))
  )
  SELECT EXISTS (SELECT FROM shown WHERE what = 'marks') AS marks, EXISTS (SELECT FROM shown WHERE what = 'reviews') AS reviews,
         EXISTS (SELECT FROM family f WHERE f.derived_from IS NOT NULL
           AND NOT EXISTS (SELECT FROM test_runs t WHERE t.id = f.derived_from)) AS lost
  FROM asked`;
