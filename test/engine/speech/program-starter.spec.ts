import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OutputTooLong, ProgramMissing, type ProgramCall } from '../../../src/engine/speech/program';
import { ProgramFailed, ProgramStarter } from '../../../src/engine/speech/program-starter';
import { eventually } from '../../setup/eventually';

let starter: ProgramStarter;
beforeEach(() => (starter = new ProgramStarter()));
afterEach(() => starter.close());

const never = new AbortController().signal;
setMaxListeners(0, never);
const shell = (script: string, more: Partial<ProgramCall> = {}): ProgramCall => ({
  program: 'sh',
  args: ['-c', script],
  input: '',
  mostBytes: 1_000,
  ...more,
});

/** The process that starts programs: the parent of what it runs. */
async function starterPid(): Promise<number> {
  return Number((await starter.run(shell('echo $PPID'), never)).output.toString());
}

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a program runs to its end, with what it reads, writes and complains', async () => {
  const end = await starter.run(shell('cat; echo "no bell" >&2; exit 3', { input: 'Good morning – ünïcode' }), never);
  expect({ ...end, output: end.output.toString('utf8') }).toEqual({
    code: 3,
    output: 'Good morning – ünïcode',
    complaint: 'no bell\n',
  });
});

test('many run at once, each with its own answer', async () => {
  const ends = await Promise.all(
    Array.from({ length: 20 }, (_, place) => starter.run(shell(`sleep 0.0${place % 7}; echo ${place}`), never)),
  );
  expect(ends.map(({ output }) => Number(output.toString()))).toEqual(Array.from({ length: 20 }, (_, place) => place));
});

test('no program is started from this process, and none gets a key', async () => {
  process.env['OPENAI_API_KEY'] = 'sk-of-the-service';
  try {
    expect(await starterPid()).not.toBe(process.pid);
    const { output } = await starter.run(shell('env', { mostBytes: 100_000 }), never);
    expect(output.toString()).toContain('PATH=');
    expect(output.toString()).not.toContain('sk-of-the-service');
  } finally {
    delete process.env['OPENAI_API_KEY'];
  }
});

test('a missing program, one that writes too much and one that may not be run are told apart', async () => {
  await expect(starter.run(shell('', { program: 'a-program-that-is-not-there' }), never)).rejects.toThrow(
    ProgramMissing,
  );
  await expect(starter.run(shell('yes', { mostBytes: 10 }), never)).rejects.toThrow(OutputTooLong);
  const failure = starter.run(shell('', { program: '/etc/passwd' }), never);
  await expect(failure).rejects.toThrow(ProgramFailed);
  await expect(failure).rejects.toMatchObject({ code: 'EACCES' });
});

test('a program that is given up is killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-osce-program-'));
  try {
    const file = join(folder, 'pid');
    const ending = new AbortController();
    const running = starter.run(shell(`echo $$ > '${file}'; exec sleep 60`), ending.signal);
    let pid = 0;
    await eventually(() => {
      pid = Number(readFileSync(file, 'utf8'));
      expect(pid).toBeGreaterThan(0);
    });
    ending.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    await eventually(() => expect(isThere(pid)).toBe(false));
  } finally {
    await rm(folder, { recursive: true });
  }
  const aborted = AbortSignal.abort(new Error('Too late.'));
  await expect(starter.run(shell('true'), aborted)).rejects.toThrow('Too late.');
});

test('where its process is killed, the program is run once more, and fails with a reason the next time', async () => {
  const pid = await starterPid();
  process.kill(pid, 'SIGKILL');
  expect(await starterPid()).not.toBe(pid);
  await expect(starter.run(shell('kill -9 $PPID; sleep 60'), never)).rejects.toThrow(
    'sh could not be run: the process that starts it ended.',
  );
  expect(await starterPid()).not.toBe(pid);
});

test('its process ends when it is closed', async () => {
  const pid = await starterPid();
  starter.close();
  starter.close();
  await eventually(() => expect(isThere(pid)).toBe(false));
});
