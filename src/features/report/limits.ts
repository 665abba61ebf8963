import type { StatisticsView } from '../statistics/statistics.view';
import { oneDecimal } from './writing';

/** What this is, on the first page. */
export const NATURE =
  'Supporting evidence about one run of examinations. It is not a safety case, not a clinical evaluation and not an approval: those need people who answer for them, and evidence of other kinds.';

/** What the numbers of any run do not say, in plain words. */
export function limitsOf({ scenarios, minimum_detectable_drop: drop }: StatisticsView): string[] {
  return [
    'The patients were simulated. Real people leave out more, ask otherwise, and do not follow a script.',
    `${scenarios} scenario${scenarios === 1 ? ' was' : 's were'} examined. What none of them asks for has not been examined; passing them says nothing of it.`,
    'A judge marked the conversations by checklists. It makes mistakes; the calibration, where there is one, says how often it agreed with people on other transcripts.',
    'Intervals tell what chance alone can do with this many conversations. A biased judge, an unusual choice of scenarios or a patient that helps has intervals just as narrow.',
    drop === null
      ? 'No drop of the pass rate would show in a second run of this size.'
      : `In a second run of this size, a drop of the pass rate by less than ${oneDecimal(drop)} points would most likely go unnoticed.`,
    'The result holds for the configuration of the agent whose hash is given. After any change of model, prompt, tools or provider it is history.',
  ];
}
