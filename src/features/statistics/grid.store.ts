import { Injectable } from '@nestjs/common';
import type { GridOrder, GridRow, GridView } from '../../../contract/grid';
import { Database } from '../../platform/database';
import { SEVERITIES } from '../../domain';

export interface GridPage {
  readonly order: GridOrder;
  readonly limit: number;
  readonly offset: number;
}

/** Reads how scenarios fared in several runs: of any number of conversations a page of rows comes back. */
@Injectable()
export class GridStore {
  constructor(private readonly database: Database) {}

  /** @param runIds in the order of the columns */
  async read(runIds: readonly string[], { order, limit, offset }: GridPage): Promise<Omit<GridView, 'runs'>> {
    const [page, groups] = await Promise.all([
      this.database.query<PageRow>(PAGE[order], [runIds, limit, offset]),
      order === 'category' || order === 'severity'
        ? this.database.query<GridView['groups'][number]>(GROUPS[order], [runIds])
        : [],
    ]);
    const [summary, ...rows] = page;
    return {
      total: summary?.total ?? 0,
      missing_somewhere: summary?.missing_somewhere ?? 0,
      groups,
      results: rows.flatMap(({ row }) => (row === null ? [] : [row])),
    };
  }

  /** Those of the runs in which rules stood in for a language model. */
  async offline(runIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT a.id FROM unnest($1::uuid[]) AS a(id) WHERE EXISTS (
         SELECT FROM scenario_runs s WHERE s.test_run_id = a.id AND s.metadata->>'offline' = 'true')`,
      [runIds],
    );
    return new Set(rows.map(({ id }) => id));
  }
}

/** The first holds the counts of the whole grid, each other one a row of the page. */
interface PageRow {
  readonly total: number | null;
  readonly missing_somewhere: number | null;
  readonly row: GridRow | null;
}

/**
 * What each scenario came to in each run `place`, and over all of them. Rows that are shown are looked up by their ids, and their cells taken out
 * once: while the planner's statistics are from before the runs, it would go through all of them for each row of the page.
 */
const FARED = `
  held AS (
    SELECT a.place::int AS place, s.id, s.scenario_id, s.position, s.status, s.status IN ('passed', 'failed') AS is_graded,
      coalesce(json_array_length(s.findings->'violations'), 0) > 0 AS violated
    FROM unnest($1::uuid[]) WITH ORDINALITY AS a(id, place) JOIN scenario_runs s ON s.test_run_id = a.id
  ), cells AS (
    SELECT place, scenario_id, min(position) AS position, count(*)::int AS held, count(*) FILTER (WHERE is_graded)::int AS graded,
      count(*) FILTER (WHERE status = 'passed')::int AS passed, count(*) FILTER (WHERE violated)::int AS violated,
      (array_agg(id ORDER BY violated DESC, status = 'failed' DESC, position))[1] AS worst, array_agg(id ORDER BY position) AS ids
    FROM held GROUP BY place, scenario_id
  ), fared AS (
    SELECT scenario_id, count(*)::int AS runs, sum(violated) AS violated, 1 - sum(passed)::float8 / nullif(sum(graded), 0) AS missed,
      max(passed::float8 / nullif(graded, 0)) - min(passed::float8 / nullif(graded, 0)) AS apart, max(violated) - min(violated) AS violated_apart,
      min(ARRAY[place, position]) AS first
    FROM cells GROUP BY scenario_id
  ), rated AS (
    SELECT f.*, c.category, c.severity, array_position('{${SEVERITIES.join(',')}}'::text[], c.severity) AS gravity,
      row_number() OVER (ORDER BY f.violated DESC, f.missed DESC NULLS LAST, f.first) AS badness
    FROM fared f LEFT JOIN scenarios c ON c.id = f.scenario_id
  ), ranked AS (SELECT *, min(badness) OVER (PARTITION BY category) AS badness_of_category FROM rated)`;

/** A category comes where its worst scenario would; what has none comes last. */
const ORDERED: Readonly<Record<GridOrder, string>> = {
  worst: 'badness',
  differing: 'coalesce(apart, 0) DESC, violated_apart DESC, badness',
  category: 'category IS NULL, badness_of_category, badness',
  severity: 'gravity DESC NULLS LAST, severity IS NULL, severity, badness',
};

const PAGE = eachOrder(
  (order) => `
  WITH ${FARED}, placed AS (SELECT *, row_number() OVER (ORDER BY ${order}) AS row_place FROM ranked),
  page AS MATERIALIZED (SELECT * FROM placed ORDER BY row_place LIMIT $2 OFFSET $3),
  cells_of_page AS MATERIALIZED (SELECT * FROM cells WHERE (scenario_id IN (SELECT scenario_id FROM page)) IS TRUE),
  shown AS (
    SELECT p.row_place, json_build_object('scenario_id', p.scenario_id,
      'scenario_name', (SELECT s.scenario_name FROM scenario_runs s WHERE s.id = (
         SELECT c.ids[1] FROM cells_of_page c WHERE c.place = p.first[1] AND c.scenario_id = p.scenario_id)),
      'category', p.category, 'severity', p.severity,
      'cells', (SELECT json_agg(CASE WHEN c.place IS NOT NULL THEN json_build_object('held', c.held, 'graded', c.graded, 'passed', c.passed,
          'must_pass_violated', c.violated, 'worst_scenario_run_id', c.worst, 'conversations', (
            SELECT json_agg(json_build_object('id', s.id, 'trial', s.trial, 'patient', s.patient, 'status', s.status,
              'score_percent', s.score_percent, 'must_pass_violated', coalesce(json_array_length(s.findings->'violations'), 0) > 0)
              ORDER BY i.at)
            FROM unnest(c.ids) WITH ORDINALITY AS i(id, at) CROSS JOIN LATERAL (SELECT * FROM scenario_runs WHERE id = i.id OFFSET 0) s
            WHERE cardinality($1::uuid[]) = 1)) END ORDER BY a.place)
        FROM generate_subscripts($1::uuid[], 1) AS a(place)
        LEFT JOIN cells_of_page c ON c.place = a.place AND c.scenario_id = p.scenario_id)) AS row
    FROM page p
  )
  SELECT count(*)::int AS total, count(*) FILTER (WHERE runs < cardinality($1::uuid[]))::int AS missing_somewhere, NULL::json AS row,
    0::bigint AS row_place FROM ranked
  UNION ALL SELECT NULL, NULL, row, row_place FROM shown ORDER BY row_place`,
);

const GROUPS = {
  category: `WITH ${FARED} SELECT category AS name, count(*)::int AS scenarios FROM ranked GROUP BY category
    ORDER BY category IS NULL, min(badness)`,
  severity: `WITH ${FARED} SELECT severity AS name, count(*)::int AS scenarios FROM ranked GROUP BY severity, gravity
    ORDER BY gravity DESC NULLS LAST, severity IS NULL, severity`,
};

function eachOrder(statement: (order: string) => string): Readonly<Record<GridOrder, string>> {
  const { worst, differing, category, severity } = ORDERED;
  return {
    worst: statement(worst),
    differing: statement(differing),
    category: statement(category),
    severity: statement(severity),
  };
}
