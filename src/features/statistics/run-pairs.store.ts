import { Injectable } from '@nestjs/common';
import { sumOf } from '../../domain/statistics';
import { othersTurn } from '../../platform/concurrency';
import { type Queryable, Database } from '../../platform/database';
import type { MustPassViolationView } from '../../../contract/statistics';
import {
  CountedRun,
  KnownTexts,
  USUAL,
  type ConversationColumns,
  type CountedScenario,
  type Decisions,
  type ViolatedConversation,
} from './counted-run';
import { kindsIn, RUBRICS, wordsIn, type CriterionKind, type RubricColumns, type Rubrics } from './read-rubrics';
import { queuedStatements, readParticipants, type RunFindings } from './run-findings';

/** How a scenario of a run fared over its trials. */
export interface ScenarioTally {
  readonly scenario_id: string;
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

/** A scenario of the run that is looked at, and not only compared with. */
export interface NamedTally extends ScenarioTally {
  readonly scenario_name: string;
  /** As the scenario has it now; null when it is gone. */
  readonly category: string | null;
}

/** What a scenario of a run was, however its fields were ordered. */
export interface ScenarioPrint {
  readonly scenario_id: string;
  /** Hashes of what the patient plays, and of the rubric. */
  readonly content: string;
  readonly rubric: string;
}

export interface RunSide<Tally = NamedTally> {
  readonly tallies: Pick<RunFindings, 'examiners'> & {
    /** In the run's order. */
    readonly scenarios: readonly Tally[];
  };
  /** Of the scenarios whose copies in the two runs have not the same hash: it does not say what changed. */
  readonly prints: readonly ScenarioPrint[];
  /** The patients who took part, by name, in alphabetical order. */
  readonly patients: readonly string[];
}

/** A run that another one is compared with: its scenarios have the names that they have there. */
export type EarlierSide = RunSide<ScenarioTally>;

/** What was decided in a run. */
interface Decided {
  /** By scenario. */
  readonly decisions: Decisions;
  readonly violated: readonly ViolatedConversation[];
}

export interface DecidedSides {
  readonly before: EarlierSide & Decided;
  readonly after: RunSide & Decided;
}

/** Conversations that are read at once: they take some milliseconds here, in which PostgreSQL reads others. */
const AT_ONCE = 4_000;

/** Scenarios whose words are read at once: a megabyte or so. */
const WORDS_AT_ONCE = 1_000;

type Place = Pick<ScenarioTally, 'position'>;

/** A scenario and where its first conversation stands. */
type Stood = Pick<ScenarioTally, 'scenario_id' | 'position'>;

/** Reads what two runs are compared by. */
@Injectable()
export class RunPairsStore {
  constructor(private readonly database: Database) {}

  /** Of two runs that have ended: such a run does not change, so that both are read at once, and not from one snapshot. */
  async read(beforeId: string, afterId: string): Promise<DecidedSides> {
    const texts = new KnownTexts();
    const [before, after] = await Promise.all([
      readSide(this.database, beforeId, { texts, tally: earlierTallies }),
      readSide(this.database, afterId, { texts, tally: namedTallies }),
    ]);
    await othersTurn();
    const copies = await otherCopies(before.tallies.scenarios, after.tallies.scenarios);
    const [earlierPrints, prints] = await Promise.all([
      readPrints(this.database, beforeId, copies.before),
      readPrints(this.database, afterId, copies.after),
    ]);
    return { before: { ...before, prints: earlierPrints }, after: { ...after, prints } };
  }

