import { setImmediate as nextTurn } from 'node:timers/promises';
import { ThreadLines } from '../../../src/examiners/threads/thread-lines';

const never = new AbortController().signal;

describe('Lines for threads', () => {
  const opened = (): ThreadLines =>
    new ThreadLines({ most: 2, mostOfCallers: 1, longest: 3, canceled: () => new Error('Canceled.') });

  /** Keeps who is let in, in order, and lets each out when told. */
  class Watched {
    readonly entered: string[] = [];
    private readonly leaves = new Map<string, () => void>();

    constructor(private readonly lines: ThreadLines) {}

    ask(name: string, caller: string | null, signal = never): Promise<void> {
      return this.lines.take(caller, signal).then((leave) => {
        this.entered.push(name);
        this.leaves.set(name, leave);
      });
    }

    async end(name: string): Promise<void> {
      this.leaves.get(name)?.();
      await nextTurn();
    }
  }

  it('let a run in at once, however much a caller asks for', async () => {
    const watched = new Watched(opened());
    const asked = ['lint 1', 'lint 2', 'lint 3'].map((name) => watched.ask(name, 'viewer'));
    await nextTurn();
    expect(watched.entered).toEqual(['lint 1']);
    await watched.ask('run 1', null);
    const second = watched.ask('run 2', null);
    await watched.end('lint 1');
    expect(watched.entered).toEqual(['lint 1', 'run 1', 'run 2']);
    await watched.end('run 1');
    expect(watched.entered.at(-1)).toBe('lint 2');
    await watched.end('lint 2');
    expect(watched.entered.at(-1)).toBe('lint 3');
    await Promise.all([...asked, second]);
  });

  it('give callers turns, not places', async () => {
    const watched = new Watched(opened());
    const asked = [
      ...['a1', 'a2', 'a3'].map((name) => watched.ask(name, 'a')),
      ...['b1', 'b2'].map((name) => watched.ask(name, 'b')),
    ];
    await nextTurn();
    for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) {
      expect(watched.entered.at(-1)).toBe(name);
      await watched.end(name);
    }
    await Promise.all(asked);
  });

  it('take no more of a caller than they hold, while others and runs still wait in theirs', async () => {
    const watched = new Watched(opened());
    const asked = ['a1', 'a2', 'a3', 'a4'].map((name) => watched.ask(name, 'a'));
    await expect(watched.ask('a5', 'a')).rejects.toThrow('3 texts of yours are waiting to be read already');
    asked.push(watched.ask('b1', 'b'), watched.ask('run', null));
    await nextTurn();
    expect(watched.entered).toEqual(['a1', 'run']);
    for (const name of ['a1', 'a2', 'b1', 'a3', 'a4']) await watched.end(name);
    await Promise.all(asked);
  });

  it('forget whoever leaves, and keep no place for an end that is told twice', async () => {
    const watched = new Watched(opened());
    const stop = new AbortController();
    const first = watched.ask('a1', 'a');
    const leaving = watched.ask('a2', 'a', stop.signal);
    const staying = watched.ask('a3', 'a');
    stop.abort();
    await expect(leaving).rejects.toThrow('Canceled.');
    await expect(watched.ask('late', 'a', stop.signal)).rejects.toThrow('Canceled.');
    await watched.end('a1');
    await watched.end('a1');
    const b = watched.ask('b1', 'b');
    await nextTurn();
    expect(watched.entered).toEqual(['a1', 'a3']);
    await watched.end('a3');
    expect(watched.entered).toEqual(['a1', 'a3', 'b1']);
    await Promise.all([first, staying, b]);
  });
});
