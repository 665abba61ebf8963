import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FakeAgent } from '../fakes/fake-agent';
import { startFakeOpenAi } from '../fakes/openai-server';
import { OsceProcess } from '../cluster/osce-process';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { GOOD_REPLY } from '../setup/examination';
import { peerProgram } from './peer-program';

const ROOT = join(__dirname, '..', '..');
const PEERS = join(ROOT, 'test', 'peers');
const MODULES = join(ROOT, 'node_modules');
const SEEN = { status: 'completed', passed: true, decision: 'MET', error: { error: 'Agent not found' } };

let database: TestDatabase;
let service: OsceProcess;
let agent: FakeAgent;
let folder: string;
let description: string;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await OsceProcess.start({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' });
  agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-clients-'));
  description = join(folder, 'openapi.json');
  await mkdir(join(folder, 'node_modules'));
  await symlink(ROOT, join(folder, 'node_modules', 'agent-osce'));
  await symlink(join(MODULES, 'openapi-fetch'), join(folder, 'node_modules', 'openapi-fetch'));
  await writeFile(description, JSON.stringify((await service.api.get('/docs/openapi.json')).body));
});
afterAll(async () => {
  await service?.end('SIGTERM');
  await database?.drop();
  await agent?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a program in the folder; what it prints on failure is part of the error. */
async function run(
  program: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ...variables };
  const { stdout, stderr } = await promisify(execFile)(program, [...args], {
    cwd: folder,
    env,
    timeout: 120_000,
  }).catch((error: unknown) => {
    const printed = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`${String(error)}\n${printed}`);
  });
  expect(`${stdout}${stderr}`).not.toMatch(/\b(?:warning|error)s?\b(?!")/i);
  return stdout;
}

/** Compiles a program of the peers, in the folder where generators have written. */
async function compile(name: string, skipsLibCheck: boolean): Promise<void> {
  await copyFile(join(PEERS, name), join(folder, name));
  const compilerOptions = {
    ...{ target: 'ES2022', lib: ['ES2023', 'DOM', 'DOM.Iterable'], module: 'NodeNext', strict: true },
    ...{ skipLibCheck: skipsLibCheck, noUncheckedIndexedAccess: true, types: ['node'] },
    ...{ typeRoots: [join(MODULES, '@types')], outDir: 'compiled', rootDir: '.' },
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [name] }));
  await run(process.execPath, [join(MODULES, 'typescript', 'bin', 'tsc'), '-p', folder]);
}

async function use(program: string): Promise<unknown> {
  return JSON.parse(
    await run(process.execPath, [join(folder, 'compiled', `${program}.js`), service.url, agent.baseUrl]),
  );
}

test('@hey-api/openapi-ts makes a client that compiles with strict types and examines an agent', async () => {
  await run(process.execPath, [
    join(MODULES, '@hey-api', 'openapi-ts', 'bin', 'run.js'),
    ...[
      '--input',
      description,
      '--output',
      join(folder, 'generated'),
      '--client',
      '@hey-api/client-fetch',
      '--no-log-file',
    ],
  ]);
  await compile('hey-api-client.ts', true);
  expect(await use('hey-api-client')).toEqual(SEEN);
});

test('openapi-typescript makes types that compile with openapi-fetch', async () => {
  const schema = join(folder, 'schema.d.ts');
  await run(process.execPath, [join(MODULES, 'openapi-typescript', 'bin', 'cli.js'), description, '--output', schema]);
  await compile('openapi-fetch-client.ts', false);
  expect(await use('openapi-fetch-client')).toEqual({ status: 'completed', error: SEEN.error });
});

test('agent-osce/client compiles with strict types, those of its own included, and examines an agent', async () => {
  await compile('package-client.ts', false);
  expect(await use('package-client')).toEqual(SEEN);
});

test('agent-osce/client is what its package hands out, to import and to require', async () => {
  const use = `const osce = createOsceClient({ url: '${service.url}' }); osce.GET('/health/live').then(({ data }) => console.log(data?.status));`;
  for (const get of [
    `import { createOsceClient } from 'agent-osce/client'`,
    `const { createOsceClient } = require('agent-osce/client')`,
  ]) {
    const type = get.startsWith('import') ? 'module' : 'commonjs';
    const { stdout } = await promisify(execFile)(process.execPath, [`--input-type=${type}`, '-e', `${get};${use}`], {
      cwd: ROOT,
    });
    expect(stdout).toBe('ok\n');
  }
});

test('openapi-python-client makes a client that compiles and examines an agent', async () => {
  const generated = join(folder, 'osce_client');
  const python = peerProgram('python');
  // As docs/clients.md says: the generator knows text, JSON and bytes, no pictures.
  const config = join(folder, 'config.json');
  const overrides = { 'image/jpeg': 'application/octet-stream', 'audio/wav': 'application/octet-stream' };
  await writeFile(config, JSON.stringify({ content_type_overrides: overrides }));
  await run(
    peerProgram('openapi-python-client'),
    [
      'generate',
      '--path',
      description,
      '--meta',
      'none',
      '--output-path',
      generated,
      '--config',
      config,
      '--fail-on-warning',
    ],
    { PATH: `${peerProgram('')}:${process.env['PATH'] ?? ''}` },
  );
  expect(existsSync(join(generated, 'api', 'test_runs', 'start_run.py'))).toBe(true);
  await run(python, ['-m', 'compileall', '-q', generated]);
  const printed = await run(python, [join(PEERS, 'python_client.py'), service.url, agent.baseUrl], {
    PYTHONPATH: folder,
  });
  expect(JSON.parse(printed)).toEqual(SEEN);
});
