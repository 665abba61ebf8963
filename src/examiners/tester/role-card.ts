import { speaksEnglish, type PatientProfile, servicesIn, type Region, type ScenarioContent } from '../../domain';

/**
 * What the patient is told about a scenario. The scenario's name, rubric and gold standard say what the agent should find out or
 * do; a patient who knows them gives them away.
 */
export interface RoleCard {
  readonly script: string;
  readonly demographics: ScenarioContent['demographics'];
  readonly chief_complaint: string;
  /** The patient's first words, when they are not the chief complaint. */
  readonly initial_message: string;
  /** Where the patient lives: "the United Kingdom"; empty when that is not known. Told when asked for, never volunteered. */
  readonly country: string;
}

/** @param region null when that is not known */
export function roleCardOf(
  { script, demographics, chief_complaint, initial_message }: ScenarioContent,
  region: Region | null = null,
): RoleCard {
  return {
    script,
    demographics,
    chief_complaint,
    country: region === null ? '' : servicesIn(region).country,
    initial_message: typeof initial_message === 'string' ? initial_message : '',
  };
}

/** What the patient says first, word for word; null when the scenario does not say, or the patient does not speak English, as scenarios do. */
export function openingOf({ initial_message, chief_complaint }: RoleCard, patient: PatientProfile): string | null {
  if (!speaksEnglish(patient)) return null;
  return [initial_message.trim(), chief_complaint.trim()].find((words) => words !== '') ?? null;
}
