import { STARTER_LIBRARY } from '../../domain';
import type { Finding } from '../../examiners/lint';
import type { ScenarioRevisionRecord, NewScenario } from './scenarios.store';
import type { ScenarioEntity } from './scenario.entity';

export type RevisionList = ReturnType<typeof listOfRevisions>;

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
