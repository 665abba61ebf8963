import { redFlagsIn } from '../../../contract/scenario-speech';
import type { CriterionResult, ExaminedTurn, PatientScenario } from '../../domain';
import { measured, type Measured } from './measured-conversation';
import { measuredTurn } from './measured-turn';
import { spokenIn } from './spoken-turn';

/** What the patient of a scenario knows, as the words measured are looked up in it. */
export function cardOf({ content: { chief_complaint, script } }: PatientScenario): string {
  return `${chief_complaint}\n${script}`;
}

/** The measures of a conversation while it is marked. @param criteria null before it is */
export function measuredTranscript(
  transcript: readonly ExaminedTurn[],
  scenario: PatientScenario,
  language: string,
  criteria: readonly CriterionResult[] | null,
): Measured {
  return measured({
    turns: transcript.flatMap(({ turn, patientMessage, agentMessage, metadata }) => {
      const spoken = spokenIn(metadata ?? {});
      return spoken === null ? [] : [measuredTurn(turn, patientMessage, agentMessage, spoken)];
    }),
    startMs: null,
    card: cardOf(scenario),
    redFlags: redFlagsIn(scenario.content['red_flags']),
    language,
    criteria: criteria?.map(({ maxPoints: max_points, ...mark }) => ({ ...mark, max_points })) ?? null,
  });
}
