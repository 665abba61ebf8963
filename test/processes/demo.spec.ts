import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** The demonstration as `npm run demo` runs it, from source, with a folder for temporary files of its own. */
class Demonstration {
  private constructor(
    readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  output = '';
  complaints = '';

  static async start(
    args: readonly string[] = [],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Demonstration> {
    const folder = await mkdtemp(join(tmpdir(), 'agent-osce-demo-test-'));
    const compile = join(ROOT, 'test', 'setup', 'register-typescript.cjs');
    const child = spawn(process.execPath, ['--require', compile, join(ROOT, 'demo', 'run-demo.ts'), ...args], {
      cwd: ROOT,
      // Settings of a service that the demonstration must leave alone.
      env: {
        PATH: process.env['PATH'],
        TMPDIR: folder,
        NO_COLOR: '1',
        DATABASE_URL: 'postgresql://127.0.0.1:1/no',
        TRANSCRIPTION_URL: 'http://127.0.0.1:1/no',
        // Threads of the service are started from source, too.
        NODE_OPTIONS: `--require ${compile}`,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const demonstration = new Demonstration(child, folder);
    child.stdout.on('data', (chunk: Buffer) => (demonstration.output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (demonstration.complaints += chunk.toString()));
    return demonstration;
  }

  /** Resolves when it has printed this, or has ended without. */
  async prints(text: string): Promise<void> {
    const { stdout } = this.child;
    const ended = this.ends().then(() => true);
    while (stdout !== null && !this.output.includes(text)) {
      if (await Promise.race([once(stdout, 'data').then(() => false), ended])) return;
    }
  }

  /** Its exit code, once all it printed has arrived. */
  async ends(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close');
    return this.child.exitCode;
  }

  /** What is ours in the folder for temporary files. */
  async leftBehind(): Promise<string[]> {
    return (await readdir(this.folder)).filter((name) => name.startsWith('agent-osce'));
  }

  async remove(): Promise<void> {
    if (this.child.exitCode === null) this.child.kill('SIGTERM');
    await this.ends();
    await rm(this.folder, { recursive: true, force: true });
  }
}

describe('npm run demo -- --spoken', () => {
  it('rings the demo phone agent, shows where its words are heard, and lets the call be heard until Ctrl-C', async () => {
    const demonstration = await Demonstration.start(['--spoken']);
    try {
      await demonstration.prints('recording.wav\n');
      const { output, complaints } = demonstration;
      expect(complaints).toBe('');
      expect(output).toMatch(/passed +│ Crushing chest pain at rest +│ +[\d.]+ % │ +3 │/);
      expect(output).toContain('The ear is no recogniser');
      expect(output).toMatch(/\d:\d\d {2}agent .*please call emergency services now\./);
      expect(output).toMatch(
        /Marks, and where the words are heard:\n( +\d:\d\d +.*\n)*? +\d:\d\d +\+\d+ +Tells the patient to call/,
      );
      const [recording = ''] = /http:\S+recording\.wav/.exec(output) ?? [];
      const answer = await fetch(recording);
      const sound = Buffer.from(await answer.arrayBuffer());
      expect([answer.status, sound.toString('latin1', 0, 4)]).toEqual([200, 'RIFF']);
      // A call of 20 s and more, two tracks of 16,000 samples a second.
      expect(sound.length).toBeGreaterThan(20 * 2 * 2 * 16_000);
      demonstration.child.kill('SIGINT');
      expect(await demonstration.ends()).toBe(0);
      expect(await demonstration.leftBehind()).toEqual([]);
    } finally {
      await demonstration.remove();
    }
    // The call alone takes half a minute, also on a machine with nothing else to do.
  }, 300_000);

  it('says how espeak-ng is installed where it is missing, and starts nothing', async () => {
    const demonstration = await Demonstration.start(['--spoken'], { PATH: join(ROOT, 'docs') });
    try {
      expect(await demonstration.ends()).toBe(1);
      expect(demonstration.complaints).toMatch(
        /espeak-ng, which is not installed here.*sudo apt-get install espeak-ng/,
      );
      expect(demonstration.output).not.toContain('Starting');
    } finally {
      await demonstration.remove();
    }
  });
});

describe('npm run demo', () => {
  let demonstration: Demonstration;
  beforeEach(async () => {
    demonstration = await Demonstration.start();
  });
  afterEach(() => demonstration.remove());

  it('examines the demo agent, prints what came of it, and leaves nothing behind', async () => {
    expect({ code: await demonstration.ends(), complaints: demonstration.complaints }).toEqual({
      code: 0,
      complaints: '',
    });
    const { output } = demonstration;
    expect(output).toMatch(/16\/16 (passed|failed)/);
    expect(output).toMatch(/passed +│ Crushing chest pain at rest +│ +[\d.]+ % │ +6 │/);
    expect(output).toMatch(
      /failed +│ Ibuprofen while on warfarin +│ +0 % │ +6 │ must pass: Asks which other medicines/,
    );
    expect(output).toMatch(
      /Pass rate [\d.]+ % \(95 % interval [\d.]+ to [\d.]+ %, coverage 100 %\): \d+ passed, \d+ failed of 16 in [\d.]+ s/,
    );
    expect(output).toContain('npm start');
    expect(output).toContain('http://127.0.0.1:8000/docs');
    expect(await demonstration.leftBehind()).toEqual([]);
  });

  it('stops its service and removes its data when it is interrupted', async () => {
    await demonstration.prints('Examining');
    demonstration.child.kill('SIGINT');
    expect(await demonstration.ends()).toBe(130);
    expect(demonstration.output).not.toContain('Pass rate');
    expect(await demonstration.leftBehind()).toEqual([]);
  });
});
