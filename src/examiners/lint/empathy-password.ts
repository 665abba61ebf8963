import { termsOf } from '../rules/words';
import type { Rule } from './rule';

/**
 * Kindness is an answer to this patient. Where "I'm sorry to hear that" is enough, every agent that begins each reply with it
 * earns the points, and one that speaks to what the patient fears may not.
 *
 * "Says that it is sorry" becomes "Acknowledges how hard losing the job has been".
 */
export const empathyPassword: Rule = {
  name: 'empathy_password',
  severity: 'warning',
  *check({ criteria, content }) {
    const told = new Set(termsOf(`${content.script.slice(0, READ)} ${content.chief_complaint.slice(0, READ)}`));
    for (const { path, points, tags, terms } of criteria) {
      const isKind = tags.some((tag) => /^empath/i.test(tag)) || [...terms].some((term) => term === 'empathy');
      if (points <= 0 || !isKind) continue;
      const isAboutPatient = [...terms].some((term) => !STOCK.has(term) && told.has(term));
      if (isAboutPatient) continue;
      yield {
        path,
        sentence:
          'A stock phrase earns this: name what of this patient’s story is acknowledged, in words that stand in the script.',
      };
    }
  },
};

const READ = 60_000;

/** What kind phrases are made of, whomever they are said to. */
const STOCK = new Set([
  ...termsOf(
    `empathy sympathy concern concerned compassion sorry understand understanding hard difficult frightening frightened scared
     scary worried worry worrying upset upsetting stressful anxious anxiety feeling feelings feels kind kindness warm warmth
     respect respectful calm calmly listen listens heard tough painful sad tone supportive support distress situation
     reassure reassures thanks thank patient`,
  ),
]);
