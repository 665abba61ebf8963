import { leastPValue } from '../../statistics/mcnemar';
import type { ComparisonVerdict } from './comparison.view';

export interface Evidence {
  readonly confidencePercent: number;
  readonly minCoverage: number;
  /** Percent. */
  readonly coverage: { readonly before: number; readonly after: number };
  readonly haveSameExaminers: boolean;
  readonly haveSamePatients: boolean;
  readonly compared: number;
  readonly trials: number;
  /** Points; null when nothing can be compared. */
  readonly difference: { readonly value: number; readonly low: number; readonly high: number } | null;
  readonly pValue: number | null;
  readonly trialsNeeded: number | null;
}

export interface Conclusion {
  readonly verdict: ComparisonVerdict;
  readonly sentence: string;
}

/** What two runs say about a change of the agent, and what they do not. */
export function conclude(evidence: Evidence): Conclusion {
  const obstacle = obstacleTo(evidence);
  if (obstacle !== null || evidence.difference === null || evidence.pValue === null) {
    return { verdict: 'cannot_tell', sentence: `Cannot tell: ${obstacle ?? NOTHING}` };
  }
  const { difference, pValue } = evidence;
  if (pValue < levelOf(evidence)) {
    const verdict = difference.value > 0 ? 'better' : 'worse';
    return {
      verdict,
      sentence: `${verdict === 'better' ? 'Better' : 'Worse'}: ${movementOf(evidence)} (${numbersOf(evidence)}).`,
    };
  }
  return {
    verdict: 'no_evidence',
    sentence:
      `No evidence of a change: ${movementOf(evidence)}; with ${sizeOf(evidence)} that is within noise ` +
      `(${numbersOf(evidence)}).${wayOut(evidence)}`,
  };
}

const NOTHING = 'no scenario has a verdict in both runs with the same text and rubric.';

/** Why no verdict may be drawn, as the end of a sentence; null when one may. */
function obstacleTo(evidence: Evidence): string | null {
  const { compared, coverage, minCoverage, haveSameExaminers, haveSamePatients } = evidence;
  for (const side of ['before', 'after'] as const) {
    if (coverage[side] < minCoverage) {
      return `in the run ${side} ${number(coverage[side])} % of the conversations have a verdict, and ${number(minCoverage)} % are needed.`;
    }
  }
  if (compared === 0) return NOTHING;
  if (!haveSamePatients) return 'the runs had different patients, which may account for any change.';
  if (!haveSameExaminers) return 'the runs had different examiners, which may account for any change.';
  if (leastPValue(compared) >= levelOf(evidence)) {
    return (
      `${counted(compared, 'scenario')} cannot show a change at ${number(evidence.confidencePercent)} %, ` +
      `however they fare; ${leastScenarios(levelOf(evidence))} can.`
    );
  }
  return null;
}

function levelOf({ confidencePercent }: Evidence): number {
  return (100 - confidencePercent) / 100;
}

function leastScenarios(level: number): number {
  let scenarios = 1;
  while (leastPValue(scenarios) >= level) scenarios += 1;
  return scenarios;
}

function movementOf({ difference }: Evidence): string {
  const value = difference?.value ?? 0;
  if (Math.abs(value) < 0.05) return 'the pass rate stayed as it was';
  return `the pass rate ${value > 0 ? 'rose' : 'fell'} by ${pointsText(Math.abs(value))}`;
}

function numbersOf({ difference, pValue, confidencePercent }: Evidence): string {
  const [low, high] = [difference?.low ?? 0, difference?.high ?? 0].map((value) => number(value));
  return `${number(confidencePercent)} % interval ${low} to ${high}; p = ${pText(pValue ?? 1)}`;
}

function sizeOf({ compared, trials }: Evidence): string {
  return `${counted(compared, 'scenario')} at ${trials === 1 ? 'one trial' : `${trials} trials`} each`;
}

function wayOut({ trialsNeeded, difference, trials }: Evidence): string {
  if (difference === null || Math.abs(difference.value) < 0.05) return '';
  if (trialsNeeded === null) return ' More trials would not show a change of this size; more scenarios would.';
  return trialsNeeded > trials ? ` About ${trialsNeeded} trials of each would show a change of this size.` : '';
}

function pText(p: number): string {
  return p < 0.0001 ? 'less than 0.0001' : String(Number(p.toPrecision(2)));
}

function pointsText(value: number): string {
  return `${number(value)} ${number(value) === '1' ? 'point' : 'points'}`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** One decimal at most, with a minus sign that is one. */
function number(value: number): string {
  const rounded = Math.round(value * 10) / 10;
  return rounded < 0 ? `−${Math.abs(rounded)}` : String(Math.abs(rounded));
}
