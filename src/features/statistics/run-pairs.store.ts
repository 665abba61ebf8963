import { Injectable } from '@nestjs/common';
import { sumOf } from '../../domain/statistics';
import { othersTurn } from '../../platform/concurrency';
import { type Queryable, Database } from '../../platform/database';
import type { MustPassViolationView } from '../../../contract/statistics';
import { ReadRubrics } from './read-rubrics';
import { queuedStatements, readParticipants, type RunFindings } from './run-findings';

/** How a scenario of a run fared over its trials. */
export interface ScenarioTally {
  readonly scenario_id: string;
  readonly scenario_name: string;
  /** As the scenario has it now; null when it is gone. */
  readonly category: string | null;
  /** Where its first conversation stands in the run; all of them have the same copy of it. */
  readonly position: number;
  /** Of that copy's text and rubric; null when it was not kept. */
  readonly content_hash: string | null;
  readonly total: number;
  readonly graded: number;
  readonly passed: number;
  /** Percent, averaged over its graded conversations; null when none of them has one. */
  readonly score: number | null;
  /** Must-pass criteria violated, in all its conversations together. */
  readonly violations: number;
}

/** What a scenario of a run was, however its fields were ordered. */
export interface ScenarioPrint {
  readonly scenario_id: string;
  /** Hashes of what the patient plays, and of the rubric. */
  readonly content: string;
  readonly rubric: string;
}

/**
 * What was decided in the graded conversations of a scenario, a line each, as a run has up to 20,000: the decisions in the order of the
 * rubric, a letter each, and after a space the trial and the patient that name the conversation.
 */
export type DecidedConversations = string;

export interface SideTallies<Tally = ScenarioTally> extends Pick<RunFindings, 'examiners'> {
  /** In the run's order. */
  readonly scenarios: readonly Tally[];
}

export interface RunSide {
  readonly tallies: SideTallies;
  /** Of the scenarios whose copies in the two runs have not the same hash: it does not say what changed. */
  readonly prints: readonly ScenarioPrint[];
  /** The patients who took part, by name, in alphabetical order. */
  readonly patients: readonly string[];
}

/** Rubrics that are read at once: a megabyte or so. */
const AT_ONCE = 1_000;

/** Reads what two runs are compared by. */
@Injectable()
export class RunPairsStore {
  constructor(private readonly database: Database) {}

  /** Of two runs that have ended: such a run does not change, so that both are read at once, and not from one snapshot. */
  async read(
    beforeId: string,
    afterId: string,
  ): Promise<{ readonly before: DecidedSide; readonly after: DecidedSide }> {
    const [before, after] = await Promise.all([this.decided(beforeId), this.decided(afterId)]);
    await othersTurn();
    const prints = await readPrints(this.database, afterId, otherCopies(after, before));
    await othersTurn();
    const earlierPrints = await readPrints(this.database, beforeId, otherCopies(before, after));
    return { before: { ...before, prints: earlierPrints }, after: { ...after, prints } };
  }

  private async decided(testRunId: string): Promise<Omit<DecidedSide, 'prints'>> {
    const { tallies, patients } = await readSide<DecidedTally>(this.database, testRunId, WITH_DECISIONS);
    await othersTurn();
    const decisions = new Map<string, DecidedConversations>();
    for (const { scenario_id, decisions: lines } of tallies.scenarios)
      if (lines !== null) decisions.set(scenario_id, lines);
    return { tallies, patients, decisions };
  }

  /** What one run is compared by, whichever with: from one snapshot too. */
  async side(testRunId: string): Promise<RunSide> {
    return this.database.transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const snapshot = queuedStatements(tx);
      const side = await readSide(snapshot, testRunId);
      const all = side.tallies.scenarios.map(({ position }) => position);
      return { ...side, prints: await readPrints(snapshot, testRunId, all) };
    });
  }

  /** What was decided in every graded scenario run, by scenario. */
  async decisions(testRunId: string): Promise<Map<string, DecidedConversations>> {
    const rows = await this.database.query<{ readonly scenario_id: string; readonly lines: string }>(
      `SELECT s.scenario_id, ${DECISIONS} AS lines
       FROM scenario_runs s WHERE s.test_run_id = $1 AND s.status IN ('passed', 'failed') GROUP BY s.scenario_id`,
      [testRunId],
    );
    return new Map(rows.map(({ scenario_id, lines }) => [scenario_id, lines]));
  }

  /** The rubrics that scenarios of a run were marked with. @param scenarios of that run */
  async rubrics(testRunId: string, scenarios: readonly Pick<ScenarioTally, 'position'>[]): Promise<ReadRubrics> {
    const rubrics = new ReadRubrics();
    let next = 0;
    // Copies of scenarios are long, so that PostgreSQL has most of the work: it reads some while others are looked at here.
    const readInTurn = async (): Promise<void> => {
      while (next < scenarios.length) {
        const these = scenarios.slice(next, (next += AT_ONCE));
        const rows = await this.database.query<{ scenario_id: string; rubric: string }>(
          `SELECT scenario_id, scenario->>'rubric_criteria' AS rubric FROM scenario_runs
           WHERE test_run_id = $1 AND position = ANY($2::int[])`,
          [testRunId, `{${these.map(({ position }) => position).join(',')}}`],
        );
        await othersTurn();
        for (const { scenario_id, rubric } of rows) rubrics.add(scenario_id, rubric);
      }
    };
    await Promise.all([readInTurn(), readInTurn()]);
    return rubrics;
  }

  /** Must-pass criteria that the run after violated and no trial of their scenario did before, in its order. */
  async newViolations(beforeId: string, afterId: string): Promise<MustPassViolationView[]> {
    return this.database.query<MustPassViolationView>(NEW_VIOLATIONS, [beforeId, afterId]);
  }
}

