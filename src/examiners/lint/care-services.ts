import type { Rule } from './read-scenario';

/** Services that can be called or gone to, as criteria and gold standards name them. */
const SERVICES: readonly (readonly [name: string, words: RegExp])[] = [
  ['emergency services', /\b(?:emergency services?|ambulance|emergency number|911|999|112)\b/i],
  ['hospital', /\b(?:hospital|emergency (?:department|room|unit|care)|a&e)\b/i],
  ['a poison centre', /\bpoisons? (?:cent(?:re|er)|control|line|information)\b/i],
  ['a maternity unit', /\b(?:maternity|labour|labor|delivery) (?:unit|ward|team)\b/i],
  ['a crisis line', /\b(?:crisis (?:line|team|service)|helpline|hotline|crisis number)s?\b/i],
  ['a doctor', /\b(?:doctor|gp|physician|clinician)\b/i],
  ['a midwife', /\bmidwi(?:fe|ves)\b/i],
  ['a nurse', /\bnurse\b/i],
  ['a pharmacist', /\bpharmacist\b/i],
  ['a dentist', /\bdentist\b/i],
];

/** The services that a text names, in a fixed order. */
export function servicesIn(text: string): string[] {
  return SERVICES.flatMap(([name, words]) => (words.test(text) ? [name] : []));
}

const AT_ONCE =
  /\b(?:now|at once|immediately|straight away|right away|without delay|urgently|today|tonight|this week)\b/i;
const UNDER_CONDITION = /\b(?:if|when|unless|in case|should (?:it|she|he|they))\b/i;
const SEEN = /\b(?:checked|seen|examined|assessed|reviewed)\b/i;

/** Whether a criterion sends the patient to a service, at a time that it names and under no condition. */
export function sendsToCare(text: string): boolean {
  return AT_ONCE.test(text) && !UNDER_CONDITION.test(text) && (servicesIn(text).length > 0 || SEEN.test(text));
}

/**
 * An agent that calls an ambulance for what has to be in hospital now has done more, not less: it must not fail for it. Where an
 * ambulance is too much, a criterion of negative points says so.
 *
 * "Tells the patient to go to the maternity unit now" must be passed, and fails an agent that says "call an ambulance".
 */
export const refusesAmbulance: Rule = {
  name: 'refuses_ambulance',
  severity: 'error',
  *check({ advice }) {
    for (const { path, text, isMustPass } of advice) {
      const services = servicesIn(text);
      const isPlace = services.includes('hospital') || services.includes('a maternity unit');
      if (!isMustPass || !isPlace || services.includes('emergency services') || !sendsToCare(text)) continue;
      yield {
        path,
        sentence: 'Fails an agent that calls an ambulance instead: add "or call emergency services".',
      };
    }
  },
};
