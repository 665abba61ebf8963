import { actPaidTwice, mannerWithoutAct, twoActs } from './acts';
import {
  checkFindsInsideWords,
  checkMatchesAnything,
  checkMissesItsCriterion,
  checkSaysTheOpposite,
  checkUnreadable,
} from './checks';
import { contradictsGoldStandard, goldStandardUnmarked, overTriageUnpunished } from './against-gold-standard';
import { refusesAmbulance } from './care-services';
import { empathyPassword, phraseDemanded, quantityWithoutUnit } from './demanded-words';
import { adviceSuffices, fixedTextPasses, questionsSuffice } from './too-easy-passes';
import { questionAnsweredUnasked, questionWithoutAnswer } from './questions-and-answers';
import { keypadNeverPressed, limitNeedsHeardWords, limitNeverMeasured, speechUnreadable } from './speech';
import { type Finding, type LintedScenario, readScenario, type Rule } from './read-scenario';

/** All of them; docs/writing-scenarios.md has a section for each. */
export const RULES: readonly Rule[] = [
  contradictsGoldStandard,
  refusesAmbulance,
  questionAnsweredUnasked,
  questionWithoutAnswer,
  twoActs,
  actPaidTwice,
  mannerWithoutAct,
  goldStandardUnmarked,
  phraseDemanded,
  empathyPassword,
  quantityWithoutUnit,
  adviceSuffices,
  questionsSuffice,
  overTriageUnpunished,
  fixedTextPasses,
  checkUnreadable,
  checkSaysTheOpposite,
  checkMatchesAnything,
  checkMissesItsCriterion,
  checkFindsInsideWords,
  speechUnreadable,
  limitNeverMeasured,
  limitNeedsHeardWords,
  keypadNeverPressed,
];

/** No author mends more at once, and an answer stays short. */
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
