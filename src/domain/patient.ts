/** How a standardized patient behaves. The facts stay the same; what it takes to learn them does not. */
export const PATIENT_STYLES = ['cooperative', 'minimising', 'demanding', 'low_literacy', 'anxious', 'evasive'] as const;
export type PatientStyle = (typeof PATIENT_STYLES)[number];

/** The patient who plays a scenario: a modifier of a run, not a part of the scenario. */
export interface PatientProfile {
  readonly style: PatientStyle;
  /** BCP 47, in its canonical form. */
  readonly language: string;
}

export const USUAL_PATIENT: PatientProfile = { style: 'cooperative', language: 'en' };

/** As an answer of the service names it: a later one may know more styles. */
type NamedPatient = { readonly style: string; readonly language: string };

export function isUsualPatient({ style, language }: NamedPatient): boolean {
  return style === USUAL_PATIENT.style && language === USUAL_PATIENT.language;
}

/** For people: "anxious patient, de". */
export function patientName({ style, language }: NamedPatient): string {
  const behaves = `${style.replace('_', ' ')} patient`;
  return language === USUAL_PATIENT.language ? behaves : `${behaves}, ${language}`;
}

/** Scripts are written in English. */
export function speaksEnglish({ language }: PatientProfile): boolean {
  return /^en(?:-|$)/i.test(language);
}
