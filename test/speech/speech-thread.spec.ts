import { execFileSync } from 'node:child_process';
import { threadId, Worker } from 'node:worker_threads';
import { seedOf } from '../../src/engine/audio';
import { SpeechThread } from '../../src/engine/speech/speech-thread';
import type { SpeechRequest } from '../../src/engine/speech/speech-jobs';
import { startHttpStub } from '../fakes/http-stub';
import { describeWithProgram } from '../setup/describe-with-program';
import { eventually } from '../setup/eventually';
import { settingsFrom } from '../../src/platform/config/settings';

const never = new AbortController().signal;
const { speech, egress } = settingsFrom({});
const threads: SpeechThread[] = [];

function open(): SpeechThread {
  const thread = new SpeechThread({ speech, egress });
  threads.push(thread);
  return thread;
}

afterEach(() => {
  for (const thread of threads.splice(0)) thread.close();
});

const workerOf = (thread: SpeechThread): Worker => Reflect.get(Reflect.get(thread, 'running'), 'worker');
const samples = Int16Array.from({ length: 16_000 }, (_, at) => at % 1_000);

it('packs sound in a thread that is started for it', async () => {
  const thread = open();
  expect(thread.isRunning).toBe(false);
  const pieces = await thread.run('pack', { samples }, never);
  expect(pieces).toHaveLength(1);
  expect(workerOf(thread).threadId).not.toBe(threadId);
});

it('does a job once more whose thread ended under it, and starts another', async () => {
  const thread = open();
  await thread.run('pack', { samples }, never);
  const first = workerOf(thread);
  const job = thread.run('pack', { samples: new Int16Array(16_000 * 600) }, never);
  await first.terminate();
  expect(await job).toHaveLength(60);
  expect(workerOf(thread)).not.toBe(first);
});

it('gives a job up when its caller does, and goes on with others', async () => {
  const thread = open();
  const ending = new AbortController();
  const job = thread.run('pack', { samples }, ending.signal);
  ending.abort();
  await expect(job).rejects.toMatchObject({ kind: 'canceled' });
  expect(await thread.run('pack', { samples }, never)).toHaveLength(1);
});

it('fails a job that takes too long, and not the others of its thread', async () => {
  const slow = await startHttpStub(() => undefined);
  try {
    const { speech: atServer } = settingsFrom({ SPEECH_URL: `${slow.origin}/v1`, SPEECH_MODEL: 'kokoro' });
    const thread = new SpeechThread({ speech: atServer, egress }, { control: 300 });
    threads.push(thread);
    const control = { voice: 'nova', rate: 1, language: 'en', line: 'phone', hears: false, seed: 1 } as const;
    const late = thread.run('control', control, never);
    const other = thread.run('pack', { samples: new Int16Array(16_000 * 600) }, never);
    const worker = workerOf(thread);
    await expect(late).rejects.toMatchObject({ kind: 'timed_out' });
    expect(await other).toHaveLength(60);
    await slow.until(() => slow.inFlight === 0);
    expect(await thread.run('pack', { samples }, never)).toHaveLength(1);
    expect(workerOf(thread)).toBe(worker);
  } finally {
    await slow.close();
  }
}, 60_000);

it('fails what waits when it is closed, and takes nothing more', async () => {
  const thread = open();
  const job = thread.run('pack', { samples: new Int16Array(16_000 * 600) }, never);
  thread.close();
  await expect(job).rejects.toMatchObject({ kind: 'canceled' });
  await expect(thread.run('pack', { samples }, never)).rejects.toMatchObject({ kind: 'canceled' });
});

describeWithProgram('espeak-ng', 'with espeak-ng', () => {
  const request: SpeechRequest<'utter'> = {
    voice: 'en-us+f3',
    rate: 1,
    language: 'en',
    line: 'mobile_bad',
    noise: { kind: 'babble', snrDb: 15 },
    sounds: ['interruptions', 'backchannels', 'pauses', 'coughs', 'asides'],
    message: 'I take 15 mg of mirtazapine at night. My blood pressure was 120/80, and it hurts here.',
    seed: seedOf(7, 'a scenario', 1, 2),
  };

  it('the same seed twice is the same to the bit, in another thread and another process of the voice', async () => {
    const [one, other] = [await open().run('utter', request, never), await open().run('utter', request, never)];
    expect(other).toEqual(one);
    expect(one.samples.length).toBeGreaterThan(48_000);
  }, 180_000);

  it('the process that starts the program ends with the thread', async () => {
    const starters = (): string[] =>
      execFileSync('ps', ['-A', '-o', 'ppid=,args='])
        .toString()
        .split('\n')
        .filter((line) => line.trim().startsWith(`${process.pid} `) && line.includes('program-starter-process'));
    const thread = open();
    const control = { voice: 'en-us', rate: 1, language: 'en', line: 'phone', hears: false, seed: 1 } as const;
    await thread.run('control', control, never);
    expect(starters().length).toBeGreaterThan(0);
    for (const one of threads) one.close();
    await eventually(() => expect(starters()).toHaveLength(0));
  }, 180_000);

  it('a control sentence tells the engines', async () => {
    const control = { voice: 'en-us', rate: 1, language: 'en', line: 'phone', hears: false, seed: 1 } as const;
    expect(await open().run('control', control, never)).toMatchObject({
      voice: { engine: 'espeak-ng', voice: 'en-us', rate: 1 },
      ear: null,
      clip: { heard: null },
    });
  }, 180_000);

  it('a voice that is not there is a sentence, and the thread goes on', async () => {
    const thread = open();
    await expect(thread.run('utter', { ...request, voice: 'en-us+nobody' }, never)).rejects.toMatchObject({
      name: 'SpeechError',
      kind: 'voice_unknown',
    });
    expect(await thread.run('pack', { samples }, never)).toHaveLength(1);
  }, 180_000);
});
