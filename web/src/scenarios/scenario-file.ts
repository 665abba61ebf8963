import * as z from 'zod/mini';
import type { Scenario } from '../api/scenarios';
import { saveFile } from '../parts/file-values';

const text = z.string().check(z.minLength(1));
const severity = z.enum(['critical', 'high', 'medium', 'low']);

/** What the page needs to show a scenario of a file; the service checks the rest when it is saved. */
const shownScenario = z.object({
  name: text,
  category: z._default(z.nullish(text), null),
  severity: z.nullish(severity),
  scenario_type: z.nullish(z.enum(['demo', 'full', 'custom'])),
  priority: z.nullish(z.number()),
  key: z.nullish(text),
  tags: z._default(z.nullish(z.array(z.string())), null),
  content: z.looseObject({
    script: text,
    chief_complaint: text,
    demographics: z._default(z.looseObject({ age: z.optional(z.number()), gender: z.optional(z.string()) }), {}),
  }),
  rubric_criteria: z
    .array(z.looseObject({ criterion: text, points: z.number(), tags: z._default(z.array(z.string()), []) }))
    .check(z.minLength(1)),
});
export type FileScenario = z.output<typeof shownScenario>;

/** A scenario as `osce export scenarios` writes it, or a sentence that says what is wrong with it. */
export function readScenario(value: unknown): FileScenario | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'must be an object with name, content and rubric_criteria';
  const read = shownScenario.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = (issue?.path ?? [])
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('');
  return `${path.replace(/^\./, '')}: is missing or is not what it should be`;
}

/** Saves scenarios as a file that can be imported again, here and by `osce import`. */
export function saveScenarios(chosen: readonly Scenario[]): void {
  const written = chosen.map(
    ({ name, category, severity: grave, scenario_type, priority, tags, content, rubric_criteria }) => ({
      name,
      category,
      ...(grave !== undefined && { severity: grave }),
      scenario_type,
      priority,
      tags,
      content,
      rubric_criteria,
    }),
  );
  const [only, ...others] = written;
  const name = only !== undefined && others.length === 0 ? fileName(only.name) : 'scenarios';
  const json = JSON.stringify(others.length === 0 ? only : written, null, 2);
  saveFile(new Blob([json, '\n'], { type: 'application/json' }), `${name}.json`);
}

function fileName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return plain === '' ? 'scenario' : plain.slice(0, 80);
}
