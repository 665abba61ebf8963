import { canonicalHash } from '../../domain/fingerprint';
import type { RubricCriterion } from '../../domain';
import { toStorableJson } from '../../platform/storable-text';
import type { ScenarioEntity } from './scenario.entity';

/** The person who approves. Null: no name is given. */
export interface Signature {
  readonly by: string | null;
  readonly role: string | null;
}

/** Columns of a scenario that say which revision it is, and who approved it. */
export interface Sealed {
  readonly revision: number;
  readonly contentHash: string;
  readonly approved: boolean;
  readonly approvedBy: string | null;
  readonly approvedRole: string | null;
  readonly approvedAt: Date | null;
  readonly approvedRevision: number | null;
}

export interface Asked {
  /** Undefined: the request says nothing about it. */
  readonly approved?: boolean | undefined;
  readonly signature?: Signature | undefined;
}

const UNAPPROVED = {
  approved: false,
  approvedBy: null,
  approvedRole: null,
  approvedAt: null,
  approvedRevision: null,
} as const;

/** @param at when it was approved; null for what comes approved and was read by no clinician */
export function firstRevision(matter: ScenarioContent, asked: Asked, at: Date | null): Sealed {
  const known = { revision: 1, contentHash: contentHashOf(matter) };
  return { ...known, ...(asked.approved === true ? approvedBy(asked.signature, 1, at) : UNAPPROVED) };
}

/**
 * The row after a change. Another content or rubric is a new revision, which is not approved unless the same request approves it.
 * An approval that is repeated in the same name stays as old as it is.
 * @param stored sealed
 */
export function revised(stored: ScenarioEntity, changed: Partial<ScenarioContent>, asked: Asked, at: Date): Sealed {
  const { revision, contentHash, isNew } = revisionAfter(stored, changed);
  const known = { revision, contentHash };
  const { approvedBy: by, approvedRole: role, approvedAt, approvedRevision } = stored;
  const kept = { approved: stored.approved, approvedBy: by, approvedRole: role, approvedAt, approvedRevision };
  if (!(asked.approved ?? (stored.approved && !isNew))) return { ...known, ...UNAPPROVED };
  if (asked.approved !== true) return { ...known, ...kept };
  const isRepeated = asked.signature === undefined || (asked.signature.by === by && asked.signature.role === role);
  const stands = stored.approved && !isNew && isRepeated;
  return { ...known, ...(stands ? kept : approvedBy(asked.signature, revision, at)) };
}

function revisionAfter(stored: ScenarioEntity, { content, rubricCriteria }: Partial<ScenarioContent>) {
  const before = stored.contentHash;
  if (content === undefined && rubricCriteria === undefined) {
    return { revision: stored.revision, contentHash: before, isNew: false };
  }
  const contentHash = contentHashOf({
    content: content ?? stored.content,
    rubricCriteria: rubricCriteria ?? stored.rubricCriteria,
  });
  const isNew = contentHash !== before;
  return { revision: stored.revision + (isNew ? 1 : 0), contentHash, isNew };
}

function approvedBy(signature: Signature | undefined, revision: number, at: Date | null) {
  return {
    approved: true,
    approvedBy: signature?.by ?? null,
    approvedRole: signature?.role ?? null,
    approvedAt: at,
    approvedRevision: revision,
  };
}

/** What an examination with a scenario depends on. */
export interface ScenarioContent {
  readonly content: Readonly<Record<string, unknown>>;
  readonly rubricCriteria: readonly RubricCriterion[];
}

/** The hash by which results name what was examined: of `{ content, rubric_criteria }` as a row holds them. */
export function contentHashOf({ content, rubricCriteria }: ScenarioContent): string {
  const stored: unknown = JSON.parse(toStorableJson({ content, rubric_criteria: rubricCriteria }));
  if (typeof stored !== 'object' || stored === null) throw new Error('A scenario is a document.');
  return canonicalHash(stored);
}
