import * as z from 'zod/mini';
import { call, callForNothing } from './client';
import { finding } from './finding';
import { resourceAt, type Resource } from './resource';

/** More keys than these (`by_turn`) may be there; they are kept when the rubric is edited. */
const criterion = z.looseObject({ criterion: z.string(), points: z.number(), tags: z.array(z.string()) });
export type Criterion = z.output<typeof criterion>;

/** More keys than these may be there; they are kept when a scenario is edited. */
const content = z.looseObject({
  script: z.string(),
  demographics: z.looseObject({ age: z.optional(z.number()), gender: z.optional(z.string()) }),
  chief_complaint: z.string(),
});
export type ScenarioContent = z.output<typeof content>;

const scenario = z.object({
  scenario_id: z.string(),
  name: z.string(),
  category: z.string(),
  /** Not in the answer about a single scenario. */
  severity: z.optional(z.string()),
  scenario_type: z.string(),
  is_active: z.boolean(),
  approved: z.boolean(),
  priority: z.nullable(z.number()),
  content,
  rubric_criteria: z.array(criterion),
  tags: z.array(z.string()),
  revision: z.number(),
  content_hash: z.string(),
  approved_by: z.nullable(z.string()),
  approved_role: z.nullable(z.string()),
  approved_at: z.optional(z.nullable(z.string())),
  /** Only in the answer about a single scenario. */
  approval_note: z.optional(z.nullable(z.string())),
});
export type Scenario = z.output<typeof scenario>;

const scenarioList = z.object({ scenarios: z.array(scenario), total: z.number() });

const revision = z.object({
  revision: z.number(),
  content_hash: z.string(),
  content,
  rubric_criteria: z.array(criterion),
  approved_by: z.nullable(z.string()),
  approved_role: z.nullable(z.string()),
  approved_at: z.nullable(z.string()),
  created_at: z.string(),
});
export type ScenarioRevision = z.output<typeof revision>;
const revisionList = z.object({ revisions: z.array(revision), total: z.number() });

const proposal = z.object({
  name: z.string(),
  category: z.string(),
  content,
  rubric_criteria: z.array(criterion),
  tags: z.array(z.string()),
  /** The lint's findings. */
  findings: z.array(finding),
});
export type ScenarioProposal = z.output<typeof proposal>;
const proposals = z.object({ scenarios: z.array(proposal), total: z.number() });

/** A language model reads up to 200,000 characters for this. */
const GENERATES_WITHIN_MS = 600_000;

export { SEVERITIES } from '../../../src/domain';

export interface ScenarioFields {
  readonly name: string;
  readonly category: string;
  readonly severity?: string;
  /** When left out, it stays as it is, unless content or rubric change. */
  readonly approved?: boolean;
  readonly approved_by?: string;
  readonly approved_role?: string;
  readonly content: ScenarioContent;
  readonly rubric_criteria: readonly Criterion[];
  readonly tags: readonly string[];
}

export interface GenerationRequest {
  readonly text: string;
  readonly category?: string;
  readonly tags: readonly string[];
}

const API = '/api/v1/scenarios';

/** The active ones, in the order in which they are run. */
export const scenarios: Resource<Scenario, ScenarioFields, Partial<ScenarioFields>> = resourceAt({
  view: '/scenarios',
  api: API,
  item: scenario,
  idOf: ({ scenario_id }) => scenario_id,
  list: async (page, signal) => (await call(scenarioList, API + page, { signal })).scenarios,
});

/** Removes one for good, with its revisions. @throws ApiError of status 409 that names what refers to it */
export function purgeScenario(id: string): Promise<void> {
  return callForNothing(`${API}/${encodeURIComponent(id)}?purge=true`, { method: 'DELETE' });
}

/** The newest revisions of a scenario, the newest first. */
export function listRevisions(id: string, signal: AbortSignal): Promise<z.output<typeof revisionList>> {
  return call(revisionList, `${API}/${encodeURIComponent(id)}/revisions`, { signal });
}

/** Generates scenarios from a text; nothing is stored. */
export async function proposeScenarios(request: GenerationRequest, signal: AbortSignal): Promise<ScenarioProposal[]> {
  const answer = await call(proposals, `${API}/generate-preview`, {
    method: 'POST',
    body: request,
    signal,
    withinMs: GENERATES_WITHIN_MS,
  });
  return answer.scenarios;
}
