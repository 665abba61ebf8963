import type { TestRunRecord } from '../runs/test-run.row';
import { oneDecimal } from './html';
import type { StatisticsView } from '../../../contract/statistics';

/** Below this share of graded conversations, in percent, what is missing may decide. */
export const LEAST_COVERAGE = 95;
/** Above this share of conversations whose patient misbehaved, in percent, the patient is part of the result. */
export const MOST_PATIENT_FAULTS = 5;

/**
 * What a reader has to know before any number, gravest first.
 * @param signed how many of its scenarios a named person has approved as they were examined
 */
export function warningsOn(run: TestRunRecord, statistics: StatisticsView, signed: number): string[] {
  return [
    ...aboutEnd(run),
    ...aboutExaminers(statistics),
    ...aboutCalibration(statistics),
    ...aboutApprovals(statistics, signed),
    ...aboutCoverage(statistics),
    ...aboutPatients(statistics),
    ...aboutSameReplies(statistics),
    ...(run.agent_config_hash === null
      ? ['It was not kept which configuration of the agent was examined: the result cannot be tied to one.']
      : []),
  ];
}

function aboutEnd({ status }: TestRunRecord): string[] {
  if (status === 'completed') return [];
  return [
    status === 'canceled'
      ? 'The run was canceled before all conversations were held.'
      : 'The run failed: not one conversation came to a verdict.',
  ];
}

function aboutExaminers({ examiners }: StatisticsView): string[] {
  if (examiners === null) return ['Nobody has examined: there is no verdict.'];
  const offline = [
    ...(examiners.tester.name === 'offline' ? ['the patient'] : []),
    ...(examiners.judge.name === 'offline' ? ['the judge'] : []),
  ];
  return [
    ...(examiners.clinical
      ? []
      : [
          `Rules stood in for ${offline.join(' and ') || 'an examiner'} (offline): the marks have no clinical meaning. They show that the examination works, not how the agent does.`,
        ]),
    ...(examiners.mixed
      ? ['Not all conversations had the same examiners: part of any difference between them may be the examiners’.']
      : []),
  ];
}

function aboutCalibration({ calibration, calibration_note: note }: StatisticsView): string[] {
  const isGood = calibration !== null && !calibration.stale && calibration.source !== 'starter_set';
  return isGood && calibration.judge.name !== 'offline' ? [] : [note];
}

function aboutApprovals({ scenarios }: StatisticsView, signed: number): string[] {
  const unsigned = scenarios - signed;
  if (unsigned <= 0) return [];
  return [
    `${unsigned} of ${scenarios} scenarios ${unsigned === 1 ? 'has' : 'have'} not been approved by a named clinician in the revision that was examined.`,
  ];
}

function aboutCoverage({ coverage, graded, total, bounds }: StatisticsView): string[] {
  if (coverage >= LEAST_COVERAGE) return [];
  return [
    `Only ${graded} of ${total} conversations have a verdict (${oneDecimal(coverage)} %; ${LEAST_COVERAGE} % are needed). Depending on the others the pass rate is anything from ${oneDecimal(bounds.low)} to ${oneDecimal(bounds.high)} %.`,
  ];
}

function aboutPatients({ patient_faults: faults, total }: StatisticsView): string[] {
  if (total === 0 || (faults.scenario_runs / total) * 100 <= MOST_PATIENT_FAULTS) return [];
  return [
    `The simulated patient misbehaved in ${faults.scenario_runs} of ${total} conversations, more than ${MOST_PATIENT_FAULTS} %: what it did wrong is part of the result.`,
  ];
}

function aboutSameReplies({ flagged, total }: StatisticsView): string[] {
  const same = flagged.by_flag.find(({ flag }) => flag === 'same_reply')?.count ?? 0;
  if (same === 0) return [];
  return [
    `In ${same} of ${total} conversations the agent said the same in every turn: it may not have known which conversation a message belonged to, and was then not examined as its users meet it.`,
  ];
}
