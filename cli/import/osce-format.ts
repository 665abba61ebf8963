import { scenarioFile } from '../../src/features/scenarios/scenario-file';
import { shortened } from '../output/harmless-text';
import { checked, isWrong } from './checked';
import { IMPORT_KEY, LONGEST_KEY, type ImportDefaults, type ImportEntry, type Refused } from './entry';
import { refusedAt } from './refused-at';
import type { Place } from './values-in';
import { filledText } from '../../contract/field';

/** The most characters of all unknown names together. */
const LONGEST_NAMED = 300;

/** A scenario of our own format: what a file may hold, and what `osce scenarios export` adds. */
const line = scenarioFile.extend({ scenario_id: filledText(LONGEST_KEY).nullish() });

/** Fields of the service's answers that have no meaning in an import. */
const IGNORED = new Set([
  ...['created_at', 'updated_at', 'is_active', 'revision', 'content_hash'],
  ...['approved_at', 'approved_revision', 'approval_note'],
]);
const KNOWN = new Set([...Object.keys(line.shape), ...IGNORED]);

export function readOsceLine(
  value: Record<string, unknown>,
  place: Place,
  { category, tags }: ImportDefaults,
): ImportEntry | Refused {
  const { where } = place;
  // A misspelt field would otherwise be lost silently.
  const unknown = Object.keys(value).filter((key) => !KNOWN.has(key));
  if (unknown.length > 0) {
    const named = shortened(unknown.slice(0, 20).join(', '), LONGEST_NAMED);
    const problem = `${named}: no such field (there are ${[...KNOWN].join(', ')})`;
    return { problems: [{ where: place.whereIs(unknown.slice(0, 1)), problem }] };
  }
  const ours = Object.fromEntries(Object.entries(value).filter(([key]) => !IGNORED.has(key)));
  const read = checked(line, ours);
  if (isWrong(read)) return refusedAt(place, read.issues);
  const { $schema: _schema, key, scenario_id, approved, approved_by, approved_role, ...fields } = read.data;
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
