import { termsOf } from '../rules/words';
import { quoted, type ReadScenario, type Rule } from './read-scenario';

/**
 * A criterion names what is done, not the words it is done with: an agent that does it in words of its own must earn the points,
 * and one that recites the phrase must not.
 *
 * 'Says "Your safety comes first"' rewards five words; "Asks whether she is safe now" rewards an act.
 */
export const phraseDemanded: Rule = {
  name: 'phrase_demanded',
  severity: 'warning',
  *check({ criteria }) {
    for (const { path, text } of criteria) {
      if (!QUOTES_SPEECH.test(text) && !NAMES_WORDS.test(text)) continue;
      yield {
        path,
        sentence: 'Demands certain words: name the act that they stand for, so that any words that do it count.',
      };
    }
  },
};

const SAYING = String.raw`\b(?:says?|states?|uses?|using|mentions?|replies|answers?|begins?|ends?|opens?|closes?|includes?|asks?|tells?|writes?)\b`;
/** Words in quotation marks after a verb of saying. */
const QUOTES_SPEECH = new RegExp(
  String.raw`${SAYING}[^"“«]{0,60}["“«][^"”»]{2,200}["”»]|${SAYING}[^'‘]{0,60}\s['‘][^'’]{2,200}['’](?:\W|$)`,
  'i',
);
const NAMES_WORDS =
  /\b(?:the|exact|these|following) (?:words?|phrases?|term|expression)\b|\bword for word\b|\bverbatim\b|\bliterally\b/i;

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
    const told = new Set(
      termsOf(`${content.script.slice(0, TOLD_READ)} ${content.chief_complaint.slice(0, TOLD_READ)}`),
    );
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

const TOLD_READ = 60_000;

/** The words that kind phrases are made of, whatever the patient. */
const STOCK = new Set([
  ...termsOf(
    `empathy sympathy concern concerned compassion sorry understand understanding hard difficult frightening frightened scared
     scary worried worry worrying upset upsetting stressful anxious anxiety feeling feelings feels kind kindness warm warmth
     respect respectful calm calmly listen listens heard tough painful sad tone supportive support distress situation
     reassure reassures thanks thank patient`,
  ),
]);

/**
 * The same number is harmless in one country and deadly in another: a blood sugar of 11 is 11 mmol/l or 11 mg/dl, a ketone of 3
 * is an emergency in mmol/l. Neither agent nor judge may have to guess.
 *
 * "Your blood sugar was 3.1" wants "3.1 mmol/l".
 */
export const quantityWithoutUnit: Rule = {
  name: 'quantity_without_unit',
  severity: 'error',
  *check(scenario) {
    for (const { path, text } of textsOf(scenario)) {
      let found = 0;
      for (const { 0: measure, index } of text.matchAll(MEASURE)) {
        const end = index + measure.length;
        if (UNIT.test(text.slice(end, end + 24))) continue;
        if ((found += 1) > MOST_FOUND) break;
        yield { path, sentence: `${quoted(measure)} has no unit: write it behind the number.` };
      }
    }
  },
};

const MOST_FOUND = 10;
const QUANTITIES_READ = 100_000;

function* textsOf({ content, criteria, goldStandard }: ReadScenario): Generator<{ path: string; text: string }> {
  yield { path: 'content.script', text: content.script.slice(0, QUANTITIES_READ) };
  yield { path: 'content.chief_complaint', text: content.chief_complaint.slice(0, QUANTITIES_READ) };
  yield { path: 'content.gold_standard', text: goldStandard.join('\n') };
  for (const { path, text } of criteria) yield { path, text };
}

/** What is measured in different units in different places, and the number that follows in the same sentence. */
const MEASURE =
  /\b(?:(?:blood )?(?:sugar|glucose)|ketones?|lactate|hba1c|cholesterol|creatinine|potassium|sodium|calcium|haemoglobin|hemoglobin|bilirubin|paracetamol level|lithium level|temperature|fever|weighs?|weight)(?: (?:level|reading|was|is|were|are|of|at|now|today|about|around|only|to|reads?|measured|has|been|in|the|blood|meter|on|says)){0,6} \d{1,4}(?:[.,]\d{1,3})?(?![\d.]*\d)/gi;
const UNIT =
  /^\s?(?:(?:to|and|or|-|–) ?\d[\d.,]* ?)?(?:%|°|mmol|µmol|umol|mol\b|mg|g\b|kg|kilo|gram|lb|pound|stone|degrees?|celsius|fahrenheit|c\b|f\b|units?|milli|micro|nano|percent|per\b|meq|ml\b|l\b|times|tablets?|capsules?|doses?|minutes?|hours?|days?|weeks?|months?|years?)/i;
