import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const ROOT = join(__dirname, '..', '..');
const FROM_SOURCE = `"${process.execPath}" --require "${join(ROOT, 'test', 'setup', 'register-typescript.cjs')}"`;

let folder: string;
let page: string;

beforeAll(async () => {
  page = await readFile(join(ROOT, 'docs', 'ci.md'), 'utf8');
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-ci-test-'));
  // What the page installs, from source. The package itself is installed by test/package.
  await mkdir(join(folder, '.osce', 'bin'), { recursive: true });
  await program(join('.osce', 'bin', 'osce'), `exec ${FROM_SOURCE} "${join(ROOT, 'cli', 'osce.ts')}" "$@"`);
  await program('npm', 'test "$*" = "install --global --prefix $PWD/.osce agent-osce.tgz"');
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
  const child = spawn('bash', ['--norc', '--noprofile', '-c', script], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      OSCE_PACKAGE: 'agent-osce.tgz',
      NODE_NO_WARNINGS: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return { code: child.exitCode, output };
}

describe('docs/ci.md', () => {
  test('the script starts a service, examines the demo agent and passes the bar', async () => {
    const { code, output } = await runScript(scriptUnder('Any CI server'));
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/Pass rate [3-9]/) });
    expect(await readFile(join(folder, 'osce-report', 'junit.xml'), 'utf8')).toContain('tests="7"');
  });

  test('and fails where the agent is below the bar', async () => {
    const careless = scriptUnder('Any CI server').replace('OSCE_TAGS=emergency', 'OSCE_TAGS=medication_safety');
    const { code } = await runScript(careless);
    expect(code).toBe(1);
    expect(await readFile(join(folder, 'osce-report', 'outputs.env'), 'utf8')).toContain('OSCE_VERDICT=below_bar');
  });

  test('the page names every input of action.yml, and every variable of osce ci', async () => {
    const action = manifest.parse(parse(await readFile(join(ROOT, 'action.yml'), 'utf8')));
    const variables = Object.keys(action.runs.steps.find(({ id }) => id === 'examine')?.env ?? {});
    expect(variables.filter((name) => name !== 'OSCE_COMMAND' && !page.includes(`\`${name}\``))).toEqual([]);
    const ofTheActionAlone = ['package', 'node-version', 'upload', 'artifact-name'];
    expect(
      Object.keys(action.inputs).filter(
        (name) => !variables.includes(variableOf(name)) && !ofTheActionAlone.includes(name),
      ),
    ).toEqual([]);
    expect(ofTheActionAlone.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

const manifest = z.object({
  inputs: z.record(z.string(), z.unknown()),
  runs: z.object({
    steps: z.array(z.object({ id: z.string().optional(), env: z.record(z.string(), z.string()).optional() })),
  }),
});

function variableOf(input: string): string {
  return `OSCE_${input.replaceAll('-', '_').toUpperCase()}`;
}
