import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import RandomOrder from './random-order.cjs';

const ROOT = join(__dirname, '..', '..');

interface Told {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
}

/** What Jest says of sample files, by their names, and what it prints. */
async function run(names: readonly string[], ...options: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'agent-osce-runner-'));
  const file = join(folder, 'results.json');
  try {
    const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
    const config = join(__dirname, 'samples', 'jest.config.cjs');
    const args = ['--config', config, '--json', '--outputFile', file, '--colors=false', ...options, ...names];
    const child = spawn(process.execPath, [jest, ...args], { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] });
    let printed = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
    await once(child, 'close');
    const results: { readonly testResults: readonly Told[] } = JSON.parse(await readFile(file, 'utf8'));
    const of = (name: string): Told | undefined =>
      results.testResults.find((told) => told.name.includes(`/${name}.ts`));
    return { code: child.exitCode, printed, of };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const testsOf = (told: Told | undefined): Record<string, string> =>
  Object.fromEntries((told?.assertionResults ?? []).map(({ title, status }) => [title, status]));

describe('files in one process', () => {
  let told: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    // By this seed the file that finds nothing comes last.
    told = await run(['leaves-things', 'finds-nothing', 'spies', 'fails'], '--runInBand', '--seed=5', '--forceExit');
  });

  test('a file that leaves something behind fails and names it, though its tests pass', () => {
    const left = told.of('leaves-things');
    expect(testsOf(left)).toEqual({ passes: 'passed' });
    expect(left?.status).toBe('failed');
    expect(told.printed).toContain('FAIL test/runner/samples/leaves-things.ts');
    for (const thing of [
      'a server on {"address":"127.0.0.1"',
      ': sleep 30',
      'process.env.LEFT_BEHIND, which it set',
      `${tmpdir()} as the working folder`,
      "listeners of the process's event SIGUSR2",
    ]) {
      expect(left?.message).toContain(thing);
    }
  });

  test('a later one finds the environment, the folder, the listeners and what was spied on as they were', () => {
    const order = [...told.printed.matchAll(/^(?:PASS|FAIL) .*samples\/([\w-]+)/gm)].map(([, name]) => name);
    expect(order).toEqual(['leaves-things', 'spies', 'fails', 'finds-nothing']);
    expect(told.of('spies')?.status).toBe('passed');
    expect(testsOf(told.of('finds-nothing'))).toEqual({
      'finds the process as it was': 'passed',
      'has promises that carry nothing from file to file': 'passed',
    });
    expect(told.of('finds-nothing')?.status).toBe('passed');
  });

  test('a failure is shown where it is in the spec, without a line of the runner', () => {
    const { message = '' } = told.of('fails') ?? {};
    expect(testsOf(told.of('fails'))).toEqual({
      'takes too long': 'failed',
      'throws outside of any call': 'failed',
      'asks for a mock': 'failed',
    });
    expect(message).toContain('Exceeded timeout of 300 ms for a test');
    expect(message).toContain('test/runner/samples/fails.ts:3:1');
    expect(message).toContain('test/runner/samples/fails.ts:7:11');
    expect(message).toContain('test/runner/samples/fails.ts:13:8');
    expect(message).toContain('There is no jest.mock here');
    expect(message).not.toMatch(/at .*(run-file|shared-runtime|register-typescript)/);
  });
});

test('an error that comes after the last test fails a file and names its line; the others are run', async () => {
  const told = await run(['throws-late', 'leaves-things', 'spies'], '--runInBand', '--forceExit', '--seed=5');
  expect(told.code).toBe(1);
  expect(testsOf(told.of('throws-late'))).toEqual({ passes: 'passed' });
  expect(told.printed).toContain('PASS test/runner/samples/spies.ts');
  for (const what of ['thrown', 'rejected']) {
    expect(told.printed).toContain(
      `an error outside of any test, of this file or of one before it: Error: ${what} after the last test\n`,
    );
  }
  expect(told.printed).toContain('test/runner/samples/throws-late.ts:3:11');
});

test('a file that never ends, or would end its process, fails by its name; the others are run', async () => {
  const told = await run(['stands-still', 'exits', 'leaves-things', 'finds-nothing', 'spies'], '--maxWorkers=2');
  expect(told.code).toBe(1);
  expect(told.of('stands-still')?.status).toBe('failed');
  expect(told.of('exits')?.status).toBe('failed');
  // A process of its own has no timers of Jest's.
  expect(told.of('leaves-things')?.message).toContain('1 more of what Node calls Timeout');
  expect(told.of('finds-nothing')?.status).toBe('passed');
  expect(told.of('spies')?.status).toBe('passed');
  expect(told.printed).toMatch(/The process of \S+stands-still\.ts is killed: its event loop has stood still for 5 s/);
  expect(testsOf(told.of('exits'))).toEqual({ 'ends the process': 'failed', 'hides that it does': 'passed' });
  expect(told.of('exits')?.message).toContain('test/runner/samples/exits.ts:1:');
  expect(told.of('exits')?.message).toContain('- a call of process.exit(3)');
});

test('the order of files is by the seed alone', () => {
  const context = { config: { rootDir: '/checkout' } };
  const files = Array.from({ length: 20 }, (_, number) => ({ path: `/checkout/test/${number}.spec.ts`, context }));
  const order = (seed: number, among = files) =>
    new RandomOrder({ contexts: [], globalConfig: { seed } }).sort(among).map(({ path }) => path);
  const first = order(1);
  expect(order(1, files.toReversed())).toEqual(first);
  expect(order(2)).not.toEqual(first);
  expect([...order(2)].sort()).toEqual([...first].sort());
  // Elsewhere, and without some of them, the same.
  const few = first.filter((_, place) => place % 2 === 0);
  expect(
    order(
      1,
      files.filter(({ path }) => few.includes(path)),
    ),
  ).toEqual(few);
});

test('files that start servers come first, in an order by the seed', () => {
  const api = join(ROOT, 'test', 'api');
  const context = { config: { rootDir: ROOT } };
  const files = readdirSync(api).map((name) => ({ path: join(api, name), context }));
  const sorted = new RandomOrder({ contexts: [], globalConfig: { seed: 1 } }).sort(files);
  const starts = sorted.map(({ path }) => readFileSync(path, 'utf8').includes("setup/service-process'"));
  expect(starts.filter((it) => it).length).toBeGreaterThan(2);
  expect(starts.lastIndexOf(true)).toBeLessThan(files.length / 4);
});
