import { Command } from 'commander';
import { simulateDay } from './day';
import { needsOf, type Costs, type Demand } from './needs';
import { ReportTable } from './table';

/** Measured on two cores; docs/scale.md says when and by which command. */
const COSTS: Costs = {
  bytesOf: { testRun: 1_120, scenarioRun: 5_222, turn: 1_242, event: 306 },
  walBytesATurn: 11_100,
  serviceMsATurn: 2.57,
  databaseMsATurn: 1.0,
  liveBytes: 0.28e6,
};
const SLOTS_A_PROCESS = 500;
const POOL = 10;

interface Options {
  readonly scenarioRuns: string;
  readonly turns: string;
  readonly turnSeconds: string;
  readonly peak: string;
  readonly days: string;
}

/** Prints what so many scenario runs a day need, with everything that was assumed. */
function main(): void {
  const { scenarioRuns, turns, turnSeconds, peak, days } = new Command('npm run bench:needs --')
    .option('--scenario-runs <number>', 'a day', '1000000')
    .option('--turns <number>', 'of a conversation', '6')
    .option('--turn-seconds <number>', 'what agent and patient take for a turn', '5')
    .option('--peak <number>', 'the busiest moment, in multiples of the average', '3')
    .option('--days <number>', 'how long runs are kept', '90')
    .parse()
    .opts<Options>();
  const demand: Demand = {
    scenarioRunsADay: Number(scenarioRuns),
    scenariosARun: 24,
    turns: Number(turns),
    turnSeconds: Number(turnSeconds),
    markingSeconds: 10,
    peak: Number(peak),
    keptDays: Number(days),
  };
  for (const table of [assumptions(demand), needs(demand), places(demand)]) process.stdout.write(table.markdown);
}

function assumptions(demand: Demand): ReportTable {
  const table = new ReportTable('Assumed of the demand, and measured of the costs', ['what', 'value']);
  for (const [what, value] of Object.entries({ ...demand, ...COSTS.bytesOf, ...COSTS })) {
    if (typeof value === 'number') table.add(what, value.toLocaleString('en'));
  }
  return table;
}

function needs(demand: Demand): ReportTable {
  const found = needsOf(demand, COSTS);
  const table = new ReportTable('What it needs', ['what', 'on average', 'at the peak']);
  const rate = ([average, most]: readonly [number, number]): [string, string] => [average.toFixed(0), most.toFixed(0)];
  table.add('turns a second', ...rate(found.turnsASecond));
  table.add('events a second', ...rate(found.eventsASecond));
  table.add('commits a second, none of them shared', ...rate(found.commitsASecond));
  const [wal, mostWal] = found.walBytesASecond;
  table.add(
    'PostgreSQL writes ahead (WAL), a second',
    `${(wal / 1e6).toFixed(1)} MB`,
    `${(mostWal / 1e6).toFixed(1)} MB`,
  );
  table.add('the same, a day', gigabytes(found.walBytesADay), '');
  table.add('rows, texts and indexes, a day', gigabytes(found.bytesADay), '');
  table.add(`the same of ${demand.keptDays} days`, gigabytes(found.bytesKept), '');
  table.add('turns kept', found.rowsKept.turns.toLocaleString('en'), '');
  table.add('events kept', found.rowsKept.events.toLocaleString('en'), '');
  table.add('conversations under way', (found.live / demand.peak).toFixed(0), found.live.toFixed(0));
  table.add('processors of the service, busy to 60 %', '', found.serviceProcessors.toFixed(1));
  table.add('processors of PostgreSQL for writing, busy to 60 %', '', found.databaseProcessors.toFixed(1));
  table.add('memory of the live conversations', '', gigabytes(found.liveBytes));
  return table;
}

/** The number of processes: each uses one processor, so enough for the processors and for the places. */
function places(demand: Demand): ReportTable {
  const table = new ReportTable('A day on so many processes', [
    'processes',
    `places, ${SLOTS_A_PROCESS} each`,
    'most under way',
    'wait for a place: p50',
    'p99',
    `connections, ${POOL} each`,
  ]);
  const enough = Math.ceil(needsOf(demand, COSTS).live / SLOTS_A_PROCESS);
  for (const processes of [enough - 1, enough, enough + 1, enough + 2].filter((count) => count > 0)) {
    const { mostLive, waitP50, waitP99 } = simulateDay(demand, processes * SLOTS_A_PROCESS);
    const connections = String(processes * POOL);
    table.add(
      String(processes),
      String(processes * SLOTS_A_PROCESS),
      String(mostLive),
      `${waitP50.toFixed(0)} s`,
      `${waitP99.toFixed(0)} s`,
      connections,
    );
  }
  return table;
}

function gigabytes(bytes: number): string {
  return bytes >= 1e12 ? `${(bytes / 1e12).toFixed(2)} TB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

main();
