import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { Cluster } from '../cluster/cluster';
import { findNatsBinaries, INSTALL_HINT } from '../setup/nats-server';
import { ProcessWatch } from '../setup/process-watch';
import { footprintsOf } from './footprint';
import { playHistory } from './history';
import { findLeftovers } from './leftovers';
import { PROCESSES } from './plan';
import { SoakReport } from './report';
import { World } from './world';

interface Options {
  readonly minutes: number;
  readonly histories: number;
  readonly seed: string;
  readonly only?: number;
  readonly clusters: number;
  readonly unhurt?: boolean;
  readonly log?: string;
}

/** A cluster with the world it calls, on which one history after the other is played. */
interface Stage {
  readonly cluster: Cluster;
  readonly world: World;
  readonly watch: ProcessWatch;
}

/** What is loaded and made on first use is there by then. */
const FIRST_FOOTPRINT_AFTER_MS = 60_000;

const stages = new Set<Stage>();

/** Plays random histories of failures on clusters of the built service, and says what went wrong in them. */
async function main(): Promise<void> {
  const options = readOptions();
  stopOnSignals();
  const report = new SoakReport(options.log ?? null);
  const stopAt = Date.now() + options.minutes * 60_000;
  const numbers = options.only === undefined ? countTo(options.histories) : [options.only].values();
  process.stdout.write(`seed ${options.seed}\n`);
  await Promise.all(
    Array.from({ length: options.only === undefined ? options.clusters : 1 }, (_, place) =>
      playOnOneCluster(place, options, numbers, stopAt, report),
    ),
  );
  report.sumUp(options.seed);
  if (report.violations > 0) process.exitCode = 1;
}

async function playOnOneCluster(
  place: number,
  { seed, log, unhurt }: Options,
  numbers: Iterator<number>,
  stopAt: number,
  report: SoakReport,
): Promise<void> {
  const began = Date.now();
  let stage: Stage | null = null;
  try {
    while (Date.now() < stopAt) {
      const next = numbers.next();
      if (next.done === true) break;
      stage ??= await openStage(place, unhurt === true);
      const history = await playHistory(stage.cluster, stage.world, seed, next.value).catch((error: unknown) => {
        report.addBroken(next.value, error);
        return null;
      });
      if (history !== null) report.addHistory(history);
      if ((history === null || history.violations.length > 0) && log !== undefined) {
        writeFileSync(`${log}.history-${next.value}.txt`, stage.cluster.output);
      }
      if (history?.isSettled !== true) {
        await closeStage(stage);
        stage = null;
      } else if (Date.now() - began >= FIRST_FOOTPRINT_AFTER_MS) {
        report.addFootprints(place, await footprintsOf(stage.cluster, stage.watch));
      }
    }
    if (stage !== null) report.addLeftovers(await findLeftovers(stage.cluster, stage.world));
  } finally {
    if (stage !== null) await closeStage(stage);
  }
}

/** The servers of NATS that are installed take turns. */
async function openStage(place: number, unhurt: boolean): Promise<Stage> {
  const binaries = findNatsBinaries();
  const natsServer = binaries[place % binaries.length];
  if (natsServer === undefined) throw new Error(`There is no nats-server: ${INSTALL_HINT}.`);
  const world = await World.start();
  const watch = new ProcessWatch();
  const cluster = await Cluster.start({
    processes: PROCESSES,
    ownPostgres: true,
    natsServer,
    variables: {
      ANTHROPIC_API_KEY: 'soak',
      ANTHROPIC_BASE_URL: world.modelsUrl,
      NODE_NO_WARNINGS: '0',
      ...watch.environment,
    },
  });
  if (unhurt) await cluster.addProcess();
  process.stdout.write(
    `cluster ${place + 1}: ${cluster.members.length} processes, nats-server ${natsServer.version}\n`,
  );
  const stage = { cluster, world, watch };
  stages.add(stage);
  return stage;
}

async function closeStage(stage: Stage): Promise<void> {
  if (!stages.delete(stage)) return;
  await stage.cluster.close();
  await stage.world.close();
  stage.watch.close();
}

function* countTo(last: number): Generator<number> {
  for (let number = 1; number <= last; number += 1) yield number;
}

function readOptions(): Options {
  return new Command('npm run soak --')
    .description('Plays random histories of failures on a cluster of three processes.')
    .option('--minutes <number>', 'begin no history after this time', positive, 10)
    .option('--histories <number>', 'play so many histories', positive, 100_000)
    .option('--seed <text>', 'the same seed makes the same histories', String(randomInt(1_000_000)))
    .option('--only <number>', 'play only the history with this number', positive)
    .option('--clusters <number>', 'play on so many clusters side by side', positive, 1)
    .option('--unhurt', 'a further process that nothing is done to: it lives as long as the soak, and so may its leaks')
    .option(
      '--log <file>',
      'write one line of JSON for every history, and beside it what the processes of a bad one said',
    )
    .parse()
    .opts<Options>();
}

function positive(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('a number above 0');
  return number;
}

/** Ctrl-C leaves nothing running. */
function stopOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      const exit = (): void => process.exit(130);
      Promise.all([...stages].map(closeStage)).then(exit, exit);
    });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  const exit = (): void => process.exit(1);
  Promise.all([...stages].map(closeStage)).then(exit, exit);
});
