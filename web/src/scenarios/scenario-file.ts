import * as z from 'zod/mini';
import { storedCheck } from '../../../src/domain';
import { SEVERITIES, type Scenario } from '../api/scenarios';
import { saveFile } from '../parts/file-values';

const text = z.string().check(z.minLength(1));

/**
 * What the page needs to show a scenario of a file; the service checks the rest when it is saved. Unknown fields are
 * refused: a misspelt one would be lost silently.
 */
const shownScenario = z.strictObject({
  name: text,
  category: z.nullish(text),
  severity: z.nullish(z.enum(SEVERITIES)),
  scenario_type: z.nullish(z.enum(['demo', 'full', 'custom'])),
  priority: z.nullish(z.number()),
  key: z.nullish(text),
  tags: z.nullish(z.array(text)),
  content: z.looseObject({
    script: text,
    chief_complaint: text,
    demographics: z._default(z.looseObject({ age: z.optional(z.number()), gender: z.optional(z.string()) }), {}),
    import_key: z.optional(z.unknown()),
  }),
  rubric_criteria: z
    .array(
      z.strictObject({
        criterion: text,
        points: z.number(),
        tags: z._default(z.array(text), []),
        by_turn: z.optional(z.int()),
        check: z.optional(storedCheck),
      }),
    )
    .check(z.minLength(1)),
  $schema: z.optional(z.unknown()),
  // Of the service's answers, and of an approval: neither is taken over.
  ...Object.fromEntries(
    [
      ...[
        'scenario_id',
        'approved',
        'approved_by',
        'approved_role',
        'approved_at',
        'approved_revision',
        'approval_note',
      ],
      ...['created_at', 'updated_at', 'is_active', 'revision', 'content_hash'],
    ].map((ignored) => [ignored, z.optional(z.unknown())]),
  ),
});
export type FileScenario = z.output<typeof shownScenario>;

/** A scenario as `osce export scenarios` writes it, or a sentence that says what is wrong with it. */
export function readScenario(value: unknown): FileScenario | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'must be an object with name, content and rubric_criteria';
  }
  const read = shownScenario.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  if (issue?.code === 'unrecognized_keys')
    return `${[pathOf(issue.path), ...issue.keys].filter(Boolean).join(' ')}: no such field`;
  return `${pathOf(issue?.path ?? [])}: is missing or is not what it should be`;
}

function pathOf(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  return parts.join('').replace(/^\./, '');
}

/** What a later import finds a scenario by; null when only its name is known. */
export function keyOf({ key, content }: Pick<FileScenario, 'key' | 'content'>): string | null {
  if (typeof key === 'string') return key;
  return typeof content.import_key === 'string' ? content.import_key : null;
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
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return plain === '' ? 'scenario' : plain.slice(0, 80);
}
