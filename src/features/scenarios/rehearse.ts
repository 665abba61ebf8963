import { setMaxListeners } from 'node:events';
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
import { composeMessage, OfflineTester, roleCardOf } from '../../examiners/tester';
import type { TextReader } from '../../examiners/threads';

/** Answers the patient's latest message, knowing all of them. */
export type Candidate = (patientMessages: readonly string[]) => string;

export interface Rehearsal {
  readonly transcript: readonly Turn[];
  readonly verdict: Verdict;
}

type Rehearsed = PatientScenario & { readonly criteria: readonly RubricCriterion[] };

/**
 * A scenario played by the rules of an offline run, without the agent's network and without storing anything.
 * @throws TesterError, with `faults` when the gate held up what the script makes the patient say
 */
export async function converse(
  { content, criteria }: Rehearsed,
  candidate: Candidate,
  threads: TextReader,
  signal: AbortSignal,
): Promise<readonly Turn[]> {
  const card = roleCardOf(content, DEFAULT_REGION);
  const tester = new OfflineTester(threads);
  const composing = { tester, threads, criteria, assureOwnership: () => Promise.resolve() };
  const transcript: Turn[] = [];
  const maxTurns = clampTurns(undefined);
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const request = { card, patient: USUAL_PATIENT, history: transcript, turn, maxTurns, greeting: null };
    // The rules say the same again: what the gate refuses once it refuses twice.
    const { content: patientMessage } = await composeMessage(composing, request, signal);
    const heard = [...transcript.map((exchange) => exchange.patientMessage), patientMessage];
    transcript.push({
      turn,
      patientMessage,
      patientAt: '',
      agentMessage: candidate(heard),
      agentAt: '',
      latencyMs: null,
    });
  }
  return transcript;
}

/** The same, and marked by the rules. @throws as converse; JudgeError when the texts could not be read */
export async function rehearse(
  scenario: Rehearsed,
  candidate: Candidate,
  threads: TextReader,
  signal: AbortSignal,
): Promise<Rehearsal> {
  // The judge marks several parts at a time.
  setMaxListeners(0, signal);
  const transcript = await converse(scenario, candidate, threads, signal);
  const { verdict } = await examine(
    {
      judge: new OfflineJudge(threads),
      scenario,
      criteria: scenario.criteria,
      transcript,
      region: DEFAULT_REGION,
      passThreshold: DEFAULT_PASS_THRESHOLD,
      threads,
    },
    signal,
  );
  return { transcript, verdict };
}
