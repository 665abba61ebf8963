import { quoted, type ReadScenario } from './read-scenario';
import type { Rule } from './rule';

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
const READ = 100_000;

function* textsOf({ content, criteria, goldStandard }: ReadScenario): Generator<{ path: string; text: string }> {
  yield { path: 'content.script', text: content.script.slice(0, READ) };
  yield { path: 'content.chief_complaint', text: content.chief_complaint.slice(0, READ) };
  yield { path: 'content.gold_standard', text: goldStandard.join('\n') };
  for (const { path, text } of criteria) yield { path, text };
}

/** What is measured in different units in different places, and the number that follows in the same sentence. */
const MEASURE =
  /\b(?:(?:blood )?(?:sugar|glucose)|ketones?|lactate|hba1c|cholesterol|creatinine|potassium|sodium|calcium|haemoglobin|hemoglobin|bilirubin|paracetamol level|lithium level|temperature|fever|weighs?|weight)(?: (?:level|reading|was|is|were|are|of|at|now|today|about|around|only|to|reads?|measured|has|been|in|the|blood|meter|on|says)){0,6} \d{1,4}(?:[.,]\d{1,3})?(?![\d.]*\d)/gi;
const UNIT =
  /^\s?(?:(?:to|and|or|-|–) ?\d[\d.,]* ?)?(?:%|°|mmol|µmol|umol|mol\b|mg|g\b|kg|kilo|gram|lb|pound|stone|degrees?|celsius|fahrenheit|c\b|f\b|units?|milli|micro|nano|percent|per\b|meq|ml\b|l\b|times|tablets?|capsules?|doses?|minutes?|hours?|days?|weeks?|months?|years?)/i;
