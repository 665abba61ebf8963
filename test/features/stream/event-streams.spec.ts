import { randomUUID } from 'node:crypto';
import { BY_NOTICE_ALONE, BY_POLLS, eventStreamsOf } from '../../setup/event-streams';
import { eventually } from '../../setup/eventually';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { finished, said, started, upTo } from '../../setup/written-runs';

const WITHIN_MS = 5_000;
/** More than sockets hold for a client that does not read. */
const FLOOD = 'x'.repeat(16 * 1024 * 1024);

let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());
const open = eventStreamsOf(() => runs);

describe('the stream of a run', () => {
  it('first says how the run stands, without an id and with the time after which to connect again', async () => {
    const { createRun, write, urlOf } = await open();
    const { id, label } = await createRun();
    await write(id, started, finished);
    const text = await (await fetch(urlOf(label))).text();
    const [first = '', ...events] = text.split('\n\n');
    const [retry, data, ...others] = first.split('\n');
    expect([retry, others]).toEqual(['retry: 1000', []]);
    expect(JSON.parse(data?.replace('data: ', '') ?? '')).toEqual({
      type: 'connected',
      run_id: id,
      run: expect.objectContaining({ id, test_run_id: label, status: 'running' }),
    });
    expect(events.map((event) => event.split('\n')[0])).toEqual(['id: 1', 'id: 2', '']);
  });

  it('has what is stored, then what happens, and ends after the final event', async () => {
    const { createRun, write, connect, publish, streams } = await open({ times: BY_NOTICE_ALONE });
    const { id } = await createRun();
    await write(id, started, said(1));
    const client = await connect(id);
    await eventually(() => expect(client.ids).toEqual([1, 2]), WITHIN_MS);
    expect(streams.size).toBe(1);
    publish(...(await write(id, said(2))));
    await eventually(() => expect(client.ids).toEqual([1, 2, 3]), WITHIN_MS);
    publish(...(await write(id, finished)));
    expect(await client.ended).toBe(true);
    expect(client.ids).toEqual(upTo(4));
    await eventually(() => expect(streams.size).toBe(0), WITHIN_MS);
  });

  it('that does not exist waits for it, and has its events from the first', async () => {
    const { createRun, write, connect } = await open({ times: BY_POLLS });
    const id = randomUUID();
    const waiting = await connect(id, 4);
    await eventually(() => expect(waiting.messages).toHaveLength(1), WITHIN_MS);
    expect(waiting.messages[0]?.data).toEqual({ type: 'connected', run_id: id, run: null });
    await createRun(id);
    await write(id, started, said(1));
    await eventually(() => expect(waiting.ids).toEqual([1, 2]), WITHIN_MS);
    await write(id, finished);
    expect(await waiting.ended).toBe(true);
    expect(waiting.ids).toEqual([1, 2, 3]);
  });

  it('that does not appear in time ends', async () => {
    const { connect, streams } = await open({ times: { pollMs: 5, unknownRunMs: 30 } });
    const waiting = await connect(randomUUID());
    expect(await waiting.ended).toBe(true);
    expect(waiting.messages).toHaveLength(1);
    await eventually(() => expect(streams.size).toBe(0), WITHIN_MS);
  });
});

describe('the streams of a process', () => {
  it('have a comment now and then, which keeps proxies open', async () => {
    const { createRun, connect } = await open({ times: { heartbeatMs: 5 } });
    const clients = [await connect((await createRun()).id), await connect(randomUUID())];
    for (const client of clients) await eventually(() => expect(client.comments.length).toBeGreaterThan(2), WITHIN_MS);
    expect(clients.map(({ messages }) => messages.length)).toEqual([1, 1]);
  });

  it('are cut off where the client has read nothing for long, and nowhere else', async () => {
    const { createRun, write, connect, publish, streams } = await open({
      times: { ...BY_NOTICE_ALONE, stallMs: 30 },
    });
    const [large, small] = [await createRun(), await createRun()];
    await write(large.id, started, said(1, FLOOD), finished);
    const reading = await connect(small.id);
    const stalled = await connect(large.id);
    stalled.pause();
    await eventually(() => expect(streams.size).toBe(1), WITHIN_MS);
    stalled.resume();
    expect(await stalled.ended).toBe(false);
    publish(...(await write(small.id, started, finished)));
    expect(await reading.ended).toBe(true);
    expect(reading.ids).toEqual([1, 2]);
  });

  it('end when the service stops: after what was written for those who read, at once for the others', async () => {
    const { createRun, write, connect, held, streams } = await open({ times: BY_NOTICE_ALONE });
    const [large, small] = [await createRun(), await createRun()];
    await write(small.id, started, said(1));
    await write(large.id, said(1, FLOOD));
    const reading = await connect(small.id);
    await eventually(() => expect(reading.ids).toEqual([1, 2]), WITHIN_MS);
    const stalled = await connect(large.id);
    stalled.pause();
    await eventually(() => expect(held()).toBeGreaterThan(0), WITHIN_MS);
    const waiting = await connect(randomUUID());
    streams.beforeApplicationShutdown();
    expect(await reading.ended).toBe(true);
    expect(await waiting.ended).toBe(true);
    stalled.resume();
    expect(await stalled.ended).toBe(false);
    await eventually(() => expect(streams.size).toBe(0), WITHIN_MS);
  });
});
