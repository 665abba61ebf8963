import { z } from 'zod';
import type { RubricCriterion } from '../../domain';

/** What a criterion counts as, whatever its words. */
export type CriterionKind = Pick<RubricCriterion, 'points' | 'tags'>;

/** The words of a criterion in the stored text of a rubric: a key cannot stand inside of a string, where its quotes would be escaped. */
const WORDS = /"criterion"\s*:\s*"[^"\\]*(?:\\.[^"\\]*)*"/g;

/**
 * The rubrics of a run's scenarios. A run of 20,000 scenarios has 200,000 criteria whose words differ, and few ways in which points and
 * tags are given: each of those is parsed once, and words only where they are shown.
 */
export class ReadRubrics {
  private readonly texts = new Map<string, string>();
  private readonly byScenario = new Map<string, readonly CriterionKind[]>();
  /** By the text of the rubric without its words. */
  private readonly alike = new Map<string, readonly CriterionKind[]>();

  /** Points and tags of the criteria, by scenario; alike rubrics are one array. */
  get kinds(): ReadonlyMap<string, readonly CriterionKind[]> {
    return this.byScenario;
  }

  /** @param text of the rubric as it was stored */
  add(scenarioId: string, text: string): void {
    const rest = text.replace(WORDS, '');
    const kinds = this.alike.get(rest) ?? criteriaIn(text).map(({ points, tags }) => ({ points, tags }));
    this.alike.set(rest, kinds);
    this.texts.set(scenarioId, text);
    this.byScenario.set(scenarioId, kinds);
  }

  /** The words of its criteria, in their order. */
  words(scenarioId: string): string[] {
    return criteriaIn(this.texts.get(scenarioId) ?? '[]').map(({ criterion }) => criterion);
  }
}

const stored = z.array(z.object({ criterion: z.string(), points: z.number(), tags: z.array(z.string()) }));

function criteriaIn(text: string): z.infer<typeof stored> {
  return stored.parse(JSON.parse(text));
}
