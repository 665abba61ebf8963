import { z } from 'zod';
import { STARTER_LIBRARY } from '../../domain/scenario';
import type { Finding } from '../../examiners/lint/read-scenario';
import { id, timestamp } from '../../platform/http/field';
import { finding } from './lint.views';
import { content, criterion } from './rubric.fields';
import type { ScenarioRevisionRecord, NewScenario } from './scenarios.store';
import type { ScenarioEntity } from './scenario.entity';

const sealed = {
  revision: z.int().min(1).describe('Raised by every change of content or rubric_criteria.'),
  content_hash: z.string().describe('SHA-256 of the canonical JSON (RFC 8785) of { content, rubric_criteria }.'),
};
const signed = {
  approved_by: z
    .string()
    .nullable()
    .describe('Who approved it; null when no person is named, and when it is not approved.'),
  approved_role: z.string().nullable(),
  approved_at: timestamp.nullable().describe('Null as well for starters, which no person has approved.'),
};

// Enumerations of stored values are open in answers: another version may have written a value that this one does not know.
const identity = { scenario_id: id, name: z.string(), category: z.string() };
const matter = { content, rubric_criteria: z.array(criterion) };
const selection = {
  scenario_type: z.string(),
  is_active: z.boolean(),
  approved: z.boolean(),
  priority: z.number().nullable(),
  tags: z.array(z.string()),
};

/** One scenario. The specification leaves `severity` to list items. */
export const scenarioView = z
  .object({
    ...identity,
    ...selection,
    ...matter,
    ...sealed,
    ...signed,
    approved_revision: z.int().nullable().describe('The revision that was approved: the present one, or null.'),
    approval_note: z
      .string()
      .nullable()
      .describe('A sentence about an approval that no person answers for, such as that of a starter; otherwise null.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Scenario' });

export const scenarioListItem = z
  .object({ ...identity, severity: z.string(), ...selection, ...matter, ...sealed, ...signed })
  .meta({ id: 'ScenarioListItem' });
export const scenarioList = z.object({ scenarios: z.array(scenarioListItem), total: z.int() });

export const scenarioRevision = z
  .object({
    ...sealed,
    approved_by: z
      .string()
      .nullable()
      .describe('Of the last approval that it was given, also when that was withdrawn since.'),
    approved_role: z.string().nullable(),
    approved_at: timestamp.nullable(),
    created_at: timestamp.describe(
      'For scenarios from releases that kept no revisions: when the service was upgraded.',
    ),
    ...matter,
  })
  .meta({ id: 'ScenarioRevision' });
export const revisionList = z.object({ revisions: z.array(scenarioRevision), total: z.int() });
export type RevisionList = ReturnType<typeof listOfRevisions>;

export const generatedScenario = z
  .object({ ...identity, scenario_type: z.string(), ...matter })
  .meta({ id: 'GeneratedScenario' });
export const generatedList = z.object({ scenarios: z.array(generatedScenario), total: z.int() });

/** What would be stored: together with `approved` and other optional fields, a body of POST /api/v1/scenarios. */
export const proposedScenario = z
  .object({
    name: z.string(),
    category: z.string(),
    ...matter,
    tags: z.array(z.string()),
    findings: z.array(finding).describe('What the lint says of it; not part of the scenario.'),
  })
  .meta({ id: 'ProposedScenario' });
export const proposedList = z.object({ scenarios: z.array(proposedScenario), total: z.int() });

/** A generated scenario, and what the lint says of it. */
export type ProposedScenario = NewScenario & { readonly findings: readonly Finding[] };
export type ProposedList = ReturnType<typeof listOfProposed>;
export type ScenarioView = ReturnType<typeof viewOfScenario>;
export type GeneratedList = ReturnType<typeof listOfGenerated>;

// Documents go out as they were stored: what was checked on the way in is not checked again.

export function viewOfScenario(scenario: ScenarioEntity) {
  return {
    ...identityOf(scenario),
    ...selectionOf(scenario),
    ...matterOf(scenario),
    ...sealedOf(scenario),
    approved_revision: scenario.approvedRevision,
    approval_note: approvalNote(scenario),
    created_at: scenario.createdAt.toISOString(),
    updated_at: scenario.updatedAt.toISOString(),
  };
}

export function listOfScenarios(scenarios: readonly ScenarioEntity[], total: number) {
  return {
    scenarios: scenarios.map((scenario) => ({
      ...identityOf(scenario),
      severity: scenario.severity,
      ...selectionOf(scenario),
      ...matterOf(scenario),
      ...sealedOf(scenario),
    })),
    total,
  };
}

export function listOfRevisions(revisions: readonly ScenarioRevisionRecord[], total: number) {
  return {
    revisions: revisions.map(({ approved_at, created_at, ...revision }) => ({
      ...revision,
      approved_at: approved_at?.toISOString() ?? null,
      created_at: created_at.toISOString(),
    })),
    total,
  };
}

export function listOfGenerated(scenarios: readonly ScenarioEntity[]) {
  return {
    scenarios: scenarios.map((scenario) => ({
      ...identityOf(scenario),
      scenario_type: scenario.scenarioType,
      ...matterOf(scenario),
    })),
    total: scenarios.length,
  };
}

export function listOfProposed(scenarios: readonly ProposedScenario[]) {
  return {
    scenarios: scenarios.map(({ name, category, content, rubricCriteria, tags, findings }) => ({
      name,
      category,
      content,
      rubric_criteria: rubricCriteria,
      tags,
      findings,
    })),
    total: scenarios.length,
  };
}

function identityOf({ id, name, category }: ScenarioEntity) {
  return { scenario_id: id, name, category };
}

function selectionOf({ scenarioType, isActive, approved, priority, tags }: ScenarioEntity) {
  return { scenario_type: scenarioType, is_active: isActive, approved, priority, tags };
}

function sealedOf(scenario: ScenarioEntity) {
  const { revision, contentHash: content_hash, approvedBy, approvedRole, approvedAt } = scenario;
  const approved_at = approvedAt?.toISOString() ?? null;
  return { revision, content_hash, approved_by: approvedBy, approved_role: approvedRole, approved_at };
}

function matterOf({ content, rubricCriteria }: ScenarioEntity) {
  return { content, rubric_criteria: rubricCriteria };
}

const BEFORE_RELYING =
  'Read its gold standard and its sources, and approve it in your name, before you rely on its marks.';

/** What is missing in an approval; null when a named person answers for it, and when there is no approval. */
export function approvalNote({ approved, approvedBy, approvedRole }: ScenarioEntity): string | null {
  if (!approved || approvedBy !== null) return null;
  return approvedRole === STARTER_LIBRARY
    ? `No clinician has signed this scenario: it comes with Agent OSCE, approved so that it can be run. ${BEFORE_RELYING}`
    : `Nobody is named who approved this scenario. ${BEFORE_RELYING}`;
}
