import { boundOfUnvaried, expandedPercentiles } from './paired-bootstrap';
import {
  cohensKappa,
  gwetsAc1,
  macroF1,
  ratedIn,
  rawAgreement,
  shareFound,
  type Coefficient,
  type Confusion,
} from './confusion';
import { RandomBits } from './random-bits';

/** The decisions in the order of every table here. */
export const SCALE = ['MET', 'PARTIALLY MET', 'NOT MET'] as const;
const [MET, PARTLY, NOT_MET] = [0, 1, 2];
const CELLS = SCALE.length ** 2;

/** Both raters' decisions on one thing, by their places in SCALE. */
export interface RatedPair {
  /** The rater whose decisions are taken as right where that matters: a reviewer, when the judge is measured. */
  readonly one: number;
  readonly other: number;
  /** Something the agent must not do: MET, also in part, is a fault of the agent. */
  readonly isFault: boolean;
}

/** What was decided about one conversation: decisions on it have its words in common, so only conversations are independent. */
export type RatedTranscript = readonly RatedPair[];

/** A coefficient with its interval. Where either is not known, `reason` says why. */
export interface Measure extends Coefficient {
  readonly low: number | null;
  readonly high: number | null;
}

export interface Agreement {
  readonly transcripts: number;
  /** Pairs of decisions. */
  readonly pairs: number;
  readonly faults: number;
  /** Rows are decisions of the one, columns of the other, both in the order of SCALE. */
  readonly confusion: readonly (readonly number[])[];
  /** 0..1 */
  readonly raw: Measure;
  /** −1..1, as κ; both always, since κ alone misleads where nearly everything is met. */
  readonly kappa: Measure;
  readonly ac1: Measure;
  /** 0..1, over MET and NOT MET. */
  readonly macroF1: Measure;
  /** 0..1: of the faults that the one found, the share that the other found, and of what was none, the share that it found to be none. */
  readonly sensitivity: Measure;
  readonly specificity: Measure;
}

type Name = 'raw' | 'kappa' | 'ac1' | 'macroF1' | 'sensitivity' | 'specificity';

interface Definition {
  readonly name: Name;
  readonly of: (all: Confusion, faults: Confusion) => Coefficient;
  /** A share of what was rated: its bound is known where nothing varies. */
  readonly isShare: boolean;
}

const DEFINITIONS: readonly Definition[] = [
  { name: 'raw', of: rawAgreement, isShare: true },
  { name: 'kappa', of: cohensKappa, isShare: false },
  { name: 'ac1', of: gwetsAc1, isShare: false },
  { name: 'macroF1', of: (all) => macroF1(all, [MET, NOT_MET]), isShare: false },
  {
    name: 'sensitivity',
    of: (_all, faults) => shareFound(faults, [MET, PARTLY], 'There is no fault among what was rated.'),
    isShare: true,
  },
  {
    name: 'specificity',
    of: (_all, faults) =>
      shareFound(faults, [NOT_MET], 'There is nothing among what was rated that could be a fault and is none.'),
    isShare: true,
  },
];

const SEED = 20_261_123;
/** As many as B. Efron and R. J. Tibshirani, "An introduction to the bootstrap" (1993), section 14.3, ask for an interval, and twice over. */
const RESAMPLES = 2_000;
/** An interval is given while at least this share of resamples have a value: what is left out is not left out at random. */
const LEAST_DEFINED = 0.95;

const ONE_TRANSCRIPT = 'A single conversation says nothing about how far another would differ.';
const SELDOM_DEFINED =
  'It rests on so few conversations that it is often undefined when they are drawn again: no interval.';
const UNVARIED = 'Every conversation was rated alike, which leaves a bootstrap nothing to vary: no interval.';

/**
 * How far two raters agree, with intervals: conversations are drawn again with replacement, each with all its decisions, by a
 * fixed seed. Steps of a resample each, so that the caller can do other work in between.
 *
 * Source: C. A. Field and A. H. Welsh, "Bootstrapping clustered data", Journal of the Royal Statistical Society B 69 (2007)
 * 369–390, the cluster bootstrap; `expandedPercentiles` for few conversations; `boundOfUnvaried` for shares that all of them have
 * in common.
 *
 * @param confidence 0..1, both excluded
 */
