import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { createTestDatabase } from '../setup/database';
import { OsceProcess } from './osce-process';

const ROOT = join(__dirname, '..', '..');
const DIST = join(ROOT, process.env['OSCE_DIST'] ?? 'dist');
const NOTES_FILES = `--require ${JSON.stringify(join(__dirname, '..', 'setup', 'note-loaded-files.cjs'))}`;
/** Nothing is sent there. */
const UNUSED = 'http://127.0.0.1:9';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-one-file-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The files below dist/ among those that a process has loaded. */
async function ownFiles(noted: string): Promise<string[]> {
  const loaded: string[] = JSON.parse(await readFile(noted, 'utf8'));
  return loaded.map((path) => relative(DIST, path)).filter((path) => !path.startsWith('..'));
}

// A second copy of a module would have classes of its own: `instanceof` would be false of the other copy's errors.
test('the built service is one file, also where models of two vendors and tracing are set up', async () => {
  const database = await createTestDatabase();
  const noted = join(folder, 'service.json');
  try {
    const service = await OsceProcess.start({
      DATABASE_URL: database.url,
      ANTHROPIC_API_KEY: 'sk-ant-not-used',
      EXAMINER_API_KEY: 'sk-not-used',
      ALLOWED_MODELS: 'anthropic/claude-opus-4-5,openai/gpt-5',
      OTEL_EXPORTER_OTLP_ENDPOINT: UNUSED,
      NODE_OPTIONS: NOTES_FILES,
      NOTE_LOADED_FILES: noted,
    });
    expect(await service.end('SIGTERM')).toBe(0);
    expect((await ownFiles(noted)).sort()).toEqual(['bundled-start.cjs', 'src/main.js']);
  } finally {
    await database.drop();
  }
});

test('the built command is one file beside the one that says its version', async () => {
  const noted = join(folder, 'command.json');
  const env = { PATH: process.env['PATH'] ?? '', NODE_OPTIONS: NOTES_FILES, NOTE_LOADED_FILES: noted };
  const command = [join(DIST, 'cli', 'osce.js'), 'runs', 'list', '--help'];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  expect(stdout).toContain('Usage: osce runs list');
  expect((await ownFiles(noted)).sort()).toEqual([
    'bundled-start.cjs',
    'cli/osce.js',
    'cli/run-command.js',
    'src/platform/config/version.js',
  ]);
});

describe.each(['src/main', 'cli/run-command'])('%s.bundle.js', (program) => {
  const file = join(DIST, `${program}.bundle.js`);

  test('is in ASCII, as it is read', async () => {
    expect((await readFile(file)).every((byte) => byte < 128)).toBe(true);
  });

  test('has a compiled form beside it that this Node takes', async () => {
    const cachedData = await readFile(`${file}.v8`);
    const source = await readFile(file, 'latin1');
    const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
      cachedData,
    });
    expect(script.cachedDataRejected).toBe(false);
  });
});

test('without a compiled form that this Node takes, the service starts all the same', async () => {
  // V8 takes no form that was compiled under other flags.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--max-old-space-size=700', join(DIST, 'src', 'main.js'), '--help'],
    { env: {} },
  );
  expect(stdout).toContain('DATABASE_URL');
});
