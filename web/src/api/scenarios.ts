import type { AnswerTo, BodyFor } from '../../../contract/call';
import { call, callForNothing, callTagged } from './client';
import { resourceOf, type Resource } from './resource';

export { SEVERITIES } from '../../../src/domain';

type Listed = AnswerTo<'GET /api/v1/scenarios'>['scenarios'][number];
type Single = AnswerTo<'GET /api/v1/scenarios/{id}'>;
/** As a list has it, with its severity, or by itself, with the note of its approval. */
export type Scenario = Omit<Listed, 'severity'> & Partial<Listed> & Partial<Single>;
export type ScenarioContent = Scenario['content'];
export type Criterion = Scenario['rubric_criteria'][number];
type RevisionList = AnswerTo<'GET /api/v1/scenarios/{id}/revisions'>;
export type ScenarioRevision = RevisionList['revisions'][number];
export type ScenarioProposal = AnswerTo<'POST /api/v1/scenarios/generate-preview'>['scenarios'][number];
/** A finding of the lint: a defect that makes the marks of a scenario less reliable. */
export type Finding = ScenarioProposal['findings'][number];
export type ScenarioChanges = BodyFor<'PATCH /api/v1/scenarios/{id}'>;
/** Of a new scenario, or all of one that is changed. */
export type ScenarioFields = BodyFor<'POST /api/v1/scenarios'> & ScenarioChanges;
/** A scenario as it stands in a form, finished or not. */
export type ScenarioDraft = BodyFor<'POST /api/v1/scenarios/lint'>;
/** What is tried before it is saved. */
export type ScenarioTrial = BodyFor<'POST /api/v1/scenarios/try'>;
export type TriedScenario = AnswerTo<'POST /api/v1/scenarios/try'>;
export type GenerationRequest = BodyFor<'POST /api/v1/scenarios/generate-preview'>;

/** A language model reads up to 200,000 characters for this. */
const GENERATES_WITHIN_MS = 600_000;

/** The active ones, in the order in which they are run. */
export const scenarios: Resource<Scenario, ScenarioFields, ScenarioChanges> = resourceOf<
  Scenario,
  ScenarioFields,
  ScenarioChanges
>({
  view: '/scenarios',
  idOf: ({ scenario_id }) => scenario_id,
  list: async (query, signal) => (await call('GET /api/v1/scenarios', { query, signal })).scenarios,
  get: (id, signal) => callTagged('GET /api/v1/scenarios/{id}', { path: { id }, signal }),
  create: (body, idempotencyKey) => callTagged('POST /api/v1/scenarios', { body, idempotencyKey }),
  change: (id, body, etag) => callTagged('PATCH /api/v1/scenarios/{id}', { path: { id }, body, etag }),
  remove: (id) => callForNothing('DELETE /api/v1/scenarios/{id}', { path: { id } }),
});

/** Removes one for good, with its revisions. @throws ApiError of status 409 that names what refers to it */
export function purgeScenario(id: string): Promise<void> {
  return callForNothing('DELETE /api/v1/scenarios/{id}', { path: { id }, query: { purge: 'true' } });
}

/** The newest revisions of a scenario, the newest first. */
export function listRevisions(id: string, signal: AbortSignal): Promise<RevisionList> {
  return call('GET /api/v1/scenarios/{id}/revisions', { path: { id }, signal });
}

/** Generates scenarios from a text; nothing is stored. */
export async function proposeScenarios(
  body: GenerationRequest,
  signal: AbortSignal,
): Promise<readonly ScenarioProposal[]> {
  const options = { body, signal, withinMs: GENERATES_WITHIN_MS };
  return (await call('POST /api/v1/scenarios/generate-preview', options)).scenarios;
}

/** The lint's findings on a scenario; nothing is stored. */
export async function lintScenario(body: ScenarioDraft, signal: AbortSignal): Promise<readonly Finding[]> {
  const { scenarios: linted } = await call('POST /api/v1/scenarios/lint', { body, signal });
  return linted.flatMap(({ findings }) => findings);
}

/** The longest texts take seconds to be marked, and trials of one key wait for each other. */
const TRIED_WITHIN_MS = 120_000;

/** Plays and marks a scenario against the demo agent; nothing is stored. */
export function tryScenario(body: ScenarioTrial): Promise<TriedScenario> {
  return call('POST /api/v1/scenarios/try', { body, withinMs: TRIED_WITHIN_MS });
}
