import { MessageChannel, Worker } from 'node:worker_threads';
import { LineServer } from '../../../src/agents/media-stream/line-server';
import { LineThread } from '../../../src/agents/media-stream/line-thread';
import type { LineCommand, LinePlan, NamedLineEvent } from '../../../src/agents/media-stream/line-wire';
import { carryLines } from '../../../src/agents/media-stream/line-worker';
import type { ToldOfLine } from '../../fakes/line-thread';
import { eventually } from '../../setup/eventually';

const IDS = { streamSid: 'MZ1', callSid: 'CA1', accountSid: 'AC0' };

function planFor(origin: string): LinePlan {
  return {
    origin,
    path: '/media',
    headers: {},
    addresses: ['127.0.0.1'],
    through: null,
    ids: IDS,
    customParameters: {},
  };
}

const ring = (line: string): LineCommand => ({ type: 'ring', line, plan: planFor('http://127.0.0.1:9') });
const hush = (line: string): LineCommand => ({ type: 'hush', line });
const hangUp = (line: string): LineCommand => ({ type: 'hangUp', line });

/** In place of what carries lines: it connects whatever it rings, ends at a hang-up, and answers everything else with its own number. */
const PROGRAM = `
  const { parentPort, threadId } = require('node:worker_threads');
  parentPort.on('message', ({ type, line }) => {
    if (type === 'hangUp') process.exit(0);
    parentPort.postMessage(type === 'ring' ? { type: 'connected', line } : { type: 'called', line, call: threadId });
  });
`;

describe('The thread that carries lines', () => {
  const threads: LineThread[] = [];
  afterEach(async () => {
    await Promise.all(threads.splice(0).map((thread) => thread.close()));
  });

  function threadThatIsIdle(idleMs?: number) {
    const workers: Worker[] = [];
    const ended: number[] = [];
    const lines = new LineThread(() => {
      const worker = new Worker(PROGRAM, { eval: true });
      const number = workers.push(worker);
      worker.once('exit', () => ended.push(number));
      return worker;
    }, idleMs);
    threads.push(lines);
    const told: Record<string, ToldOfLine[]> = {};
    const listen = (line: string): void => {
      const events: ToldOfLine[] = [];
      told[line] = events;
      lines.listen(line, (event) => events.push(event));
    };
    return { lines, workers, ended, told, listen };
  }

  it('is started by the first call alone, and tells each line of itself until it is forgotten', async () => {
    const { lines, workers, told, listen } = threadThatIsIdle();
    listen('a');
    listen('b');
    lines.send(hush('a'));
    expect(workers).toHaveLength(0);
    for (const line of ['a', 'b']) lines.send(ring(line));
    await eventually(() => expect(told).toEqual({ a: [{ type: 'connected' }], b: [{ type: 'connected' }] }));
    expect(workers).toHaveLength(1);
    lines.forget('a');
    for (const line of ['a', 'b']) lines.send(hush(line));
    await eventually(() => expect(told['b']).toHaveLength(2));
    expect(told['a']).toHaveLength(1);
  });

  it('that ends is told of to all lines, once, and the next call starts another', async () => {
    const { lines, workers, told, listen } = threadThatIsIdle();
    for (const line of ['a', 'b']) {
      listen(line);
      lines.send(ring(line));
    }
    lines.send(hangUp('a'));
    await eventually(() => expect(told['b']?.at(-1)).toEqual({ type: 'crashed' }));
    expect(told['a']?.filter(({ type }) => type === 'crashed')).toHaveLength(1);
    lines.send(hush('a'));
    expect(workers).toHaveLength(1);
    lines.send(ring('b'));
    await eventually(() => expect(told['b']?.at(-1)).toEqual({ type: 'connected' }));
    expect(workers).toHaveLength(2);
    expect(told['b']?.filter(({ type }) => type === 'crashed')).toHaveLength(1);
  });

  it('that fails is told of as one that ends', async () => {
    const failing = new LineThread(() => new Worker('throw new Error("no memory");', { eval: true }));
    threads.push(failing);
    const told: ToldOfLine[] = [];
    failing.listen('a', (event) => told.push(event));
    failing.send(ring('a'));
    await eventually(() => expect(told).toEqual([{ type: 'crashed' }]));
  });

  it('ends when it has been idle, and is started again by the next call', async () => {
    const { lines, workers, ended, told, listen } = threadThatIsIdle(1);
    listen('a');
    lines.send(ring('a'));
    await eventually(() => expect(told['a']).toHaveLength(1));
    lines.forget('a');
    await eventually(() => expect(ended).toEqual([1]));
    // Whoever was forgotten is told of nothing.
    expect(told['a']).toHaveLength(1);
    listen('b');
    lines.send(ring('b'));
    await eventually(() => expect(told['b']).toEqual([{ type: 'connected' }]));
    expect(workers).toHaveLength(2);
  });

  it('goes on while a line is left, and when another one comes before it was idle for so long', async () => {
    const { lines, workers, ended, told, listen } = threadThatIsIdle(30);
    for (const line of ['a', 'b']) {
      listen(line);
      lines.send(ring(line));
    }
    lines.forget('unknown');
    lines.forget('a');
    await new Promise((resolve) => setTimeout(resolve, 60));
    lines.forget('b');
    listen('c');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(ended).toEqual([]);
    lines.send(ring('c'));
    await eventually(() => expect(told['c']).toEqual([{ type: 'connected' }]));
    expect(workers).toHaveLength(1);
  });

  it('ends with the process, of which each line is told, and then carries out nothing more', async () => {
    const { lines, workers, ended, told, listen } = threadThatIsIdle();
    listen('a');
    lines.send(ring('a'));
    await lines.close();
    await lines.close();
    expect(ended).toEqual([1]);
    expect(told['a']?.filter(({ type }) => type === 'crashed')).toHaveLength(1);
    lines.send(ring('a'));
    expect(workers).toHaveLength(1);
  });
});

