import { resolve } from 'node:path';
import { rateOf } from '../../src/domain/statistics/clusters';
import { differenceOf, pairedTest } from '../../src/domain/statistics/paired-test';
import { boundOfUnvaried, expandedPercentiles, resampledMeans } from '../../src/domain/statistics/paired-bootstrap';
import type { Bench, Section } from '../bench';
import { monotonicMs } from '../clock';
import { storeLargeRun, storeRunLike } from '../large-run';
import { findFreePort, ServiceProcess } from '../service-process';
import { LOOP_WATCH_PORT } from '../processes/loop-watch';
import { Random } from '../simulation/random';
import { familyOf, type FamilyFound } from '../simulation/families';
import { drawMarkedWorld, meanScoreOf, scoring, type MarkedWorld } from '../simulation/marked-worlds';
import { drawWorld, runOf, USUAL, worsened, type World, type WorldLimits } from '../simulation/worlds';
import { largest, median, rangeOf } from '../statistics';
import { startDatabase } from './reads';
import { QUESTIONS, type QuestionTest } from '../../contract/comparison';

const SEED = 20_261_123;
const WORLDS = 2_000;
const CONFIDENCE = 0.95;
const LEVEL = 0.05;
const PLANTED = 0.2;
/** An agent that fails nearly everything before it is changed. */
const FLOORED: WorldLimits = { scenarios: [60, 60], trials: [3, 3], rate: [0.179, 0.179] };
/** Runs in which a drop of twenty points has to be found. */
const GATE: WorldLimits = { scenarios: [60, 60], trials: [3, 3], rate: [0.5, 0.95] };

const SCENARIO_RUNS = 20_000;
const READS = 20;
const COMPARISONS = 3;

/** Further reads of a run of the largest size. */
const READINGS = [
  ['a page of its grid', '/api/v1/grid?test_run_id={id}&limit=100'],
  ['a page of its scenario runs', '/api/v1/scenario-runs?test_run_id={id}&limit=100&offset=10000'],
  ['its export as CSV', '/api/v1/tests/{id}/export?format=csv'],
  ['its export as JSON', '/api/v1/tests/{id}/export?format=json'],
  ['its export as JUnit', '/api/v1/tests/{id}/export?format=junit'],
] as const;

/** Tests whether the statistics keep their promises, and how long they take. */
export const statistics: Section = {
  name: 'statistics',
  about: `coverage of intervals, false alarms and power in ${WORLDS} simulated worlds; statistics of ${SCENARIO_RUNS} scenario runs`,
  run: async (bench) => {
    simulate(bench);
    await simulateFamilies(bench);
    await time(bench);
    await timeComparison(bench);
  },
};

type Goal = readonly ['at least' | 'at most', number] | null;

const shareIn =
  (bench: Bench) =>
  (what: string, load: string, hits: number, of: number, goal: Goal): void =>
    bench.report({
      section: 'statistics',
      what,
      load: `${of} worlds, ${load}`,
      unit: 'share',
      value: hits / of,
      range: null,
      floor: null,
      goal: goal === null ? null : { of: 'value', is: goal[0], limit: goal[1] },
    });

function describe({ scenarios: [few, many], trials: [once, often] }: WorldLimits): string {
  return `${few === many ? few : `${few} to ${many}`} scenarios, ${once === often ? once : `${once} to ${often}`} trials`;
}

function simulate(bench: Bench): void {
  const random = new Random(SEED);
  const worlds = bench.isQuick ? WORLDS / 10 : WORLDS;
  const usual = Array.from({ length: worlds }, () => drawWorld(random));
  const share = shareIn(bench);

  bench.progress('statistics: coverage of the intervals of pass rates');
  const holds = usual.filter((world) => holdsRate(world, random));
  share('95 % interval of a pass rate holds it', describe(USUAL), holds.length, worlds, ['at least', 0.93]);
  share('95 % interval of a pass rate holds it, no more than it says', describe(USUAL), holds.length, worlds, [
    'at most',
    0.97,
  ]);
  for (const trials of [1, 2, 3, 4, 5]) {
    const these = usual.filter((world) => world.trials === trials);
    share('of these', `${trials} trials`, holds.filter((world) => world.trials === trials).length, these.length, null);
  }

  bench.progress('statistics: comparisons of an agent with itself');
  const same = usual.map((world) => comparisonOf(world, world, random));
  share(
    'alarms at 95 % of the pass rate alone, for an unchanged agent',
    describe(USUAL),
    same.filter(({ isShown }) => isShown).length,
    worlds,
    ['at most', LEVEL],
  );
  share(
    '95 % interval of the difference holds it',
    `${describe(USUAL)}, unchanged`,
    same.filter(({ holdsTruth }) => holdsTruth).length,
    worlds,
    null,
  );

  bench.progress('statistics: comparisons with an agent that lost 20 points');
  const gated = Array.from({ length: worlds }, () => drawWorld(random, GATE));
  const dropped = gated.map((world) => comparisonOf(world, worsened(world, PLANTED), random));
  share(
    'a drop of 20 points found as worse by the pass rate alone',
    describe(GATE),
    dropped.filter(({ isShown, isWorse }) => isShown && isWorse).length,
    worlds,
    ['at least', 0.8],
  );
  share(
    '95 % interval of the difference holds it',
    `${describe(GATE)}, 20 points lost`,
    dropped.filter(({ holdsTruth }) => holdsTruth).length,
    worlds,
    null,
  );
}

