import { DEFAULT_PASS_THRESHOLD, scoreRubric } from '../../domain/rubric';
import { actPaidTwice, twoActs } from './acts';
import { contradictsGoldStandard, goldStandardUnmarked, overTriageUnpunished } from './against-gold-standard';
import { refusesAmbulance } from './care-services';
import { empathyPassword, phraseDemanded, quantityWithoutUnit } from './demanded-words';
import { fixedTextPasses } from './fixed-texts';
import { questionAnsweredUnasked, questionWithoutAnswer } from './questions-and-answers';
import {
  type LintedScenario,
  readScenario,
  type ReadCriterion,
  type ReadScenario,
  type Finding,
  type Rule,
} from './read-scenario';

/**
 * A consultation is asking and advising. When the points for advice alone reach the pass, an agent passes that gives the right
 * advice to every patient and never looks at this one; the twin of this patient, who needs something else, is harmed.
 *
 * 16 of 28 points for advice: weigh the questions on which the decision rests more, or ask for more of them.
 */
const adviceSuffices: Rule = {
  name: 'advice_suffices',
  severity: 'warning',
  *check(scenario) {
    const { advice, questions } = scenario;
    if (questions.length + advice.length === 0 || !passesWith(scenario, advice)) return;
    yield {
      path: 'rubric_criteria',
      sentence: `Advice alone passes (${share(advice, scenario)} of the points): give the questions more than half of the points, or make the one that safety rests on must_pass.`,
    };
  },
};

/**
 * The other way round: an agent that asks everything and helps with nothing.
 *
 * Questions for 20 of 30 points, and nothing that is advised must be passed.
 */
const questionsSuffice: Rule = {
  name: 'questions_suffice',
  severity: 'warning',
  *check(scenario) {
    const { advice, questions } = scenario;
    if (questions.length + advice.length === 0 || !passesWith(scenario, questions)) return;
    yield {
      path: 'rubric_criteria',
      sentence: `Questions alone pass (${share(questions, scenario)} of the points): make the advice that safety rests on must_pass, or give advice more than half of the points.`,
    };
  },
};

/** Whether these criteria met, and nothing else, is a pass at the usual threshold. */
function passesWith({ criteria }: ReadScenario, met: readonly ReadCriterion[]): boolean {
  const results = criteria.map((criterion) => ({
    decision: met.includes(criterion) ? ('MET' as const) : ('NOT MET' as const),
    maxPoints: criterion.points,
    tags: criterion.tags,
  }));
  return met.length > 0 && scoreRubric(results, DEFAULT_PASS_THRESHOLD).passed;
}

function share(part: readonly ReadCriterion[], { advice, questions }: ReadScenario): string {
  return `${Math.round((sum(part) / sum([...advice, ...questions])) * 100)} %`;
}

function sum(criteria: readonly ReadCriterion[]): number {
  return criteria.reduce((total, { points }) => total + points, 0);
}

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