describe('What the thread carries', () => {
  function commanded() {
    const { port1, port2 } = new MessageChannel();
    const events: NamedLineEvent[] = [];
    port2.on('message', (event: NamedLineEvent) => events.push(event));
    carryLines(port1);
    const close = (): void => {
      port1.close();
      port2.close();
    };
    return { events, command: (command: LineCommand) => port2.postMessage(command), close };
  }

  it('is each line by its name, until it is hung up', async () => {
    const heard: number[] = [];
    const server = await LineServer.start(() => ({
      started: () => undefined,
      heard: (codes) => heard.push(codes.length),
      marked: () => undefined,
      ended: () => undefined,
    }));
    const origin = server.url.replace(/^ws/, 'http').replace(/\/media$/, '');
    const { events, command, close } = commanded();
    command({ type: 'ring', line: 'a', plan: planFor(origin) });
    await eventually(() => expect(events).toEqual([{ type: 'connected', line: 'a' }]));
    const samples = new Int16Array(96_000);
    command({ type: 'say', line: 'a', call: 1, utterance: 1, samples, keys: [], interjection: null });
    await eventually(() => expect(events.at(-1)).toEqual({ type: 'called', line: 'a', call: 1 }));
    command(hush('a'));
    await eventually(() => expect(events.at(-1)).toMatchObject({ type: 'said', line: 'a', isWhole: false }));
    await eventually(() => expect(heard.length).toBeGreaterThan(1));
    command({ type: 'turnOver', line: 'a', call: 2 });
    await eventually(() => expect(events.at(-1)).toEqual({ type: 'called', line: 'a', call: 2 }));
    expect(events.map(({ type }) => type)).toContain('sound');
    command(hangUp('a'));
    await eventually(() => expect(events.at(-1)).toEqual({ type: 'left', line: 'a' }));
    const told = events.length;
    command(hangUp('a'));
    await eventually(() => expect(events.slice(told)).toEqual([{ type: 'left', line: 'a' }]));
    close();
    await server.close();
  });

  it('answers what is asked of a line that is gone', async () => {
    const { events, command, close } = commanded();
    command(hush('b'));
    command({ type: 'turnOver', line: 'b', call: 7 });
    command(hangUp('b'));
    await eventually(() =>
      expect(events).toEqual([
        { type: 'called', line: 'b', call: 7 },
        { type: 'left', line: 'b' },
      ]),
    );
    close();
  });
});
