import { z } from 'zod';
import { createScenarioRequest } from '../../src/scenarios/scenario.requests';
import { filledText } from '../../src/http/field';
import { shortened } from '../output/harmless-text';
import { checked, isWrong } from './checked';
import { IMPORT_KEY, type ImportDefaults, type ImportEntry, type ImportProblem } from './entry';

const LONGEST_KEY = 300;
/** Names of fields that are not known, all together. */
const LONGEST_NAMED = 300;

/** A line of our own format: the body of POST /api/v1/scenarios, and what `osce scenarios export` adds. */
const line = createScenarioRequest.extend({
  key: filledText(LONGEST_KEY).nullish(),
  scenario_id: filledText(LONGEST_KEY).nullish(),
});

/** Fields of the service's answers that have no meaning in an import. */
const IGNORED = new Set([
  ...['created_at', 'updated_at', 'is_active', 'revision', 'content_hash'],
  ...['approved_at', 'approved_revision', 'approval_note'],
]);
const KNOWN = new Set([...Object.keys(line.shape), ...IGNORED]);

export function readOsceLine(
  value: Record<string, unknown>,
  where: string,
  { category, tags }: ImportDefaults,
): ImportEntry | ImportProblem {
  // A misspelt field would otherwise be lost silently.
  const unknown = Object.keys(value).filter((key) => !KNOWN.has(key));
  if (unknown.length > 0) {
    const named = shortened(unknown.slice(0, 20).join(', '), LONGEST_NAMED);
    return { where, problem: `${named}: no such field (there are ${[...KNOWN].join(', ')})` };
  }
  const read = checked(line, value);
  if (isWrong(read)) return { where, problem: read.wrong };
  const { key, scenario_id, approved, approved_by, approved_role, is_active: _active, ...fields } = read.data;
  if (fields.rubric_criteria.length === 0) {
    return { where, problem: 'rubric_criteria: must have at least 1 item; without criteria nothing can be graded' };
  }
  const stored = fields.content[IMPORT_KEY];
  const ownKey = key ?? (typeof stored === 'string' ? stored : null);
  const importKey = ownKey ?? scenario_id ?? fields.name;
  return {
    where,
    key: importKey,
    isKeyed: ownKey !== null,
    scenarioId: scenario_id ?? null,
    fields: {
      ...fields,
      category: category ?? fields.category,
      priority: fields.priority ?? null,
      content: { ...fields.content, [IMPORT_KEY]: importKey },
      tags: [...new Set([...fields.tags, ...tags])],
    },
    approved: value['approved'] === undefined || value['approved'] === null ? null : approved,
    signature: { approved_by, approved_role },
    remarks: [],
  };
}

export type OsceLine = z.output<typeof line>;