export function* agreementOf(
  transcripts: readonly RatedTranscript[],
  confidence: number,
): Generator<void, Agreement, void> {
  const rated = transcripts.filter((pairs) => pairs.length > 0);
  const counted = rated.map(countsOf);
  const whole = new Tables();
  for (const counts of counted) whole.add(counts);
  const values = new Map<Name, number[]>(DEFINITIONS.map(({ name }) => [name, []]));
  const resamples = rated.length < 2 ? 0 : RESAMPLES;
  const random = new RandomBits(SEED);
  const drawn = new Tables();
  for (let resample = 0; resample < resamples; resample += 1) {
    drawn.clear();
    for (let place = 0; place < rated.length; place += 1) drawn.add(counted[random.integer(rated.length)] ?? []);
    for (const { name, of } of DEFINITIONS) {
      const { value } = of(drawn.all, drawn.faults);
      if (value !== null) values.get(name)?.push(value);
    }
    yield;
  }
  const withFaults = rated.filter((pairs) => pairs.some(({ isFault }) => isFault)).length;
  const measure = (name: Name): Measure => {
    const definition = DEFINITIONS.find((one) => one.name === name);
    const coefficient = definition?.of(whole.all, whole.faults) ?? { value: null, reason: null };
    const size = name === 'sensitivity' || name === 'specificity' ? withFaults : rated.length;
    const isShare = definition?.isShare ?? false;
    return measured(coefficient, { values: values.get(name) ?? [], resamples, size, isShare, confidence });
  };
  return {
    transcripts: rated.length,
    pairs: ratedIn(whole.all),
    faults: ratedIn(whole.faults),
    confusion: SCALE.map((_, row) => Array.from(whole.all.slice(row * SCALE.length, (row + 1) * SCALE.length))),
    raw: measure('raw'),
    kappa: measure('kappa'),
    ac1: measure('ac1'),
    macroF1: measure('macroF1'),
    sensitivity: measure('sensitivity'),
    specificity: measure('specificity'),
  };
}

/** The same at once, for few conversations. */
export function agreementAtOnce(transcripts: readonly RatedTranscript[], confidence: number): Agreement {
  const steps = agreementOf(transcripts, confidence);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

interface Resampled {
  /** The values of the resamples that have one. */
  readonly values: readonly number[];
  readonly resamples: number;
  /** Conversations that it rests on. */
  readonly size: number;
  readonly isShare: boolean;
  readonly confidence: number;
}

function measured(coefficient: Coefficient, { values, resamples, size, isShare, confidence }: Resampled): Measure {
  const { value } = coefficient;
  const without = (reason: string | null): Measure => ({ value, low: null, high: null, reason });
  if (value === null) return without(coefficient.reason);
  if (size < 2) return without(ONE_TRANSCRIPT);
  const isUnvaried = values.every((one) => Math.abs(one - value) < ROUNDING);
  if (isUnvaried && isShare) {
    const { low, high } = boundOfUnvaried(value, size, confidence);
    return { value, low: Math.max(0, low), high: Math.min(1, high), reason: null };
  }
  if (isUnvaried) return without(UNVARIED);
  if (values.length < LEAST_DEFINED * resamples) return without(SELDOM_DEFINED);
  return { value, ...expandedPercentiles(values, size, confidence), reason: null };
}

const ROUNDING = 1e-12;

/** Sums of the tables of conversations. */
class Tables {
  readonly all = new Float64Array(CELLS);
  /** The table of criteria that name something the agent must not do. */
  readonly faults = new Float64Array(CELLS);

  clear(): void {
    this.all.fill(0);
    this.faults.fill(0);
  }

  add(counts: readonly CellCount[]): void {
    for (const { cell, rated, faults } of counts) {
      this.all[cell] = (this.all[cell] ?? 0) + rated;
      this.faults[cell] = (this.faults[cell] ?? 0) + faults;
    }
  }
}

/** The decisions of one conversation that fall into a cell of the tables. */
interface CellCount {
  readonly cell: number;
  readonly rated: number;
  readonly faults: number;
}

function countsOf(pairs: RatedTranscript): CellCount[] {
  const counts = new Map<number, CellCount>();
  for (const { one, other, isFault } of pairs) {
    const cell = one * SCALE.length + other;
    const { rated, faults } = counts.get(cell) ?? { rated: 0, faults: 0 };
    counts.set(cell, { cell, rated: rated + 1, faults: faults + (isFault ? 1 : 0) });
  }
  return [...counts.values()];
}
