import { setTimeout as sleep } from 'node:timers/promises';
import { ANYONE } from '../../../src/platform/access/caller';
import { TextJobFailed } from '../../../src/examiners/threads/text-thread';
import { TextThreads } from '../../../src/examiners/threads/text-threads';
import { numberTranscript, type NumberingRequest } from '../../../src/examiners/judge/numbered-transcript';
import type { MarkingRequest } from '../../../src/examiners/judge/marking-request';
import { LoopTurns } from '../../setup/loop-turns';
import { transcriptOf } from '../../setup/transcripts';

const WORDS = 'Call an ambulance now, the pain in your chest is serious. ';
const MIB = 1024 * 1024;
const never = new AbortController().signal;
const DEADLINE_MS = 60_000;

function numbering(reply: string): NumberingRequest {
  return { transcript: transcriptOf([reply]), criteria: ['Tells the patient to call an ambulance'] };
}

const ofLength = (length: number): string => WORDS.repeat(Math.ceil(length / WORDS.length)).slice(0, length);

/** A sheet of as many questions, about some 3,000 characters. */
function marking(questions: number): MarkingRequest {
  const transcript = transcriptOf([ofLength(3_000)]);
  return {
    extent: 'whole',
    questions: Array.from({ length: questions }, (_, at) => {
      return { number: at + 1, criterion: 'Asks about chest pain', isFault: false, objection: null };
    }),
    sentences: numberTranscript({ transcript, criteria: [] }).sentences,
    marker: 'abc',
    region: null,
    scale: ['MET', 'NOT MET'],
  };
}

describe('Text threads', () => {
  let threads: TextThreads;
  beforeEach(() => (threads = new TextThreads()));
  afterEach(() => threads.onApplicationShutdown());

  it('read a megabyte as they read a sentence, and the event loop goes on meanwhile', async () => {
    const short = await threads.run('number', numbering(WORDS), DEADLINE_MS, never);
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 5);
    const long = await threads.run('number', numbering(ofLength(MIB)), DEADLINE_MS, never);
    clearInterval(ticking);
    expect(long.sentences.slice(0, 2)).toEqual(short.sentences.slice(0, 2));
    expect(ticks).toBeGreaterThan(3);
  });

  it('end a job whose deadline has passed, and do the next one', async () => {
    const late = threads.run('number', numbering(ofLength(4 * MIB)), 1, never);
    await expect(late).rejects.toThrow(
      new TextJobFailed('Reading the texts took longer than 0.001 s, the most that the harness allows.'),
    );
    expect((await threads.run('number', numbering(WORDS), DEADLINE_MS, never)).sentences).toHaveLength(2);
  });

  it('end a job that was canceled, before, while it waits and while it runs', async () => {
    const stop = new AbortController();
    const jobs = Array.from({ length: 4 }, () =>
      threads.run('number', numbering(ofLength(4 * MIB)), DEADLINE_MS, stop.signal),
    );
    const ends = Promise.allSettled(jobs);
    await sleep(50);
    stop.abort();
    for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: { name: 'TextJobFailed' } });
    await expect(threads.run('number', numbering(WORDS), DEADLINE_MS, stop.signal)).rejects.toThrow('canceled');
  });

  it('end what runs and what waits when the service stops', async () => {
    const jobs = Array.from({ length: 4 }, () =>
      threads.run('number', numbering(ofLength(4 * MIB)), DEADLINE_MS, never),
    );
    const ends = Promise.allSettled(jobs);
    await sleep(50);
    threads.onApplicationShutdown();
    for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: { name: 'TextJobFailed' } });
  });

  it('tell what a judge did not get to see', async () => {
    const { unread, sentences } = await threads.run('number', numbering(ofLength(MIB)), DEADLINE_MS, never);
    const read = sentences.reduce((sum, { text, speaker }) => sum + (speaker === 'agent' ? text.length : 0), 0);
    expect(read).toBeLessThanOrEqual(400_000);
    expect(unread).toEqual([{ turn: 1, characters: MIB - read }]);
  });

  it('let the event loop turn between small jobs, however many are asked for at once', async () => {
    const turns = new LoopTurns();
    const doneIn = await Promise.all(
      Array.from({ length: 100 }, async () => {
        await threads.run('mark', marking(10), DEADLINE_MS, never);
        return turns.present;
      }),
    );
    turns.stop();
    // Together they take many times what a turn may spend on them.
    expect(new Set(doneIn).size).toBeGreaterThan(3);
  });

  it('do no small job whose caller gave up while it waited for its turn', async () => {
    const ending = new AbortController();
    const job = threads.run('mark', marking(10), DEADLINE_MS, ending.signal);
    ending.abort();
    await expect(job).rejects.toMatchObject({ name: 'TextJobFailed', message: expect.stringContaining('canceled') });
  });

  it('weigh a marking job by its questions times its sentences', async () => {
    // There are no threads any more, only the loop.
    threads.onApplicationShutdown();
    expect((await threads.run('mark', marking(10), DEADLINE_MS, never)).marks).toHaveLength(10);
    await expect(threads.run('mark', marking(180), DEADLINE_MS, never)).rejects.toBeInstanceOf(TextJobFailed);
  });

  it('read what runs need before all that a caller asked for earlier', async () => {
    const stop = new AbortController();
    let settled = 0;
    const asked = Array.from({ length: 60 }, () =>
      threads
        .run('write', { text: ofLength(MIB), extent: 'all' }, DEADLINE_MS, stop.signal, ANYONE)
        .catch(() => null)
        .finally(() => (settled += 1)),
    );
    await threads.run('number', numbering(ofLength(30_000)), DEADLINE_MS, never);
    expect(settled).toBeLessThan(60);
    stop.abort();
    await Promise.all(asked);
  });
});
