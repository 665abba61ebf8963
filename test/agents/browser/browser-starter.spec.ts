import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserProgram } from '../../../src/agents/browser/packaged-chromium';
import { writeStarter } from '../../../src/agents/browser/start-browser';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-starter-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const program: BrowserProgram = { path: "/opt/the browser's", args: [], environment: { LIBRARIES: '/opt/its own' } };

/** Says with what it was started. */
async function writeGate(): Promise<string> {
  const gate = join(folder, 'gate.js');
  await writeFile(gate, 'console.log(JSON.stringify([process.env.NODE_OPTIONS ?? null, ...process.argv.slice(2)]));');
  return gate;
}

/** What the gate says of its start with these options of the service. */
async function start(NODE_OPTIONS: string, gate: string, args: readonly string[]): Promise<unknown> {
  const starter = await writeStarter(program, null, folder, gate);
  try {
    const { stdout, stderr } = spawnSync(starter.path, args, { env: { PATH: process.env['PATH'], NODE_OPTIONS } });
    return stderr.length > 0 ? stderr.toString() : JSON.parse(stdout.toString());
  } finally {
    await starter.remove();
  }
}

describe('what starts the browser', () => {
  it('hands the gate the browser with its variables, and the arguments as they are', async () => {
    const args = ['--one', 'two words', "it's"];
    const told = await start('', await writeGate(), args);
    expect(told).toEqual([null, 'env', 'LIBRARIES=/opt/its own', program.path, ...args]);
  });

  it.each(['--require ./beside-the-service.cjs', '--no-such-option'])(
    "keeps the service's NODE_OPTIONS from the gate: %s",
    async (options) => {
      expect(await start(options, await writeGate(), [])).toEqual([
        null,
        'env',
        'LIBRARIES=/opt/its own',
        program.path,
      ]);
    },
  );

  it('leaves a gate in TypeScript what loads it', async () => {
    const loader = join(__dirname, '..', '..', 'setup', 'register-typescript.cjs');
    const gate = join(folder, 'gate.ts');
    await writeFile(gate, 'const told: readonly string[] = process.argv.slice(-1); console.log(JSON.stringify(told));');
    expect(await start(`--require ${loader}`, gate, [])).toEqual([program.path]);
  });
});