  /** What one run is compared by, whichever with: from one snapshot too. */
  async side(testRunId: string): Promise<RunSide> {
    return this.database.transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const snapshot = queuedStatements(tx);
      const side = await readSide(snapshot, testRunId, { texts: new KnownTexts(), tally: namedTallies });
      const all = side.tallies.scenarios.map(({ position }) => position);
      return { ...side, prints: await readPrints(snapshot, testRunId, all) };
    });
  }

  /** What was decided in every graded scenario run, by scenario. */
  async decisions(testRunId: string): Promise<Decisions> {
    return (await readConversations(this.database, testRunId, new KnownTexts())).scenarios;
  }

  /** The rubrics that scenarios of a run were marked with. @param scenarios of that run */
  async rubrics(testRunId: string, scenarios: readonly Stood[]): Promise<Rubrics> {
    const [columns] = await this.database.query<RubricColumns>(RUBRICS, [testRunId, ...rangeOf(scenarios)]);
    await othersTurn();
    const rubrics = new Map<string, readonly CriterionKind[]>();
    const rowOf = rowsOf(columns?.positions ?? []);
    const kinds = kindsIn(columns?.kinds ?? '');
    await othersTurn();
    for (const { scenario_id, position } of scenarios) {
      const rubric = kinds[rowOf(position)];
      if (rubric !== undefined) rubrics.set(scenario_id, rubric);
    }
    return rubrics;
  }

  /** The words of the criteria of scenarios of a run, in the order of their rubrics. @param scenarios of that run */
  async words(testRunId: string, scenarios: readonly Place[]): Promise<Map<string, readonly string[]>> {
    const words = new Map<string, readonly string[]>();
    let next = 0;
    // Copies of scenarios are long, so that PostgreSQL has most of the work: it reads some while others are looked at here.
    const readInTurn = async (): Promise<void> => {
      while (next < scenarios.length) {
        const these = scenarios.slice(next, (next += WORDS_AT_ONCE));
        const rows = await this.database.query<{ scenario_id: string; rubric: string }>(
          `SELECT scenario_id, scenario->>'rubric_criteria' AS rubric FROM scenario_runs
           WHERE test_run_id = $1 AND position = ANY($2::int[])`,
          [testRunId, `{${these.map(({ position }) => position).join(',')}}`],
        );
        await othersTurn();
        for (const { scenario_id, rubric } of rows) words.set(scenario_id, wordsIn(rubric));
      }
    };
    await Promise.all([readInTurn(), readInTurn()]);
    return words;
  }

  /** What conversations of a run violated, in the run's order. */
  async violations(testRunId: string, violated: readonly ViolatedConversation[]): Promise<MustPassViolationView[]> {
    if (violated.length === 0) return [];
    const rows = await this.database.query<Omit<MustPassViolationView, 'criterion' | 'kind'>>(
      `SELECT id AS scenario_run_id, scenario_id, scenario_name, trial FROM scenario_runs
       WHERE test_run_id = $1 AND position = ANY($2::int[]) ORDER BY position`,
      [testRunId, `{${violated.map(({ position }) => position).join(',')}}`],
    );
    return rows.flatMap((row, place) =>
      (violated[place]?.violations ?? []).map(({ criterion, kind }) => ({ ...row, criterion, kind })),
    );
  }
}

/** The percentage of a run's conversations that have a verdict. */
export function coverageOf({ tallies: { scenarios } }: EarlierSide): number {
  const total = scenarios.reduce((sum, one) => sum + one.total, 0);
  return total === 0 ? 0 : (sumOf(scenarios).graded / total) * 100;
}

const IS_GRADED = `s.status IN ('passed', 'failed')`;

const CONVERSATIONS = `
  SELECT (SELECT max(position) FROM scenario_runs WHERE test_run_id = $1) AS last,
         coalesce(json_agg(s.position), '[]') AS positions, coalesce(json_agg(s.scenario_id), '[]') AS ids,
         coalesce(json_agg(s.status = 'passed'), '[]') AS passed,
         coalesce(json_agg(CASE WHEN ${IS_GRADED} THEN round(s.score_percent * 10) END), '[]') AS tenths,
         coalesce(json_agg(CASE WHEN ${IS_GRADED} THEN coalesce(s.decisions, '') || ' ' || s.trial || ' ' ||
           CASE s.patient::text WHEN '${USUAL}' THEN '' ELSE s.patient::text END END), '[]') AS decided,
         coalesce(json_agg(CASE WHEN s.findings IS NOT NULL THEN s.findings->>'violations' END), '[]') AS violated
  FROM scenario_runs s WHERE s.test_run_id = $1 AND s.position BETWEEN $2 AND $3`;

async function readConversations(database: Queryable, testRunId: string, texts: KnownTexts): Promise<CountedRun> {
  const run = new CountedRun(texts);
  const readFrom = async (from: number): Promise<ConversationColumns | undefined> => {
    const [columns] = await database.query<ConversationColumns>(CONVERSATIONS, [testRunId, from, from + AT_ONCE - 1]);
    return columns;
  };
  let next = 1;
  let columns = await readFrom(next);
  while (columns !== undefined) {
    const [last, these] = [columns.last ?? 0, columns];
    next += AT_ONCE;
    // PostgreSQL reads the next ones while these are counted.
    [columns] = await Promise.all([
      next <= last ? readFrom(next) : undefined,
      othersTurn().then(() => {
        run.add(these);
      }),
    ]);
  }
  return run;
}

interface Reading<Tally> {
  readonly texts: KnownTexts;
  readonly tally: (database: Queryable, testRunId: string, counted: readonly CountedScenario[]) => Promise<Tally[]>;
}

