import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Subject } from 'rxjs';
import { FeedCursor } from '../../../src/features/stream/event-pipeline';
import { EventStream } from '../../../src/features/stream/event-stream';
import { frameOf, joinFrames, type Frame } from '../../../src/features/stream/frame';
import type { Page } from '../../../src/features/stream/log-page-reader';
import { type Arrival, RunFeed } from '../../../src/features/stream/run-feed';
import { eventually } from '../../setup/eventually';

/** Far more than any of this takes. */
const WITHIN_MS = 5_000;
const RETRY_MS = 10;

const frame = (seq: number, type = 'grading_started', characters = 1): Frame =>
  frameOf({ seq, type, json: JSON.stringify('x'.repeat(characters)) });
const last = (seq: number): Frame => frame(seq, 'test_run_complete');
const pageOf = (frames: readonly Frame[]): Page => ({ frames, joined: joinFrames(frames) });

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** A log whose pages hold two events, and a subscriber after one of them. */
async function follow(log: readonly Frame[], after: number, head: { readonly seq: number; readonly final: boolean }) {
  const arrivals = new Subject<Arrival>();
  const asked: number[] = [];
  let refusals = 0;
  const feed = new RunFeed(arrivals, async (afterSeq) => {
    asked.push(afterSeq);
    if (refusals > 0) {
      refusals -= 1;
      throw new Error('The database is away.');
    }
    return pageOf(log.filter(({ seq }) => seq > afterSeq).slice(0, 2));
  });
  let cursor: FeedCursor | undefined;
  const server = createServer((_request, response) => {
    const stream = new EventStream(response, () => subscription.unsubscribe());
    const place = new FeedCursor(stream, feed, after, RETRY_MS);
    cursor = place;
    stream.onDrain = () => place.advance();
    const subscription = feed.advances.subscribe({ next: () => place.advance(), complete: () => place.advance() });
    arrivals.next({ kind: 'head', head });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const heard = { text: '', isOver: false };
  return {
    arrivals,
    asked,
    heard,
    refuse: (reads: number) => (refusals = reads),
    advance: () => cursor?.advance(),
    idsOf: () => [...heard.text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)),
    connect: async (reads = true): Promise<IncomingMessage> => {
      const [answer] = (await once(get({ host: '127.0.0.1', port, agent: false }), 'response')) as [IncomingMessage];
      answer.setEncoding('utf8');
      const read = () => answer.on('data', (text: string) => (heard.text += text));
      answer.on('close', () => (heard.isOver = true));
      if (reads) read();
      else answer.pause();
      return answer;
    },
  };
}

const upTo = (count: number, after = 0): number[] => Array.from({ length: count - after }, (_, at) => after + at + 1);

describe('a subscriber', () => {
  test('that is far behind is sent the pages of the log, each event once, to the last one', async () => {
    const log = [...upTo(4).map((seq) => frame(seq)), last(5)];
    const { connect, asked, idsOf, heard } = await follow(log, 0, { seq: 5, final: true });
    await connect();
    await eventually(() => expect(heard.isOver).toBe(true), WITHIN_MS);
    expect(idsOf()).toEqual(upTo(5));
    expect(asked).toEqual([0, 2, 4]);
  });

  test('goes on from memory where the log ends, without reading it again', async () => {
    const log = upTo(3).map((seq) => frame(seq));
    const { connect, asked, idsOf, heard, arrivals } = await follow(log, 1, { seq: 3, final: false });
    await connect();
    await eventually(() => expect(idsOf()).toEqual([2, 3]), WITHIN_MS);
    arrivals.next({ kind: 'event', frame: frame(4) });
    await eventually(() => expect(idsOf()).toEqual([2, 3, 4]), WITHIN_MS);
    expect(heard.isOver).toBe(false);
    arrivals.next({ kind: 'event', frame: last(5) });
    await eventually(() => expect(heard.isOver).toBe(true), WITHIN_MS);
    expect(idsOf()).toEqual([2, 3, 4, 5]);
    expect(asked).toEqual([1]);
  });

  test('stays while the log cannot be read, and hears everything once it can', async () => {
    const log = [frame(1), frame(2), last(3)];
    const { connect, asked, idsOf, heard, refuse } = await follow(log, 0, { seq: 3, final: true });
    refuse(2);
    await connect();
    await eventually(() => expect(heard.isOver).toBe(true), WITHIN_MS);
    expect(idsOf()).toEqual(upTo(3));
    expect(asked).toEqual([0, 0, 0, 2]);
  });

  test('is let go where the log has ended and has nothing more', async () => {
    const { connect, idsOf, heard, asked } = await follow([], 0, { seq: 3, final: true });
    await connect();
    await eventually(() => expect(heard.isOver).toBe(true), WITHIN_MS);
    expect(idsOf()).toEqual([]);
    expect(asked).toEqual([0]);
  });

  test('that does not read is sent nothing more, asks for nothing, and goes on where it was', async () => {
    const log = [frame(1), frame(2, 'grading_started', 16 * 1024 * 1024), frame(3), last(4)];
    const { connect, idsOf, heard, asked, advance } = await follow(log, 0, { seq: 4, final: true });
    const answer = await connect(false);
    await eventually(() => expect(asked).toEqual([0]), WITHIN_MS);
    for (let times = 0; times < 3; times += 1) {
      await new Promise(setImmediate);
      advance();
    }
    expect(asked).toEqual([0]);
    answer.on('data', (text: string) => (heard.text += text));
    answer.resume();
    await eventually(() => expect(heard.isOver).toBe(true), WITHIN_MS);
    expect(idsOf()).toEqual(upTo(4));
  });
});