/** The verdict rests on three questions, each answered by the service's own computation; marks are drawn criterion by criterion. */
async function simulateFamilies(bench: Bench): Promise<void> {
  const random = new Random(SEED);
  const worlds = bench.isQuick ? WORLDS / 10 : WORLDS;
  const share = shareIn(bench);
  const families = async (
    limits: WorldLimits,
    changed: (world: MarkedWorld) => MarkedWorld,
  ): Promise<readonly FamilyFound[]> => {
    const found: FamilyFound[] = [];
    for (let drawn = 0; drawn < worlds; drawn += 1) {
      const world = drawMarkedWorld(random, limits);
      found.push(await familyOf(world, changed(world), { random, confidence: CONFIDENCE }));
    }
    return found;
  };
  const isWorse = ({ verdict }: FamilyFound): boolean => verdict === 'worse';
  const isShown = (on: QuestionTest['on']) => (one: FamilyFound) =>
    one.tests.some((test) => test.on === on && test.adjusted_p_value !== null && test.adjusted_p_value < LEVEL);

  for (const limits of [USUAL, FLOORED]) {
    bench.progress('statistics: three questions about an agent and itself');
    const same = await families(limits, (world) => world);
    const load = `${describe(limits)}, mean score ${limits.rate.join(' to ')}`;
    const alarms = same.filter(({ verdict }) => verdict !== null);
    share('alarms at 95 % of the three questions together, for an unchanged agent', load, alarms.length, worlds, [
      'at most',
      LEVEL,
    ]);
  }
  for (const [what, limits, score, goal] of [
    ['a mean score that falls from 17.9 to 2.0 % found as worse', FLOORED, () => 0.02, 0.8],
    ['a mean score that falls by 10 points found as worse', GATE, (was: number) => was - 0.1, 0.8],
    ['a mean score that falls by 5 points found as worse', GATE, (was: number) => was - 0.05, null],
  ] as const) {
    bench.progress(`statistics: ${what}`);
    const found = await families(limits, (world) => scoring(world, score(meanScoreOf(world))));
    const load = `${describe(limits)}, mean score ${limits.rate.join(' to ')}`;
    share(what, load, found.filter(isWorse).length, worlds, goal === null ? null : ['at least', goal]);
    for (const on of QUESTIONS) share(`of these by ${on}`, load, found.filter(isShown(on)).length, worlds, null);
  }
}

function holdsRate(world: World, random: Random): boolean {
  const rate = rateOf(runOf(world, random), CONFIDENCE);
  return rate !== null && rate.low <= world.rate && world.rate <= rate.high;
}

function comparisonOf(before: World, after: World, random: Random) {
  const later = runOf(after, random);
  const pairs = runOf(before, random).map((cluster, place) => ({
    before: cluster,
    after: later[place] ?? { graded: after.trials, passed: 0 },
  }));
  const differences = pairs.map(differenceOf);
  const [first = 0] = differences;
  const isUnvaried = differences.every((difference) => difference === first);
  const { low, high } = isUnvaried
    ? boundOfUnvaried(first, differences.length, CONFIDENCE)
    : expandedPercentiles([...resampledMeans(differences)], differences.length, CONFIDENCE);
  const truth = after.rate - before.rate;
  return {
    isShown: (pairedTest(pairs).pValue ?? 1) < LEVEL,
    isWorse: differences.reduce((sum, difference) => sum + difference, 0) < 0,
    holdsTruth: low <= truth && truth <= high,
  };
}

