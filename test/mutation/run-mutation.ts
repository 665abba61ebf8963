import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { Command, InvalidArgumentError } from 'commander';
import startPostgres from '../setup/start-postgres';
import stopPostgres from '../setup/stop-postgres';
import { AREAS, type Area } from './areas';
import { scoreOf } from './score';

const ROOT = join(__dirname, '..', '..');
const REPORTS = join(ROOT, 'reports', 'mutation');

interface Arguments {
  readonly sample?: number;
  readonly seed?: number;
  readonly workers: number;
  readonly only?: string;
  readonly static: boolean;
}

type Options = Arguments & { readonly seed: number };

/** Puts small faults into an area of the code, one at a time, and says which of them its tests do not notice. */
async function main(): Promise<void> {
  const { name, area, options } = readCommand();
  const sample = options.sample === undefined ? '' : `-${options.sample}-of-seed-${options.seed}`;
  const report = join(REPORTS, `${name}${options.static ? '' : '-without-static'}${sample}`);
  await mkdir(REPORTS, { recursive: true });
  Object.assign(process.env, {
    // All cases of the specs that try some of theirs elsewhere.
    CI: 'true',
    MUTATION_SAMPLE: options.sample === undefined ? '' : String(options.sample),
    MUTATION_SEED: String(options.seed),
    MUTATION_CHOICE: `${report}.choice.json`,
    ...testServers(),
  });
  if (area.needsPostgres) await startPostgres();
  try {
    const results = await new Stryker(strykerOptions(area, options, report)).runMutationTest();
    const chosen = new Set<unknown>(JSON.parse(readFileSync(`${report}.choice.json`, 'utf8')));
    const mutants = results.filter(({ id }) => chosen.has(id));
    const all = results.filter(({ status }) => status !== 'Ignored').length;
    print(name, options, mutants, all);
    process.stdout.write(`The report: ${report}.html\n`);
  } finally {
    if (area.needsPostgres) await stopPostgres();
  }
}

function strykerOptions(
  area: Area,
  { workers, only, static: withStatic }: Options,
  report: string,
): PartialStrykerOptions {
  return {
    mutate: only === undefined ? [...area.mutated] : [only],
    // What a log line or an error says is read by people; whether it is said at all, other mutants ask.
    mutator: { excludedMutations: ['StringLiteral'] },
    testRunner: 'jest',
    coverageAnalysis: 'perTest',
    ignoreStatic: !withStatic,
    jest: {
      configFile: 'test/mutation/jest.config.cjs',
      config: {
        testMatch: area.specs.map((spec) => `<rootDir>/test/${spec}`),
        // Where imports are followed, to find the specs that a file concerns.
        roots: ['<rootDir>/test', '<rootDir>/src', '<rootDir>/machines'],
      },
    },
    concurrency: workers,
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 30,
    // A mutant that stopped the event loop, or left something open, is not to hurt the next.
    maxTestRunnerReuse: 50,
    plugins: ['@stryker-mutator/jest-runner', join(__dirname, 'sample.mjs')],
    checkers: ['sample'],
    reporters: ['sample', 'progress-append-only', 'json', 'html'],
    jsonReporter: { fileName: `${report}.json` },
    htmlReporter: { fileName: `${report}.html` },
    incremental: true,
    incrementalFile: `${report}.incremental.json`,
    ignorePatterns: ['/artifacts', '/data', '/dist', '/coverage', '/reports', '/web'],
    disableTypeChecks: false,
    allowConsoleColors: false,
    cleanTempDir: 'always',
  };
}

/** Servers that tests find beside the code, which the copy of it has not. */
function testServers(): Record<string, string> {
  const servers = { NATS_SERVER_NEW: 'nats-server', LIVEKIT_SERVER: 'livekit-server' };
  const found = Object.entries(servers).map(([name, program]) => [
    name,
    process.env[name] ?? join(ROOT, 'artifacts', 'bin', program),
  ]);
  return Object.fromEntries(found.filter(([, path]) => existsSync(path ?? '')));
}

function print(name: string, { sample, seed }: Options, mutants: readonly MutantResult[], all: number): void {
  const { killed, timedOut, survived, uncovered, broken, detected } = scoreOf(mutants);
  const unnoticed = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  for (const mutant of unnoticed) process.stdout.write(`${describe(mutant)}\n`);
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const of = sample === undefined ? `all ${all} mutants` : `${mutants.length} of ${all} mutants by seed ${seed}`;
  const interval = sample === undefined ? '' : ` (95 % interval ${percent(detected.low)} to ${percent(detected.high)})`;
  process.stdout.write(
    `${name}: ${of}: ${percent(detected.share)} noticed${interval}; ` +
      `${killed} killed, ${timedOut} timed out, ${survived} survived, ${uncovered} in code that no test runs, ` +
      `${broken} could not be tried\n`,
  );
}

/** Where it is, and what stands there instead. */
function describe({ fileName, location, mutatorName, replacement, status }: MutantResult): string {
  const { line, column } = location.start;
  const path = fileName.replace(`${ROOT}/`, '');
  const shown = replacement.replaceAll(/\s+/g, ' ').slice(0, 100);
  return `${status === 'NoCoverage' ? 'not run ' : 'survived'} ${path}:${line}:${column} ${mutatorName}: ${shown}`;
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
    .option(
      '--no-static',
      'leave out what is evaluated when a file is loaded: each such mutant takes all specs of the area',
    )
    .option(
      '--only <glob>',
      'files or one range of the area, as src/examiners/judge/vote.ts or src/examiners/judge/vote.ts:20-40',
    )
    .addHelpText(
      'after',
      `\nAreas:\n${names.join('\n')}\n\nResults of unchanged code and tests are kept in reports/mutation.`,
    )
    .parse();
  const [name = ''] = command.processedArgs as readonly string[];
  const area = AREAS[name];
  if (area === undefined) throw new Error('The area is unknown.');
  return { name, area, options: { seed: randomInt(2 ** 31), ...command.opts<Arguments>() } };
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
