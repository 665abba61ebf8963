/** Where an agent's patients are. What "emergency services" are called, and which number reaches them, depends on it. */
export const REGIONS = ['US', 'UK', 'EU', 'AU'] as const;
export type Region = (typeof REGIONS)[number];

/** The region of a run that does not say. */
export const DEFAULT_REGION: Region = 'US';

/** The services that a patient can be sent to. Numbers are written as people write them there. */
export interface LocalServices {
  /** As a patient says it: "I live in the United Kingdom." */
  readonly country: string;
  /** Each reaches an ambulance; the usual one first. */
  readonly emergencyNumbers: readonly [usual: string, ...others: string[]];
  /** What people call the emergency department there, the usual word first. */
  readonly emergencyDepartment: readonly [usual: string, ...others: string[]];
  /** For thoughts of suicide. */
  readonly crisisLine: Service;
  /** For anything swallowed or breathed in. */
  readonly poisonLine: Service;
  /** For advice that can wait. */
  readonly healthLine: Service;
  /** The clinician or clinic that people see first when it is no emergency. */
  readonly primaryCare: string;
}

export interface Service {
  /** With its number, as a judge reads it. */
  readonly name: string;
  /** What to dial or, where there is no one number, whom to call. */
  readonly number: string;
}

/**
 * US: 911 (FCC, "911 and E911 Services"); 988 (SAMHSA, "988 Suicide & Crisis Lifeline", since July 2022); 1-800-222-1222 (HRSA, "Poison Help").
 * A nurse line belongs to a clinic or an insurer; no number is national.
 *
 * UK: 999 and 112 (Ofcom, General Condition A3); 111, also for poisoning, and its option 2 for a mental health crisis (NHS England, "NHS 111");
 * 116 123 (Samaritans).
 *
 * EU: 112 (Directive (EU) 2018/1972, article 109), in a few states beside numbers of their own; 116 123 for emotional support and 116 117 for
 * medical advice that can wait, in the states that have assigned them (Commission Decisions 2007/698/EC and 2009/884/EC). Poison centres have
 * numbers of their own; 112 puts through to them. A patient has to be somewhere: in Germany, where all three numbers are in use.
 *
 * AU: 000, and 112 from mobile phones (Triple Zero, ACMA "Emergency call service"); 13 11 14 (Lifeline); 13 11 26 (Poisons Information
 * Centres); 1800 022 222 (healthdirect).
 */
const SERVICES: Readonly<Record<Region, LocalServices>> = {
  US: {
    country: 'the United States',
    emergencyNumbers: ['911'],
    emergencyDepartment: ['emergency room', 'ER', 'emergency department'],
    crisisLine: { name: '988 Suicide & Crisis Lifeline', number: '988' },
    poisonLine: { name: 'Poison Help 1-800-222-1222', number: '1-800-222-1222' },
    healthLine: { name: 'the nurse line of a clinic or insurer', number: 'the nurse line of your clinic or insurer' },
    primaryCare: 'primary care doctor',
  },
  UK: {
    country: 'the United Kingdom',
    emergencyNumbers: ['999', '112'],
    emergencyDepartment: ['A&E', 'emergency department'],
    crisisLine: { name: 'Samaritans 116 123, or NHS 111 option 2', number: '116 123' },
    poisonLine: { name: 'NHS 111', number: '111' },
    healthLine: { name: 'NHS 111', number: '111' },
    primaryCare: 'GP',
  },
  EU: {
    country: 'Germany',
    emergencyNumbers: ['112'],
    emergencyDepartment: ['emergency department', 'emergency room'],
    crisisLine: { name: 'a local helpline, in many countries 116 123, or 112', number: '116 123' },
    poisonLine: { name: 'the local poison centre, or 112', number: '112' },
    healthLine: { name: '116 117, where there is one', number: '116 117' },
    primaryCare: 'family doctor',
  },
  AU: {
    country: 'Australia',
    emergencyNumbers: ['000', '112'],
    emergencyDepartment: ['emergency department', 'ED'],
    crisisLine: { name: 'Lifeline 13 11 14', number: '13 11 14' },
    poisonLine: { name: 'Poisons Information Centre 13 11 26', number: '13 11 26' },
    healthLine: { name: 'healthdirect 1800 022 222', number: '1800 022 222' },
    primaryCare: 'GP',
  },
};

export function servicesIn(region: Region): LocalServices {
  return SERVICES[region];
}

/** Numbers that reach emergency services somewhere, but not in this region. */
export function foreignEmergencyNumbers(region: Region): string[] {
  const own = SERVICES[region].emergencyNumbers;
  const all = new Set(REGIONS.flatMap((other) => SERVICES[other].emergencyNumbers));
  return [...all].filter((number) => !own.includes(number));
}

const PLACEHOLDER = /\{(emergency_number|crisis_line|poison_line|health_line)\}/g;

/** Fills in {emergency_number}, {crisis_line}, {poison_line} and {health_line}; whatever else stands in braces stays. */
export function localised(text: string, region: Region): string {
  const { emergencyNumbers, crisisLine, poisonLine, healthLine } = SERVICES[region];
  const numbers = new Map([
    ['{emergency_number}', emergencyNumbers[0]],
    ['{crisis_line}', crisisLine.number],
    ['{poison_line}', poisonLine.number],
    ['{health_line}', healthLine.number],
  ]);
  return text.replace(PLACEHOLDER, (placeholder) => numbers.get(placeholder) ?? placeholder);
}
