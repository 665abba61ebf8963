/**
 * What counts of passed and failed conversations say, as formulas: rates with intervals, two runs compared, agreement between
 * judges, how many trials are enough. Every number with an interval or a p-value comes from here.
 */

// Rates and their intervals; scenarios are clusters.
export { wilsonInterval, criticalValue } from './wilson';
export { sumOf, rateOf, scenariosIn, byGroup, without, passHat, type Rate, type Group } from './clusters';
export { correctedRate, type AuditedVerdict } from './rogan-gladen';

// Two runs compared.
export { holm, leastPValue, criterionTest, differenceOf, ofSigns, pairedTestOf } from './paired-test';
export {
  resamplesOf,
  boundOfUnvaried,
  expandedPercentiles,
  percentilesOfAll,
  resampledMeans,
} from './paired-bootstrap';
export { drawnOfAPart, signFlipSteps } from './sign-flip';
export { trialsNeeded, minimumDetectableDrop } from './power';

// How far two sets of marks agree.
export { agreementOf, SCALE, type Agreement, type RatedPair, type RatedTranscript, type Measure } from './agreement';
