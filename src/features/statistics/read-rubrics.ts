import { z } from 'zod';
import type { RubricCriterion } from '../../domain';

/** What a criterion counts as, whatever its words. */
export type CriterionKind = Pick<RubricCriterion, 'points' | 'tags'>;

/** Points and tags of the criteria, by scenario; alike rubrics are one array. */
export type Rubrics = ReadonlyMap<string, readonly CriterionKind[]>;

/** Stands in no JSON: a string in it has this character escaped. */
export const SEPARATOR = '\u0001';

/** The kinds of rubrics as PostgreSQL sends them, column by column. */
export interface RubricColumns {
  readonly positions: readonly number[];
  /** As JSON, with SEPARATOR in between. */
  readonly kinds: string;
}

/** Of conversations between two positions of a run. */
export const RUBRICS = `
  SELECT coalesce(json_agg(position), '[]') AS positions, coalesce(string_agg(rubric_kinds, '${SEPARATOR}'), '') AS kinds
  FROM scenario_runs WHERE test_run_id = $1 AND position BETWEEN $2 AND $3`;

const storedKinds = z.array(z.tuple([z.number(), z.array(z.string())]));
const storedWords = z.array(z.object({ criterion: z.string() }));

/** A run of 20,000 scenarios has few ways in which points and tags are given: each is parsed once. */
export function kindsIn(texts: string): (readonly CriterionKind[])[] {
  const alike = new Map<string, readonly CriterionKind[]>([['', []]]);
  return texts.split(SEPARATOR).map((text) => {
    const kinds = alike.get(text) ?? storedKinds.parse(JSON.parse(text)).map(([points, tags]) => ({ points, tags }));
    alike.set(text, kinds);
    return kinds;
  });
}

/** The words of the criteria of a rubric as it is stored. */
export function wordsIn(rubric: string): string[] {
  return storedWords.parse(JSON.parse(rubric)).map(({ criterion }) => criterion);
}
