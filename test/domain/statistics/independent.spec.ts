import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rateOf, type Cluster, passHat } from '../../../src/domain/statistics/clusters';
import { holm, mcnemarExact } from '../../../src/domain/statistics/paired-test';
import { expandedPercentiles } from '../../../src/domain/statistics/paired-bootstrap';
import { minimumDetectableDrop } from '../../../src/domain/statistics/power';
import { signFlip } from '../../../src/domain/statistics/sign-flip';

type Counts = readonly [graded: number, passed: number];

interface Table {
  readonly level: number;
  readonly before: readonly Counts[];
  readonly after: readonly Counts[];
  readonly rate: { readonly value: number; readonly low: number; readonly high: number; readonly size: number } | null;
  readonly pass_hat: readonly { readonly value: number | null; readonly scenarios: number }[];
  readonly drop: number | null;
  /** False where the other implementation divides by a spread of nothing. */
  readonly has_drop: boolean;
  /** Null where there are too many patterns for it. */
  readonly sign_flip: number | null;
  readonly mcnemar: { readonly lost: number; readonly won: number; readonly p: number };
  readonly holm: { readonly p: readonly number[]; readonly adjusted: readonly number[] };
}

interface Fixture {
  readonly tables: readonly Table[];
  readonly large: readonly { readonly lost: number; readonly won: number; readonly p: number }[];
  readonly expansions: readonly {
    readonly size: number;
    readonly level: number;
    readonly means: readonly number[];
    readonly low: number;
    readonly high: number;
  }[];
}

/** What statsmodels, SciPy and inspect_ai say, made by make-independent.py beside it, which names their versions. */
const fixture: Fixture = JSON.parse(readFileSync(join(__dirname, 'independent.json'), 'utf8'));

const clustersOf = (counts: readonly Counts[]): Cluster[] => counts.map(([graded, passed]) => ({ graded, passed }));

function expectSame(found: number | null | undefined, wanted: number | null, what: string, within = 1e-9): void {
  const isSame =
    wanted === null || found === undefined || found === null
      ? (found ?? null) === wanted
      : Math.abs(found - wanted) < within;
  if (!isSame) throw new Error(`${what}: ${String(found)} here, ${String(wanted)} there`);
}

const each = (check: (table: Table, name: string) => void) =>
  fixture.tables.forEach((table, place) => check(table, `table ${place}`));

test('there are 300 tables, of which enough are clustered, and enough have a sign-flip test', () => {
  expect(fixture.tables).toHaveLength(300);
  expect(fixture.tables.filter(({ sign_flip }) => sign_flip !== null && sign_flip < 0.9).length).toBeGreaterThan(50);
  expect(fixture.tables.filter(({ rate, before }) => rate && rate.size < before.length * 2).length).toBeGreaterThan(50);
});

test('rate, interval and effective size', () =>
  each(({ before, level, rate }, name) => {
    const found = rateOf(clustersOf(before), level / 100);
    expectSame(found?.value, rate?.value ?? null, `${name}, value`);
    expectSame(found?.low, rate?.low ?? null, `${name}, low`);
    expectSame(found?.high, rate?.high ?? null, `${name}, high`);
    expectSame(found?.effectiveSize, rate?.size ?? null, `${name}, effective size`);
  }));

test('pass^k', () =>
  each(({ before, pass_hat }, name) =>
    pass_hat.forEach(({ value, scenarios }, place) => {
      const found = passHat(clustersOf(before), place + 1);
      expectSame(found.value, value, `${name}, k = ${place + 1}`);
      expect(found.scenarios).toBe(scenarios);
    }),
  ));

test('minimum detectable drop', () =>
  each(({ rate, drop, has_drop }, name) => {
    if (rate && has_drop) expectSame(minimumDetectableDrop(rate.value, rate.size), drop, name);
  }));

test('sign-flip', () =>
  each(({ before, after, sign_flip }, name) => {
    if (sign_flip === null) return;
    const differences = before.flatMap(([graded, passed], place) => {
      const [gradedAfter, passedAfter] = after[place] ?? [0, 0];
      return graded > 0 && gradedAfter > 0 ? [passedAfter / gradedAfter - passed / graded] : [];
    });
    expectSame(signFlip(differences), sign_flip, name);
  }));

test('McNemar', () => {
  each(({ mcnemar: { lost, won, p } }, name) => expectSame(mcnemarExact(lost, won), p, name));
  for (const { lost, won, p } of fixture.large) expectSame(mcnemarExact(lost, won), p, `${lost} and ${won}`);
});

test('Holm', () =>
  each(({ holm: { p, adjusted } }, name) =>
    holm(p).forEach((value, place) => expectSame(value, adjusted[place] ?? null, name)),
  ));

/** jStat's Student quantile is good to eight places, which is far more than resampling leaves. */
const OF_STUDENT = 1e-6;

test('expanded percentiles', () => {
  for (const { size, level, means, low, high } of fixture.expansions) {
    const found = expandedPercentiles(means, size, level / 100);
    expectSame(found.low, low, `low of ${size} at ${level} %`, OF_STUDENT);
    expectSame(found.high, high, `high of ${size} at ${level} %`, OF_STUDENT);
  }
});