async function readSide<Tally>(
  database: Queryable,
  testRunId: string,
  { texts, tally }: Reading<Tally>,
): Promise<Omit<RunSide<Tally>, 'prints'> & Decided> {
  const run = await readConversations(database, testRunId, texts);
  await othersTurn();
  const counted = run.inOrder();
  const [scenarios, { examiners, patients }] = await Promise.all([
    tally(database, testRunId, counted),
    readParticipants(database, testRunId),
  ]);
  await othersTurn();
  return { tallies: { scenarios, examiners }, patients, decisions: run.scenarios, violated: run.violated };
}

/** What the first conversations of scenarios say of them, column by column. */
interface HashColumns {
  readonly positions: readonly number[];
  readonly hashes: readonly (string | null)[];
}

interface CopyColumns extends HashColumns {
  readonly names: readonly string[];
  readonly categories: readonly (string | null)[];
}

const OF_FIRST = `WHERE s.test_run_id = $1 AND s.position BETWEEN $2 AND $3`;

const HASHES = `
  SELECT coalesce(json_agg(s.position), '[]') AS positions, coalesce(json_agg(s.scenario_content_hash), '[]') AS hashes
  FROM scenario_runs s ${OF_FIRST}`;

const COPIES = `
  SELECT coalesce(json_agg(s.position), '[]') AS positions, coalesce(json_agg(s.scenario_content_hash), '[]') AS hashes,
         coalesce(json_agg(s.scenario_name), '[]') AS names, coalesce(json_agg(c.category), '[]') AS categories
  FROM scenario_runs s LEFT JOIN scenarios c ON c.id = s.scenario_id ${OF_FIRST}`;

/** Conversations stand trial by trial, so that the first ones of all scenarios stand together. */
function rangeOf(scenarios: readonly Place[]): [first: number, last: number] {
  let [first, last] = [Infinity, 0];
  for (const { position } of scenarios) [first, last] = [Math.min(first, position), Math.max(last, position)];
  return [Math.min(first, last), last];
}

async function earlierTallies(
  database: Queryable,
  testRunId: string,
  counted: readonly CountedScenario[],
): Promise<ScenarioTally[]> {
  const [columns] = await database.query<HashColumns>(HASHES, [testRunId, ...rangeOf(counted)]);
  await othersTurn();
  const rowOf = rowsOf(columns?.positions ?? []);
  return counted.map((one) => tallyOf(one, columns?.hashes[rowOf(one.position)] ?? null));
}

async function namedTallies(
  database: Queryable,
  testRunId: string,
  counted: readonly CountedScenario[],
): Promise<NamedTally[]> {
  const [columns] = await database.query<CopyColumns>(COPIES, [testRunId, ...rangeOf(counted)]);
  await othersTurn();
  const rowOf = rowsOf(columns?.positions ?? []);
  return counted.map((one) => {
    const row = rowOf(one.position);
    const [scenario_name, category] = [columns?.names[row] ?? '', columns?.categories[row] ?? null];
    return { ...tallyOf(one, columns?.hashes[row] ?? null), scenario_name, category };
  });
}

function tallyOf(
  { scenario_id, position, total, graded, passed, score, violations }: CountedScenario,
  content_hash: string | null,
): ScenarioTally {
  return { scenario_id, position, content_hash, total, graded, passed, score, violations };
}

/** In which row of some columns a position stands; −1 where in none. */
function rowsOf(positions: readonly number[]): (position: number) => number {
  const rows: number[] = [];
  const [first = 0] = positions;
  const lowest = positions.reduce((least, one) => Math.min(least, one), first);
  for (const [row, position] of positions.entries()) rows[position - lowest] = row;
  return (position) => rows[position - lowest] ?? -1;
}

/** Where scenarios of both runs stand whose copies have other hashes, or none. */
async function otherCopies(
  before: readonly ScenarioTally[],
  after: readonly ScenarioTally[],
): Promise<Record<'before' | 'after', number[]>> {
  const earlier = new Map<string, ScenarioTally>();
  for (const tally of before) earlier.set(tally.scenario_id, tally);
  await othersTurn();
  const others: Record<'before' | 'after', number[]> = { before: [], after: [] };
  for (const { scenario_id, position, content_hash } of after) {
    const tally = earlier.get(scenario_id);
    if (tally === undefined || (content_hash !== null && content_hash === tally.content_hash)) continue;
    others.before.push(tally.position);
    others.after.push(position);
  }
  return others;
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
