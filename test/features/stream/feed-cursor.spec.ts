import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NEVER, Subject } from 'rxjs';
import { arrivals, FeedCursor } from '../../../src/features/stream/event-pipeline';
import { EventStream } from '../../../src/features/stream/event-stream';
import type { Page } from '../../../src/features/stream/log-page-reader';
import { RunFeed } from '../../../src/features/stream/run-feed';

const NOTHING: Page = { frames: [], joined: undefined };

describe('a subscriber whose page of the log is being read', () => {
  test('gets the last event too when it is stored meanwhile and the page does not hold it yet', async () => {
    const notices = new Subject<unknown>();
    let answerPage: (page: Page) => void = () => undefined;
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
        return new Promise((resolve) => (answerPage = resolve));
      },
    );
    const server = createServer((_request, response) => {
      const stream = new EventStream(response, () => subscription.unsubscribe());
      const cursor = new FeedCursor(stream, feed, 2, 10);
      const subscription = feed.advances.subscribe({
        next: () => cursor.advance(),
        complete: () => cursor.advance(),
      });
      // Where the log ends is not known yet: the cursor reads.
      cursor.advance();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const text = fetch(`http://127.0.0.1:${port}`).then((response) => response.text());
    await asked;
    notices.next({ seq: 3, type: 'test_run_complete', run_id: 'run', at: '2026-03-14T09:26:53.000Z' });
    await new Promise(setImmediate);
    expect(feed.finished).toBe(true);
    answerPage(NOTHING);
    expect(await text).toContain('id: 3\n');
    server.close();
  });
});
