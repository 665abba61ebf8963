import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import startPostgres from '../setup/start-postgres';
import stopPostgres from '../setup/stop-postgres';
import { AREAS, type Area } from './areas';
import { faultsOf, filesOf, inOrderOf, type Mutant } from './mutants';
import { Reach } from './reach';
import { scoreOf } from './score';
import { SpecProcess } from './spec-process';
import { type Outcome, Trials } from './trial';

const ROOT = join(__dirname, '..', '..');
const REPORTS = join(ROOT, 'reports', 'mutation');

interface Options {
  readonly sample?: number;
  readonly seed: number;
  readonly workers: number;
  readonly minutes?: number;
  readonly only?: string;
  readonly specs?: readonly string[];
  readonly again: boolean;
}

interface Result {
  readonly mutant: Mutant;
  readonly outcome: Outcome;
}

/** Puts small faults into an area of the code, one at a time, and says which of them its tests do not notice. */
async function main(): Promise<void> {
  const { name, area, options } = readCommand();
  await mkdir(REPORTS, { recursive: true });
  if (area.needsPostgres) await startPostgres();
  try {
    await examine(name, area, options);
  } finally {
    if (area.needsPostgres) await stopPostgres();
  }
}

async function examine(name: string, area: Area, options: Options): Promise<void> {
  const { mutants, sources } = await faultsOf(area, options.only);
  const instrumented = { sources, seed: options.seed };
  const processes = Array.from({ length: options.workers }, () => new SpecProcess(instrumented));
  try {
    const [first] = processes;
    if (first === undefined) return;
    const reach = await Reach.of(filesOf(options.specs ?? area.specs, '.spec.ts'), first, tell);
    const tried = mutants.filter(({ id }) => !reach.isOnlyLoaded(id));
    const sample = inOrderOf(options.seed, tried).slice(0, options.sample);
    tell(
      `${name}: ${mutants.length} mutants, ${tried.length} of them not only in what is evaluated when a file is loaded\n`,
    );
    const file = join(REPORTS, `${name}.jsonl`);
    const known = options.again ? new Map<string, Outcome>() : noticedBefore(file);
    const queue = [...sample];
    const end = performance.now() + 60_000 * (options.minutes ?? Infinity);
    const results: Result[] = [];
    const work = async (runs: SpecProcess): Promise<void> => {
      const trials = new Trials(runs);
      for (let mutant = queue.shift(); mutant && performance.now() < end; mutant = queue.shift()) {
        const outcome = known.get(keyOf(mutant)) ?? (await trials.outcomeOf(mutant.id, reach.selections(mutant.id)));
        results.push({ mutant, outcome });
        if (!known.has(keyOf(mutant))) await appendFile(file, `${JSON.stringify({ key: keyOf(mutant), outcome })}\n`);
        if (outcome !== 'killed') tell(describe(mutant, outcome));
        if (results.length % 25 === 0) tell(`${results.length} of ${sample.length}\n`);
      }
    };
    await Promise.all(processes.map(work));
    tell(summary(name, options, results, tried.length));
  } finally {
    await Promise.all(processes.map((runs) => runs.replace()));
  }
}

/** The mutant in the text of its file. */
function keyOf({ fileHash, key }: Mutant): string {
  return `${fileHash} ${key}`;
}

/** What earlier runs of the command have shown of files that are unchanged. */
function noticedBefore(file: string): Map<string, Outcome> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const all = lines.map((line): { readonly key: string; readonly outcome: Outcome } => JSON.parse(line));
  const noticed = all.filter(({ outcome }) => outcome === 'killed' || outcome === 'timed out');
  return new Map(noticed.map(({ key, outcome }) => [key, outcome]));
}

function summary(name: string, { seed }: Options, results: readonly Result[], all: number): string {
  const score = scoreOf(results.map(({ outcome }) => outcome));
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const { share, low, high } = score.noticed;
  const isAll = results.length === all;
  const of = isAll ? `all ${all} mutants` : `${results.length} of ${all} mutants by seed ${seed}`;
  const interval = isAll ? '' : ` (95 % interval ${percent(low)} to ${percent(high)})`;
  return (
    `${name}: ${of}: ${percent(share)} noticed${interval}; ${score.killed} killed, ${score['timed out']} timed out, ` +
    `${score.survived} survived, ${score['not run']} in code that no test runs, ${score['not tried']} could not be tried\n`
  );
}

/** Where it is, and what stands there instead. */
function describe({ path, line, column, kind, replacement }: Mutant, outcome: Outcome): string {
  const shown = replacement.replaceAll(/\s+/g, ' ').slice(0, 120);
  return `${outcome.padEnd(9)} ${path}:${line}:${column} ${kind}: ${shown}\n`;
}

function tell(text: string): void {
  process.stdout.write(text);
}

function readCommand(): { readonly name: string; readonly area: Area; readonly options: Options } {
  const names = Object.entries(AREAS).map(([name, { idea }]) => `  ${name.padEnd(10)} ${idea}`);
  const command = new Command('npm run mutation --')
    .description('Puts small faults into an area of the code, one at a time, and says which its tests do not notice.')
    .argument('<area>', 'the area', (name: string) => {
      if (AREAS[name] !== undefined) return name;
      throw new InvalidArgumentError(`The areas are ${Object.keys(AREAS).join(', ')}.`);
    })
    .option('--sample <number>', 'try so many mutants, chosen by the seed, instead of all', positive)
    .option('--seed <number>', 'chooses the sample; a random one is printed', whole)
    .option('--workers <number>', 'processes that run tests at a time', positive, 1)
    .option('--minutes <number>', 'end after so many minutes of trying, with what was tried until then', positive)
    .option(
      '--only <path>',
      'a file or lines of one, as src/examiners/judge/vote.ts or src/examiners/judge/vote.ts:20-40',
    )
    .option('--specs <path...>', 'specs, or folders of them that end with a slash, instead of all of the area')
    .option('--again', 'try those again, too, that an earlier run has seen noticed', false)
    .addHelpText(
      'after',
      `\nAreas:\n${names.join('\n')}\n\nreports/mutation keeps what was noticed in files that are unchanged since.`,
    )
    .parse();
  const [name = ''] = command.processedArgs as readonly string[];
  const area = AREAS[name];
  if (area === undefined) throw new Error('The area is unknown.');
  return { name, area, options: { seed: randomInt(2 ** 31), ...command.opts<Omit<Options, 'seed'>>() } };
}

function positive(text: string): number {
  const number = whole(text);
  if (number === 0) throw new InvalidArgumentError('It must be above 0.');
  return number;
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
