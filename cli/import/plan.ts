import { isDeepStrictEqual } from 'node:util';
import type { Scenario } from '../connection/answers';
import { IMPORT_KEY, type ImportEntry, type ImportProblem, type ScenarioFields, type Signature } from './entry';
import { isMatchProblem, matchEntries } from './matches';

/** The step for one line. */
export type Step =
  | { readonly kind: 'create'; readonly entry: ImportEntry; readonly body: object }
  | { readonly kind: 'update'; readonly entry: ImportEntry; readonly body: object; readonly stored: Scenario }
  | { readonly kind: 'unchanged'; readonly entry: ImportEntry; readonly stored: Scenario };

export interface Plan {
  readonly steps: readonly Step[];
  /** Lines that have no step. */
  readonly problems: readonly ImportProblem[];
}

/**
 * Compares the lines with the scenarios of the service. A line about an existing scenario becomes an update, or no step at all. A
 * change of content or rubric takes the approval away, unless the line or the caller approves it: the clinician approved the
 * earlier text.
 */
export function planImport(entries: readonly ImportEntry[], stored: readonly Scenario[], approveAll: boolean): Plan {
  const matches = matchEntries(entries, stored);
  const steps: Step[] = [];
  const problems: ImportProblem[] = [];
  for (const entry of entries) {
    const match = matches.get(entry) ?? null;
    if (match !== null && isMatchProblem(match)) problems.push(match);
    else steps.push(match === null ? creation(entry, approveAll) : change(entry, match, approveAll));
  }
  return { steps, problems };
}

function creation(entry: ImportEntry, approveAll: boolean): Step {
  const body = { ...entry.fields, ...approval(approveAll || (entry.approved ?? false), entry.signature) };
  return { kind: 'create', entry, body };
}

function change(entry: ImportEntry, found: Scenario, approveAll: boolean): Step {
  const wanted = approveAll ? true : entry.approved;
  const content = contentFor(found, entry);
  const changes = changesFrom(found, { ...entry.fields, content });
  const isAnother = 'rubric_criteria' in changes || !isDeepStrictEqual(caseOf(found.content), caseOf(content));
  const approved = wanted ?? (isAnother ? false : found.approved);
  // Different content makes a new revision, which the service approves only when the same request says so.
  const isRevised = 'content' in changes || 'rubric_criteria' in changes;
  const isSaid = approved !== found.approved || (isRevised && approved);
  const body = {
    ...changes,
    ...(isSaid && approval(approved, isAnother || wanted === true ? entry.signature : found)),
  };
  if (Object.keys(body).length === 0) return { kind: 'unchanged', entry, stored: found };
  return { kind: 'update', entry, body, stored: found };
}

/** A line without a key, or with the scenario's id as its key, keeps the key that the scenario has, if any. */
function contentFor(found: Scenario, { fields, isKeyed, key }: ImportEntry): Readonly<Record<string, unknown>> {
  if (isKeyed && key !== found.scenario_id) return fields.content;
  const { [IMPORT_KEY]: _implied, ...content } = fields.content;
  return IMPORT_KEY in found.content ? { ...content, [IMPORT_KEY]: found.content[IMPORT_KEY] } : content;
}

/** The service accepts an approver's name only together with the approval. */
function approval(approved: boolean, signature: Signature = {}): Signature & { readonly approved: boolean } {
  const { approved_by = null, approved_role = null } = signature;
  return approved ? { approved, approved_by, approved_role } : { approved };
}

/** The fields of a line that differ in the stored scenario; the order of keys does not matter. */
function changesFrom(stored: Scenario, fields: ScenarioFields): Record<string, unknown> {
  const now: Record<string, unknown> = { ...stored, priority: stored.priority ?? null };
  return Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => !isDeepStrictEqual(asJson(now[key]), asJson(value))),
  );
}

/** The content without the import key, which is not part of what a clinician approves. */
function caseOf(content: Readonly<Record<string, unknown>>): unknown {
  return asJson({ ...content, [IMPORT_KEY]: null });
}

function asJson(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}

/** The PATCH that restores a scenario. */
export function undoing(stored: Scenario, body: object): Record<string, unknown> {
  const now: Record<string, unknown> = { ...stored };
  // The restored text has a new revision, so its approval must be sent again.
  const before = Object.fromEntries(Object.keys(body).map((key) => [key, now[key] ?? null]));
  return { ...before, approved_by: null, approved_role: null, ...approval(stored.approved, stored) };
}
