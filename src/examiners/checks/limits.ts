import type { Check } from '../../domain';
import type { CheckedTurn } from './checked-turn';
import type { Ruling } from './ruling';

type Limit = Extract<Check, { kind: 'latency_ms' | 'tokens' | 'cost_usd' }>;

/** Whether a measured limit was kept. A sentence where it was not measured: nothing is taken for kept, or for broken. */
export function limitMark(limit: Limit, turns: readonly CheckedTurn[]): Ruling | string {
  return limit.kind === 'latency_ms' ? latencyMark(limit, turns) : sumMark(limit, turns);
}

function latencyMark(
  { max, percentile = 100 }: Extract<Limit, { kind: 'latency_ms' }>,
  turns: readonly CheckedTurn[],
): Ruling | string {
  const times = turns.flatMap(({ turn, latencyMs }) => (latencyMs === null ? [] : [{ turn, ms: latencyMs }]));
  if (times.length > 0 && times.length < turns.length) {
    return `it is not known how long the agent took for ${turns.length - times.length} of its ${turns.length} replies`;
  }
  if (times.length === 0) {
    return `it is not known how long the agent took for any of its ${turns.length} replies, as of every conversation that was held elsewhere`;
  }
  const ascending = [...times].sort((one, other) => one.ms - other.ms);
  // The nearest rank: the smallest time that so many of a hundred replies keep to.
  const decisive = ascending[Math.max(1, Math.ceil((percentile / 100) * ascending.length)) - 1];
  if (decisive === undefined) return 'there is no reply';
  const of = percentile === 100 ? 'The slowest reply' : `Of the ${times.length} replies, ${percentile} %`;
  const took = percentile === 100 ? `, in turn ${decisive.turn}, took` : ` took up to`;
  return ruling(
    decisive.ms <= max,
    `${of}${took} ${numberText(decisive.ms, 1)} ms; the limit is ${numberText(max)} ms.`,
  );
}

function sumMark(
  { kind, max }: Exclude<Limit, { kind: 'latency_ms' }>,
  turns: readonly CheckedTurn[],
): Ruling | string {
  const values = turns.map((turn) => (kind === 'tokens' ? turn.tokens : turn.costUsd));
  const known = values.filter((value) => value !== null);
  if (turns.length === 0) return 'there is no reply';
  if (known.length < turns.length) {
    return `the agent reported no ${kind === 'tokens' ? 'tokens' : 'cost'} for ${turns.length - known.length} of its ${turns.length} replies`;
  }
  const sum = known.reduce((total, value) => total + value, 0);
  const text = kind === 'tokens' ? `${numberText(sum)} tokens` : `$${numberText(sum)}`;
  const limit = kind === 'tokens' ? numberText(max) : `$${numberText(max)}`;
  // Sums of prices are inexact in their last digits.
  return ruling(
    sum <= max * (1 + 1e-9),
    `The agent reported ${text} for ${turns.length} replies; the limit is ${limit}.`,
  );
}

function ruling(isKept: boolean, rationale: string): Ruling {
  return { decision: isKept ? 'MET' : 'NOT MET', rationale, evidence: [], absentFrom: null };
}

function numberText(value: number, maximumFractionDigits = 6): string {
  return value.toLocaleString('en', { maximumFractionDigits });
}
