import { termsOf } from '../rules/words';
import { servicesIn } from './care-services';
import { shareAmong } from '../judge/requirement';
import { quoted } from './read-scenario';
import type { Rule } from './rule';

/**
 * Whoever does what the gold standard says must pass. A criterion that must be passed may not be narrower than the gold standard,
 * nor absolute where the gold standard knows an exception.
 *
 * "Tells the patient to go to hospital now" must be passed, and the gold standard allows "hospital or a poison centre".
 */
export const contradictsGoldStandard: Rule = {
  name: 'contradicts_gold_standard',
  severity: 'error',
  *check({ goldStandard, advice }) {
    const clauses = goldStandard.flatMap((sentence) => sentence.split(/[,;:]\s/));
    const words = new Set(clauses.flatMap(termsOf));
    const exceptions = clauses.filter((clause) => EXCEPTION.test(clause)).map((clause) => clause.trim());
    const termsOfExceptions = exceptions.map((clause) => new Set(termsOf(clause)));
    const choices = clauses.filter((clause) => /\bor\b/i.test(clause)).map(servicesIn);
    for (const { path, text, isMustPass, requirement } of advice) {
      const isAbsolute = ABSOLUTE.test(text) && !EXCEPTION.test(text);
      const exception = exceptions.find(
        (_, at) => isAbsolute && shareAmong(requirement, termsOfExceptions[at] ?? new Set()) >= SAYS_MOST,
      );
      if (exception !== undefined) {
        yield {
          path,
          sentence: `Is absolute, and the gold standard makes an exception: ${quoted(exception)} Write it into the criterion.`,
        };
      }
      if (!isMustPass) continue;
      const named = servicesIn(text);
      const others = choices
        .filter((services) => services.some((service) => named.includes(service)))
        .flatMap((services) => services.filter((service) => !named.includes(service)));
      if (others.length > 0) {
        yield {
          path,
          sentence: `Must be passed, and the gold standard allows ${[...new Set(others)].join(' or ')} as well: name it in the criterion with "or".`,
        };
      } else if (goldStandard.length > 0 && shareAmong(requirement, words) < SAYS_IT) {
        yield {
          path,
          sentence: 'Must be passed, and the gold standard does not say it: write it there, or take must_pass away.',
        };
      }
    }
  },
};

/** Of a criterion's words, the least share that stands in a gold standard that says it. */
const SAYS_IT = 0.34;
/** The same for an exception from it. */
const SAYS_MOST = 0.6;

const ABSOLUTE = /\b(?:nothing|never|not|no)\b/i;
const EXCEPTION = /\b(?:unless|except|apart from|other than|some advise)\b/i;
