import { resolve } from 'node:path';
import { rateOf } from '../../src/statistics/clusters';
import { differenceOf, pairedTest } from '../../src/statistics/paired-test';
import { boundOfUnvaried, expandedPercentiles, resampledMeans } from '../../src/statistics/paired-bootstrap';
import type { Bench, Section } from '../bench';
import { monotonicMs } from '../clock';
import { storeLargeRun } from '../large-run';
import { findFreePort, ServiceProcess } from '../service-process';
import { LOOP_WATCH_PORT } from '../processes/loop-watch';
import { Random } from '../simulation/random';
import { drawWorld, runOf, USUAL, worsened, type World, type WorldLimits } from '../simulation/worlds';
import { largest, median, rangeOf } from '../statistics';
import { startDatabase } from './reads';

const SEED = 20_261_123;
const WORLDS = 2_000;
const CONFIDENCE = 0.95;
const LEVEL = 0.05;
const PLANTED = 0.2;
/** Runs in which a drop of twenty points has to be found. */
const GATE: WorldLimits = { scenarios: [60, 60], trials: [3, 3], rate: [0.5, 0.95] };

const SCENARIO_RUNS = 20_000;
const READS = 20;

/** What else is read of a run as large as a run may be. */
const READINGS = [
  ['a page of its scenario runs', '/api/v1/scenario-runs?test_run_id={id}&limit=100&offset=10000'],
  ['its export as CSV', '/api/v1/tests/{id}/export?format=csv'],
  ['its export as JSON', '/api/v1/tests/{id}/export?format=json'],
  ['its export as JUnit', '/api/v1/tests/{id}/export?format=junit'],
] as const;

/** Whether the statistics keep their promises, and how long they take. */
export const statistics: Section = {
  name: 'statistics',
  about: `coverage of intervals, false alarms and power in ${WORLDS} simulated worlds; statistics of ${SCENARIO_RUNS} scenario runs`,
  run: async (bench) => {
    simulate(bench);
    await time(bench);
  },
};

function simulate(bench: Bench): void {
  const random = new Random(SEED);
  const worlds = bench.isQuick ? WORLDS / 10 : WORLDS;
  const usual = Array.from({ length: worlds }, () => drawWorld(random));
  const share = (
    what: string,
    load: string,
    hits: number,
    of: number,
    goal: readonly ['at least' | 'at most', number] | null,
  ) =>
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
  const describe = ({ scenarios: [few, many], trials: [once, often] }: WorldLimits): string =>
    `${few === many ? few : `${few} to ${many}`} scenarios, ${once === often ? once : `${once} to ${often}`} trials`;

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
    'alarms at 95 % for an unchanged agent',
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
    'a drop of 20 points found as worse',
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

/** The statistics of one run as large as a run may be, asked for by one client after the other. */
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
