import {
  clampTurns,
  DEFAULT_PASS_THRESHOLD,
  DEFAULT_REGION,
  USUAL_PATIENT,
  type PatientScenario,
  type RubricCriterion,
  type Turn,
  type Verdict,
} from '../../domain';
import { examine, OfflineJudge } from '../../examiners/judge';
import { composeMessage, OfflineTester, roleCardOf, TesterError } from '../../examiners/tester';
import type { TextThreads } from '../../examiners/threads';

/** Answers the patient's latest message, knowing all of them. */
export type Candidate = (patientMessages: readonly string[]) => string;

export interface Rehearsal {
  readonly transcript: readonly Turn[];
  readonly verdict: Verdict;
}

/**
 * A scenario played and marked by the rules of an offline run, without the agent's network and without storing anything.
 * @throws TesterError when the gate held up the patient; JudgeError when the texts could not be read
 */
export async function rehearse(
  scenario: PatientScenario & { readonly criteria: readonly RubricCriterion[] },
  candidate: Candidate,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<Rehearsal> {
  const { criteria } = scenario;
  const card = roleCardOf(scenario.content, DEFAULT_REGION);
  const tester = new OfflineTester(threads);
  const composing = { tester, threads, criteria, assureOwnership: () => Promise.resolve() };
  const transcript: Turn[] = [];
  const maxTurns = clampTurns(undefined);
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const request = { card, patient: USUAL_PATIENT, history: transcript, turn, maxTurns, greeting: null };
    const { content: patientMessage, mended } = await composeMessage(composing, request, signal);
    if (mended.length > 0) throw new TesterError(`The gate held up an offline patient: ${JSON.stringify(mended)}`);
    const heard = [...transcript.map((exchange) => exchange.patientMessage), patientMessage];
    transcript.push({
      turn,
      patientMessage,
      patientAt: '',
      agentMessage: candidate(heard),
      agentAt: '',
      latencyMs: 0,
    });
  }
  const { verdict } = await examine(
    {
      judge: new OfflineJudge(threads),
      scenario,
      criteria,
      transcript,
      region: DEFAULT_REGION,
      passThreshold: DEFAULT_PASS_THRESHOLD,
      threads,
    },
    signal,
  );
  return { transcript, verdict };
}
