import { termsOf } from '../rules/words';
import { itemsOf } from './gold-standard';
import { quoted } from './read-scenario';
import type { Rule } from './rule';

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

/** Of the words of an item, the share that has to stand in criteria. */
const KNOWN = 0.3;
const MOST_FOUND = 20;

/** What gold standards are written with, whatever they are about. */
const SAYS_LITTLE = new Set(
  termsOf(
    `asks tells advises says explains offers arranges sends gives makes takes treats recognises suspects finds notes knows keeps
     patient caller person whoever whatever possible first without delay now today clear exactly straight away`,
  ),
);
