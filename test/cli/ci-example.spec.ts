import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '../setup/database';
import { freePort } from '../setup/service-process';

const ROOT = join(__dirname, '..', '..');
const FROM_SOURCE = `"${process.execPath}" --require "${join(ROOT, 'test', 'setup', 'register-typescript.cjs')}"`;

let folder: string;
let page: string;

beforeAll(async () => {
  page = await readFile(join(ROOT, 'docs', 'ci.md'), 'utf8');
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-ci-test-'));
  // What the page calls after a build, from source.
  await program('npm', `exec ${FROM_SOURCE} "${join(ROOT, 'src', 'main.ts')}"`);
  await program('npx', `shift; exec ${FROM_SOURCE} "${join(ROOT, 'cli', 'osce.ts')}" "$@"`);
});
afterAll(() => rm(folder, { recursive: true }));

async function program(name: string, script: string): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

/** The script under a heading. */
function scriptUnder(heading: string): string {
  const script = new RegExp(`\n## ${heading}\n[^]*?\`\`\`sh\n([^]*?)\`\`\``).exec(page)?.[1];
  if (script === undefined) throw new Error(`There is no script under "${heading}".`);
  return script;
}

async function runScript(script: string): Promise<{ code: number | null; output: string }> {
  const database = await createTestDatabase();
  const port = await freePort();
  const child = spawn('bash', ['--norc', '--noprofile', '-c', script], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      PORT: String(port),
      OSCE_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: database.url,
      NODE_NO_WARNINGS: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  await database.drop();
  return { code: child.exitCode, output };
}

describe('docs/ci.md', () => {
  test('the script starts a service, examines the demo agent and passes the bar', async () => {
    const { code, output } = await runScript(scriptUnder('Any CI server'));
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('The bar of 85 % is reached.') });
    expect(await readFile(join(folder, 'results.xml'), 'utf8')).toContain('failures="0"');
  }, 120_000);

  test('and fails where the agent is below the bar', async () => {
    const careless = scriptUnder('Any CI server').replace('--tag emergency', '--tag medication_safety');
    const { code, output } = await runScript(careless);
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('below the bar of 85 %') });
  }, 120_000);

  test('the job of GitHub Actions runs the same script', () => {
    const job = /run: \|\n([^]*?)\n {6}- if:/.exec(page)?.[1] ?? '';
    expect(job.replaceAll(/^ {10}/gm, '').trim()).toBe(scriptUnder('Any CI server').trim());
  });
});
