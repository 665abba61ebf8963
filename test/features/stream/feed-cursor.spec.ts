import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NEVER, Subject } from 'rxjs';
import { arrivals, FeedCursor } from '../../../src/features/stream/event-pipeline';
import { EventStream } from '../../../src/features/stream/event-stream';
import { frameOf, joinFrames } from '../../../src/features/stream/frame';
import type { Page } from '../../../src/features/stream/log-page-reader';
import { RunFeed } from '../../../src/features/stream/run-feed';

const NOTHING: Page = { frames: [], joined: undefined };
const turn = () => new Promise(setImmediate);

/** A subscriber who has the first two events, of a log whose pages are answered when the test says so. */
async function follow() {
  const notices = new Subject<unknown>();
  const answers: ((page: Page) => void)[] = [];
  let ask: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const feed = new RunFeed(
    arrivals({
      notices,
      polls: NEVER,
      head: async () => ({ seq: 2, final: false }),
      onReadError: () => undefined,
    }),
    () => {
      ask();
      return new Promise((resolve) => answers.push(resolve));
    },
  );
  let advance: () => void = () => undefined;
  const server = createServer((_request, response) => {
    const stream = new EventStream(response, () => subscription.unsubscribe());
    const cursor = new FeedCursor(stream, feed, 2, 600_000);
    advance = () => cursor.advance();
    const subscription = feed.advances.subscribe({ next: advance, complete: advance });
    // Where the log ends is not known yet: the cursor reads.
    advance();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const text = fetch(`http://127.0.0.1:${port}`).then((response) => response.text());
  await asked;
  return {
    notices,
    answers,
    feed,
    advance: () => advance(),
    /** Numbers of the events that were sent, once the stream is over. */
    sent: async () => {
      const ids = [...(await text).matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
      server.close();
      return ids;
    },
  };
}

const told = (seq: number, type = 'grading_started') => ({ seq, type, run_id: 'run', at: '2026-03-14T09:26:53.000Z' });

describe('a subscriber whose page of the log is being read', () => {
  test('gets the last event too when it is stored meanwhile and the page does not hold it yet', async () => {
    const { notices, answers, feed, sent } = await follow();
    notices.next(told(3, 'test_run_complete'));
    await turn();
    expect(feed.finished).toBe(true);
    answers[0]?.(NOTHING);
    expect(await sent()).toEqual([3]);
  });

  test('asks for no other one meanwhile, whatever it hears, and is sent each event once', async () => {
    const { notices, answers, advance, sent } = await follow();
    for (let times = 0; times < 3; times += 1) advance();
    notices.next(told(3));
    await turn();
    expect(answers).toHaveLength(1);
    const frames = [3, 4].map((seq) => frameOf({ seq, type: 'grading_started', json: `{"seq":${seq}}` }));
    answers[0]?.({ frames, joined: joinFrames(frames) });
    await turn();
    notices.next(told(4));
    notices.next(told(5, 'test_run_complete'));
    expect(await sent()).toEqual([3, 4, 5]);
  });
});