/** A side with what was decided in it, by scenario. */
export interface DecidedSide extends RunSide {
  readonly decisions: ReadonlyMap<string, DecidedConversations>;
}

const NEW_VIOLATIONS = `
  SELECT a.id AS scenario_run_id, a.scenario_id, a.scenario_name, a.trial, v.violation->>'criterion' AS criterion,
         v.violation->>'kind' AS kind
  FROM scenario_runs a CROSS JOIN LATERAL json_array_elements(a.findings->'violations') WITH ORDINALITY v (violation, place)
  WHERE a.test_run_id = $2 AND a.findings IS NOT NULL AND NOT EXISTS (
    SELECT FROM (
      SELECT b.scenario_id, w.violation->>'criterion' AS criterion
      FROM scenario_runs b CROSS JOIN LATERAL json_array_elements(b.findings->'violations') w (violation)
      WHERE b.test_run_id = $1 AND b.findings IS NOT NULL
    ) known WHERE known.scenario_id = a.scenario_id AND known.criterion = v.violation->>'criterion'
  ) ORDER BY a.position, v.place`;

/** The percentage of a run's conversations that have a verdict. */
export function coverageOf({ tallies: { scenarios } }: RunSide): number {
  const total = scenarios.reduce((sum, one) => sum + one.total, 0);
  return total === 0 ? 0 : (sumOf(scenarios).graded / total) * 100;
}

interface DecidedTally extends ScenarioTally {
  /** Null where nothing was graded. */
  readonly decisions: DecidedConversations | null;
}

const DECISIONS = `string_agg(
  concat_ws(' ', coalesce(s.decisions, ''), s.trial, s.patient->>'style', s.patient->>'language'), E'\\n')`;

const WITH_DECISIONS = `, ${DECISIONS} FILTER (WHERE s.status IN ('passed', 'failed')) AS decisions`;

/** @param more that is to be known of each scenario */
const scenariosSql = (more: string): string => `
  SELECT tally.*, c.category FROM (
    SELECT s.scenario_id, min(s.scenario_name COLLATE "C") AS scenario_name, min(s.position) AS position,
           min(s.scenario_content_hash COLLATE "C") AS content_hash, count(*)::int AS total,
           count(*) FILTER (WHERE s.status IN ('passed', 'failed'))::int AS graded,
           count(*) FILTER (WHERE s.status = 'passed')::int AS passed,
           -- Of tenths, as scores are rounded to: whole numbers add up to the same in any order.
           sum(round(s.score_percent * 10)) FILTER (WHERE s.status IN ('passed', 'failed'))
             / (10 * count(s.score_percent) FILTER (WHERE s.status IN ('passed', 'failed'))) AS score,
           coalesce(sum(json_array_length(s.findings->'violations')), 0)::int AS violations${more}
    FROM scenario_runs s WHERE s.test_run_id = $1 GROUP BY s.scenario_id
  ) tally LEFT JOIN scenarios c ON c.id = tally.scenario_id ORDER BY tally.position`;

async function readSide<Tally extends ScenarioTally>(
  database: Queryable,
  testRunId: string,
  more = '',
): Promise<{ readonly tallies: SideTallies<Tally>; readonly patients: readonly string[] }> {
  const scenarios = await database.query<Tally>(scenariosSql(more), [testRunId]);
  const { examiners, patients } = await readParticipants(database, testRunId);
  return { tallies: { scenarios, examiners }, patients };
}

/** Where the scenarios of a side stand whose copy in the other run has another hash, or none. */
function otherCopies(side: Pick<RunSide, 'tallies'>, other: Pick<RunSide, 'tallies'>): number[] {
  const hashes = new Map<string, string | null>();
  for (const { scenario_id, content_hash } of other.tallies.scenarios) hashes.set(scenario_id, content_hash);
  return side.tallies.scenarios
    .filter(({ scenario_id, content_hash }) => {
      const hash = hashes.get(scenario_id);
      return hash !== undefined && (hash === null || hash !== content_hash);
    })
    .map(({ position }) => position);
}

async function readPrints(
  database: Queryable,
  testRunId: string,
  positions: readonly number[],
): Promise<readonly ScenarioPrint[]> {
  if (positions.length === 0) return [];
  return database.query<ScenarioPrint>(
    `SELECT scenario_id, md5((scenario->'content')::jsonb::text) AS content,
            md5((scenario->'rubric_criteria')::jsonb::text) AS rubric
     FROM scenario_runs WHERE test_run_id = $1 AND position = ANY($2::int[])`,
    [testRunId, positions],
  );
}
