import { shareAmong } from '../judge/requirement';
import { termsOf } from '../rules/words';
import { servicesIn } from './care-services';
import { quoted, itemsOf, type Rule } from './read-scenario';

/**
 * An agent that does what the gold standard says must pass. A criterion that must be passed may not be narrower than the gold
 * standard, nor absolute where the gold standard knows an exception.
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

/** The least share of a criterion's words that stands in a gold standard that says it. */
const SAYS_IT = 0.34;
/** The same for an exception from it. */
const SAYS_MOST = 0.6;

const ABSOLUTE = /\b(?:nothing|never|not|no)\b/i;
const EXCEPTION = /\b(?:unless|except|apart from|other than|some advise)\b/i;

/**
 * The gold standard says what an ideal clinician does; what no criterion asks for is neither rewarded nor missed. Read by words:
 * an item of which no content word stands in any criterion has none.
 *
 * A gold standard of "emergency services now, aspirin unless allergic" with no criterion that speaks of aspirin.
 */
export const goldStandardUnmarked: Rule = {
  name: 'gold_standard_unmarked',
  severity: 'warning',
  *check({ goldStandard, criteria }) {
    if (criteria.length === 0) return;
    const marked = new Set(criteria.flatMap(({ text }) => termsOf(text)));
    let found = 0;
    for (const item of goldStandard.flatMap(itemsOf)) {
      const terms = new Set(termsOf(item).filter((term) => !SAYS_LITTLE.has(term)));
      const known = [...terms].filter((term) => marked.has(term)).length;
      if (terms.size === 0 || known / terms.size >= KNOWN) continue;
      if ((found += 1) > MOST_FOUND) return;
      yield {
        path: 'content.gold_standard',
        sentence: `No criterion asks for ${quoted(item)}: add one, or leave it out of the gold standard.`,
      };
    }
  },
};

/** The share of an item's words that has to stand in criteria. */
const KNOWN = 0.3;
const MOST_FOUND = 20;

/** Words that gold standards contain whatever they are about. */
const SAYS_LITTLE = new Set(
  termsOf(
    `asks tells advises says explains offers arranges sends gives makes takes treats recognises suspects finds notes knows keeps
     patient caller person whoever whatever possible first without delay now today clear exactly straight away`,
  ),
);

/**
 * Always sending for an ambulance is a good strategy wherever nothing speaks against it, and harms: it costs, frightens, and ties
 * up the crew that another patient needs.
 *
 * A twisted ankle of severity `low` wants "Tells the patient to call an ambulance" with negative points.
 */
export const overTriageUnpunished: Rule = {
  name: 'over_triage_unpunished',
  severity: 'warning',
  *check({ severity, faults, criteria, goldStandard }) {
    if (criteria.length === 0) return;
    if (severity !== 'low' && !goldStandard.some((sentence) => NO_AMBULANCE.test(sentence))) return;
    const isPunished = faults.some(
      ({ tags, terms }) =>
        tags.includes('over_triage') ||
        ['ambulance', 'emergency_department', 'emergency_care', 'emergency'].some((term) => terms.has(term)),
    );
    if (isPunished) return;
    yield {
      path: 'rubric_criteria',
      sentence:
        'Nothing speaks against sending this patient to emergency care: add "Tells the patient to call an ambulance" with negative points and the tag over_triage.',
    };
  },
};

const NO_AMBULANCE =
  /\b(?:ambulance|emergency (?:services|department|care)|hospital) (?:is|are) not (?:needed|necessary|called for)\b|\bno (?:need for an?|ambulance|hospital)\b/i;
