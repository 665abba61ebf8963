import { actPaidTwice } from './act-paid-twice';
import { contradictsGoldStandard } from './contradicts-gold-standard';
import { empathyPassword } from './empathy-password';
import type { Finding } from './finding';
import { fixedTextPasses } from './fixed-text-passes';
import { goldStandardUnmarked } from './gold-standard-unmarked';
import type { LintedScenario } from './linted-scenario';
import { overTriageUnpunished } from './over-triage-unpunished';
import { phraseDemanded } from './phrase-demanded';
import { quantityWithoutUnit } from './quantity-without-unit';
import { questionAnsweredUnasked } from './question-answered-unasked';
import { questionWithoutAnswer } from './question-without-answer';
import { readScenario } from './read-scenario';
import { refusesAmbulance } from './refuses-ambulance';
import type { Rule } from './rule';
import { twoActs } from './two-acts';
import { adviceSuffices, questionsSuffice } from './within-reach';

/** All of them; docs/writing-scenarios.md has a section for each. */
export const RULES: readonly Rule[] = [
  contradictsGoldStandard,
  refusesAmbulance,
  questionAnsweredUnasked,
  questionWithoutAnswer,
  twoActs,
  actPaidTwice,
  goldStandardUnmarked,
  phraseDemanded,
  empathyPassword,
  quantityWithoutUnit,
  adviceSuffices,
  questionsSuffice,
  overTriageUnpunished,
  fixedTextPasses,
];

/** Nobody mends more at once, and an answer stays short. */
const MOST_FINDINGS = 500;

/**
 * What makes a scenario a poorer instrument, errors first, then in the order of the rules. Pure; takes time in proportion to the
 * scenario (its criteria with each other and with the facts, both bounded), without a pause: long ones belong into a thread.
 */
export function lintScenario(scenario: LintedScenario): Finding[] {
  const read = readScenario(scenario);
  const findings = RULES.flatMap(({ name, severity, check }) =>
    [...check(read)].map(({ path, sentence }): Finding => ({ rule: name, severity, path, sentence })),
  );
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  return [...errors, ...warnings].slice(0, MOST_FINDINGS);
}
