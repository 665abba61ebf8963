import * as z from 'zod/mini';
import { call } from './client';
import { finding, type Finding } from './finding';
import type { ScenarioFields } from './scenarios';

const linted = z.object({ scenarios: z.array(z.object({ findings: z.array(finding) })) });

/** A scenario as it stands in a form, finished or not. */
export type ScenarioDraft = Pick<ScenarioFields, 'name' | 'severity' | 'content' | 'rubric_criteria'>;

/** The lint's findings on a scenario; nothing is stored. */
export async function lintScenario(draft: ScenarioDraft, signal: AbortSignal): Promise<readonly Finding[]> {
  const { scenarios } = await call(linted, '/api/v1/scenarios/lint', { method: 'POST', body: draft, signal });
  return scenarios.flatMap(({ findings }) => findings);
}
