import { clampTurns, type Turn } from '../../src/domain/conversation';
import { USUAL_PATIENT } from '../../src/domain/patient';
import { DEFAULT_REGION, localised } from '../../src/domain/region';
import type { Verdict } from '../../src/domain/rubric';
import type { PatientScenario } from '../../src/domain/scenario';
import { examine } from '../../src/examiners/judge/examine';
import { OfflineJudge } from '../../src/examiners/judge/offline.judge';
import type { NewScenario } from '../../src/features/scenarios/scenarios.store';
import { scenarioFile } from '../../src/features/scenarios/scenario-file';
import { composeMessage } from '../../src/examiners/tester/composed-message';
import { OfflineTester } from '../../src/examiners/tester/offline.tester';
import { roleCardOf } from '../../src/examiners/tester/role-card';
import type { TextThreads } from '../../src/examiners/threads/text-threads';

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
  const { signal } = new AbortController();
  const tester = new OfflineTester(threads);
  const judge = new OfflineJudge(threads);
  const { name, rubricCriteria: criteria } = scenario;
  const examined: PatientScenario = { name, content: scenarioFile.shape.content.parse(scenario.content) };
  const card = roleCardOf(examined.content, DEFAULT_REGION);
  const composing = { tester, threads, criteria, assureOwnership: () => Promise.resolve() };
  const transcript: Turn[] = [];
  const maxTurns = clampTurns(undefined);
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const request = { card, patient: USUAL_PATIENT, history: transcript, turn, maxTurns, greeting: null };
    const { content: patientMessage, mended } = await composeMessage(composing, request, signal);
    if (mended.length > 0) throw new Error(`The gate held up an offline patient: ${JSON.stringify(mended)}`);
    const heard = [...transcript.map((exchange) => exchange.patientMessage), patientMessage];
    const agentMessage = candidate(heard, scenario);
    transcript.push({ turn, patientMessage, patientAt: '', agentMessage, agentAt: '', latencyMs: 0 });
  }
  const examination = {
    judge,
    scenario: examined,
    criteria,
    transcript,
    region: DEFAULT_REGION,
    passThreshold: 50,
    threads,
  };
  const { verdict } = await examine(examination, signal);
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
