/** What the patient plays and the judge reads the conversation against. */
export interface PatientScenario {
  readonly name: string;
  readonly content: ScenarioContent;
}

/** The three fields of the specification; other keys are kept and may be used (`initial_message`, `clinical_facts`). */
export interface ScenarioContent {
  readonly script: string;
  readonly demographics: { readonly age?: number; readonly gender?: string; readonly [key: string]: unknown };
  readonly chief_complaint: string;
  readonly [key: string]: unknown;
}
