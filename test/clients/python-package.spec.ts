import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OsceProcess } from '../cluster/osce-process';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { createAgent, createScenarios, GOOD_REPLY } from '../setup/examination';
import { peerProgram } from './peer-program';

const ROOT = join(__dirname, '..', '..');
const PACKAGE = join(ROOT, 'packages', 'python');
const KEY = 'key-of-the-python-tests-1234567890';
/** The limit of what hangs; a machine that does nothing else takes a tenth of it. */
const WITHIN_MS = 600_000;

let folder: string;
/** The Python of a fresh environment with the built wheel, pytest, and nothing else. */
let python: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-python-'));
  python = join(folder, 'fresh', 'bin', 'python');
  // A copy: builds and caches leave nothing in the checkout.
  await cp(PACKAGE, join(folder, 'package'), {
    recursive: true,
    filter: (path) => !/(_cache|__pycache__|dist)$/.test(path),
  });
  await run(peerProgram('python'), [
    '-m',
    'build',
    '--no-isolation',
    '--outdir',
    join(folder, 'built'),
    join(folder, 'package'),
  ]);
  await run(peerProgram('python'), ['-m', 'venv', join(folder, 'fresh')]);
  await run(python, [
    ...['-m', 'pip', 'install', '-q', '--disable-pip-version-check', '--no-index'],
    ...['--find-links', join(peerProgram(''), '..', 'wheels'), `${await built('.whl')}[pytest]`],
  ]);
}, WITHIN_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(program: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, PYTHONDONTWRITEBYTECODE: '1', ...variables };
  const options = { cwd: join(folder, 'package'), env, timeout: WITHIN_MS, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(program, [...args], options).catch((error: unknown) => {
    const printed = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`${String(error)}\n${printed}`);
  });
  return stdout;
}

async function built(ending: string): Promise<string> {
  const [name, ...others] = (await readdir(join(folder, 'built'))).filter((file) => file.endsWith(ending));
  expect(others).toEqual([]);
  return join(folder, 'built', String(name));
}

test('its types are what the description of the API makes now', async () => {
  const script = join(ROOT, 'scripts', 'write-python-types.ts');
  const loader = join(ROOT, 'test', 'setup', 'register-typescript.cjs');
  await expect(run(process.execPath, ['--require', loader, script, '--check'])).resolves.toBe('');
});

test('a wheel and a source distribution hold the package, its licence and that it is typed, and nothing else', async () => {
  const modules = (await readdir(join(PACKAGE, 'src', 'agent_osce'))).filter((name) => /\.py$|^py\.typed$/.test(name));
  const wheel = await run(python, ['-m', 'zipfile', '-l', await built('.whl')]);
  const files = [...wheel.matchAll(/^(\S+)\s+\d{4}-/gm)].map(([, name]) => String(name));
  const information = ['METADATA', 'RECORD', 'WHEEL', 'entry_points.txt', 'licenses/LICENSE'];
  expect(files.map((name) => name.replace(/^agent_osce-[\d.]+\.dist-info/, 'info')).sort()).toEqual(
    [...modules.map((name) => `agent_osce/${name}`), ...information.map((name) => `info/${name}`)].sort(),
  );
  expect(await run(python, ['-m', 'tarfile', '-l', await built('.tar.gz')])).toMatch(/\/LICENSE\s/);
  expect(await readFile(join(PACKAGE, 'LICENSE'))).toEqual(await readFile(join(ROOT, 'LICENSE')));
});

test('its types hold in the strict mode of mypy, and so do the tests that use them', async () => {
  const printed = await run(peerProgram('mypy'), [
    '--python-executable',
    python,
    '--cache-dir',
    join(folder, 'mypy'),
    'src',
    'tests',
  ]);
  expect(printed).toMatch(/^Success: no issues found in \d+ source files\n$/);
});

test('ruff finds nothing, and would write it the same way', async () => {
  await expect(run(peerProgram('ruff'), ['check', '-q', '--no-cache', '.'])).resolves.toBe('');
  await expect(run(peerProgram('ruff'), ['format', '-q', '--no-cache', '--check', '.'])).resolves.toBe('');
});

describe('with a service', () => {
  let database: TestDatabase;
  let service: OsceProcess;
  const agents: FakeAgent[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
    service = await OsceProcess.start({ DATABASE_URL: database.url, LOG_LEVEL: 'warn', SERVICE_API_KEY: KEY });
    const api = new ApiClient(service.url, { 'x-api-key': KEY });
    const named = async (name: string, agent: FakeAgent): Promise<void> => {
      agents.push(agent);
      await api.patch(`/api/v1/agents/${await createAgent(api, agent.baseUrl)}`, { name });
    };
    await named('Good', await startFakeOpenAi({ reply: () => GOOD_REPLY }));
    await named('Bad', await startFakeOpenAi({ reply: () => 'Rest a little.' }));
    await named('Slow', await startFakeOpenAi({ reply: () => GOOD_REPLY, delayMs: 20_000 }));
    for (const agent of agents.slice(0, 2)) {
      await api.patch(`/api/v1/agents/${await createAgent(api, agent.baseUrl)}`, { name: 'Twin' });
    }
    await api.post('/api/v1/test-suites', { name: 'Gate', scenario_ids: await createScenarios(api, 2) });
  });
  afterAll(async () => {
    await service?.end('SIGTERM');
    await database?.drop();
    for (const agent of agents) await agent.close();
  });

  // What is not run is not passed: the last line has to say that all of them were.
  test(
    'its tests pass against the wheel: the client, hostile answers, the plugin',
    async () => {
      await rm(join(folder, 'package', 'src'), { recursive: true });
      const printed = await run(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], {
        OSCE_URL: service.url,
        OSCE_API_KEY: KEY,
      });
      expect(printed).toMatch(/\n[7-9]\d passed in [\d.]+s[^\n]*\n$/);
      expect(service.output).not.toContain('"level":"error"');
    },
    WITHIN_MS,
  );
});
