import { Subject } from 'rxjs';
import { frameOf, joinFrames, type Frame } from '../../../src/features/stream/frame';
import type { Page } from '../../../src/features/stream/log-page-reader';
import { type Arrival, RunFeed } from '../../../src/features/stream/run-feed';

const frame = (seq: number, type = 'grading_started'): Frame => frameOf({ seq, type, json: `{"seq":${seq}}` });
const pageOf = (...frames: Frame[]): Page => ({ frames, joined: joinFrames(frames) });
const turn = () => new Promise(setImmediate);

/** A feed whose log is read when the test says so. */
function open() {
  const arrivals = new Subject<Arrival>();
  const asked: number[] = [];
  const answers: { readonly resolve: (page: Page) => void; readonly reject: (error: Error) => void }[] = [];
  const feed = new RunFeed(arrivals, (afterSeq) => {
    asked.push(afterSeq);
    return new Promise((resolve, reject) => answers.push({ resolve, reject }));
  });
  let advances = 0;
  let isOver = false;
  const subscription = feed.advances.subscribe({ next: () => (advances += 1), complete: () => (isOver = true) });
  arrivals.next({ kind: 'head', head: { seq: 1, final: false } });
  return { arrivals, asked, answers, feed, subscription, told: () => ({ advances, isOver }) };
}

describe('the feed of a run', () => {
  test('reads what is missing once, however often it hears of it, and up to where the log ends by then', async () => {
    const { arrivals, asked, answers, feed } = open();
    for (const seq of [4, 3, 6, 5]) arrivals.next({ kind: 'stored', seq });
    expect(asked).toEqual([1]);
    answers[0]?.resolve(pageOf(frame(2), frame(3), frame(4)));
    await turn();
    expect(asked).toEqual([1, 4]);
    answers[1]?.resolve(pageOf(frame(5), frame(6)));
    await turn();
    expect(asked).toEqual([1, 4]);
    expect(feed.next(1)?.seq).toBe(6);
    expect(feed.next(6)).toBeNull();
  });

  test('reads nothing for an event that follows the last, and reads for one that leaves a gap', async () => {
    const { arrivals, asked, feed } = open();
    arrivals.next({ kind: 'event', frame: frame(2) });
    expect(asked).toEqual([]);
    arrivals.next({ kind: 'event', frame: frame(2) });
    expect(asked).toEqual([]);
    arrivals.next({ kind: 'event', frame: frame(4) });
    expect(asked).toEqual([2]);
    expect(feed.next(1)?.seq).toBe(2);
  });

  test('gives up a read that fails or brings nothing, and tries again when it hears more', async () => {
    const { arrivals, asked, answers, feed } = open();
    arrivals.next({ kind: 'stored', seq: 2 });
    answers[0]?.reject(new Error('The database is away.'));
    await turn();
    arrivals.next({ kind: 'head', head: { seq: 2, final: false } });
    answers[1]?.resolve(pageOf());
    await turn();
    expect(asked).toEqual([1, 1]);
    arrivals.next({ kind: 'head', head: { seq: 2, final: false } });
    answers[2]?.resolve(pageOf(frame(2)));
    await turn();
    expect(feed.next(1)?.seq).toBe(2);
  });

  test('reads no further once nobody follows it', async () => {
    const { arrivals, asked, answers, subscription } = open();
    arrivals.next({ kind: 'stored', seq: 9 });
    subscription.unsubscribe();
    answers[0]?.resolve(pageOf(frame(2)));
    await turn();
    expect(asked).toEqual([1]);
  });

  test('says when each event happened once it has been passed on, each once, where that is known', async () => {
    const arrivals = new Subject<Arrival>();
    const told: string[] = [];
    const feed = new RunFeed(
      arrivals,
      () => Promise.resolve(pageOf()),
      (at) => told.push(at),
    );
    feed.advances.subscribe();
    arrivals.next({ kind: 'head', head: { seq: 0, final: false } });
    const at = (seq: number) => frameOf({ seq, type: 'grading_started', json: '{}', at: `at ${seq}` });
    for (const one of [at(1), frame(2), at(3), at(3), at(1)]) arrivals.next({ kind: 'event', frame: one });
    expect(told).toEqual([]);
    await turn();
    expect(told).toEqual(['at 1', 'at 3']);
    arrivals.next({ kind: 'event', frame: at(4) });
    await turn();
    expect(told).toEqual(['at 1', 'at 3', 'at 4']);
  });

  test('advances once for a burst of events, and is over with the last one', async () => {
    const { arrivals, feed, told } = open();
    await turn();
    const { advances } = told();
    for (const seq of [2, 3, 4]) arrivals.next({ kind: 'event', frame: frame(seq) });
    await turn();
    expect(told()).toEqual({ advances: advances + 1, isOver: false });
    arrivals.next({ kind: 'event', frame: frame(5, 'test_run_complete') });
    await turn();
    expect(told()).toEqual({ advances: advances + 2, isOver: true });
    expect([feed.finished, feed.gone]).toEqual([true, false]);
    expect(feed.next(4)).toMatchObject({ seq: 5, final: true });
  });

  test('is over when the log has ended already, and gone when the run was deleted', async () => {
    const ended = open();
    ended.arrivals.next({ kind: 'stored', seq: 2 });
    ended.arrivals.next({ kind: 'head', head: { seq: 2, final: true } });
    expect(ended.feed.finished).toBe(false);
    ended.answers[0]?.resolve(pageOf(frame(2, 'test_run_complete')));
    await turn();
    expect([ended.feed.finished, ended.feed.gone, ended.told().isOver]).toEqual([true, false, true]);
    const deleted = open();
    // Its last event was heard in the same moment.
    deleted.arrivals.next({ kind: 'event', frame: frame(2, 'test_run_complete') });
    deleted.arrivals.next({ kind: 'head', head: null });
    await turn();
    expect([deleted.feed.finished, deleted.feed.gone, deleted.told().isOver]).toEqual([true, true, true]);
  });
});
