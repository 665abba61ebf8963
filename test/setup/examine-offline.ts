import type { Turn } from '../../src/domain/conversation';
import { DEFAULT_REGION, localised } from '../../src/domain/region';
import type { Verdict } from '../../src/domain/rubric';
import type { TextThreads } from '../../src/examiners/threads/text-threads';
import { rehearse } from '../../src/features/scenarios/rehearse';
import { scenarioFile } from '../../src/features/scenarios/scenario-file';
import type { NewScenario } from '../../src/features/scenarios/scenarios.store';

/** Answers the patient's latest message, knowing all of them. */
export type Candidate = (patientMessages: readonly string[], scenario: NewScenario) => string;

export interface OfflineResult {
  readonly scenario: NewScenario;
  readonly transcript: readonly Turn[];
  readonly verdict: Verdict;
}

/** A scenario of the library, played and marked offline as a run would do it, without the agent's network. @throws Error when the gate held up the patient */
export async function examineOffline(
  scenario: NewScenario,
  candidate: Candidate,
  threads: TextThreads,
): Promise<OfflineResult> {
  const { name, rubricCriteria: criteria } = scenario;
  const examined = { name, content: scenarioFile.shape.content.parse(scenario.content), criteria };
  const { signal } = new AbortController();
  const { transcript, verdict } = await rehearse(examined, (heard) => candidate(heard, scenario), threads, signal);
  return { scenario, transcript, verdict };
}

const MODEL_GOODBYE = 'Please tell me if anything changes.';

/** The ideal clinician of each scenario, as the scenario itself says, in the region of a run that does not say. */
export const modelClinician: Candidate = (heard, scenario) =>
  modelRepliesOf(scenario)[heard.length - 1] ?? MODEL_GOODBYE;

export function modelRepliesOf({ content }: NewScenario): readonly string[] {
  const { model_replies = [] } = scenarioFile.shape.content.parse(content);
  return model_replies.map((reply) => localised(reply, DEFAULT_REGION));
}