/** The statistics of one run of the largest size, requested by one client after the other. */
async function time(bench: Bench): Promise<void> {
  const databaseUrl = await startDatabase(bench);
  const port = await findFreePort();
  const service = bench.keep(
    await ServiceProcess.start({
      nodeArguments: ['--require', resolve(__dirname, '..', 'processes', 'loop-watch.js')],
      settings: { DATABASE_URL: databaseUrl, [LOOP_WATCH_PORT]: String(port) },
    }),
  );
  const longestPause = async (): Promise<number> => Number(await (await fetch(`http://127.0.0.1:${port}`)).text());
  for (const trials of [20, 1]) {
    bench.progress(`statistics: storing ${SCENARIO_RUNS} scenario runs, ${trials} trials each`);
    const runId = await storeLargeRun(databaseUrl, { scenarioRuns: SCENARIO_RUNS, trials });
    const url = `${service.client.url}/api/v1/tests/${runId}/statistics`;
    await (await fetch(url)).text();
    await longestPause();
    const times: number[] = [];
    let bytes = 0;
    for (let read = 0; read < READS; read += 1) {
      const began = monotonicMs();
      bytes = (await (await fetch(url)).text()).length;
      times.push(monotonicMs() - began);
    }
    const load = `${SCENARIO_RUNS / trials} scenarios × ${trials} trials, 30 % failed, ${Math.round(bytes / 1000)} kB`;
    const common = { section: 'statistics', load, unit: 'ms', floor: null } as const;
    bench.report({
      ...common,
      what: `GET statistics of ${SCENARIO_RUNS} scenario runs`,
      value: median(times),
      range: rangeOf(times),
      goal: { of: 'value', is: 'at most', limit: 150 },
    });
    bench.report({
      ...common,
      what: 'longest pause of the event loop meanwhile',
      value: largest([await longestPause()]),
      range: null,
      goal: { of: 'value', is: 'at most', limit: 100 },
    });
    for (const [what, path] of READINGS) {
      bench.progress(`statistics: ${what}, ${trials} trials each`);
      const began = monotonicMs();
      const size = (await (await fetch(`${service.client.url}${path.replace('{id}', runId)}`)).arrayBuffer())
        .byteLength;
      const seconds = Math.round((monotonicMs() - began) / 100) / 10;
      bench.report({
        ...common,
        what: `longest pause of the event loop during ${what}`,
        load: `the same run, ${Math.round(size / 1000)} kB in ${seconds} s`,
        value: largest([await longestPause()]),
        range: null,
        goal: { of: 'value', is: 'at most', limit: 100 },
      });
    }
  }
}

/** Two runs of the largest size, compared by one client after the other. */
async function timeComparison(bench: Bench): Promise<void> {
  const databaseUrl = await startDatabase(bench);
  const port = await findFreePort();
  const service = bench.keep(
    await ServiceProcess.start({
      nodeArguments: ['--require', resolve(__dirname, '..', 'processes', 'loop-watch.js')],
      settings: { DATABASE_URL: databaseUrl, [LOOP_WATCH_PORT]: String(port) },
    }),
  );
  const longestPause = async (): Promise<number> => Number(await (await fetch(`http://127.0.0.1:${port}`)).text());
  for (const trials of [1, 20]) {
    bench.progress(`statistics: comparing two runs of ${SCENARIO_RUNS} scenario runs, ${trials} trials each`);
    const before = await storeLargeRun(databaseUrl, { scenarioRuns: SCENARIO_RUNS, trials });
    const after = await storeRunLike(databaseUrl, before);
    await longestPause();
    const times: number[] = [];
    let bytes = 0;
    for (let read = 0; read < COMPARISONS; read += 1) {
      const began = monotonicMs();
      const url = `${service.client.url}/api/v1/tests/${after}/comparison?before=${before}`;
      bytes = (await (await fetch(url)).arrayBuffer()).byteLength;
      times.push(monotonicMs() - began);
    }
    const load = `${SCENARIO_RUNS / trials} scenarios × ${trials} trials, ${Math.round(bytes / 1000)} kB`;
    const common = { section: 'statistics', load, unit: 'ms', floor: null } as const;
    bench.report({
      ...common,
      what: `GET comparison of two runs of ${SCENARIO_RUNS} scenario runs`,
      value: median(times),
      range: rangeOf(times),
      goal: null,
    });
    bench.report({
      ...common,
      what: 'longest pause of the event loop meanwhile',
      value: largest([await longestPause()]),
      range: null,
      goal: { of: 'value', is: 'at most', limit: 100 },
    });
  }
}
