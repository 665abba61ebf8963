import { HttpClient } from '../../cli/connection/http-client';
import { followRun, type FollowOptions } from '../../cli/connection/run-events';
import type { RunEventFields } from '../../src/domain/run-events';
import { resetMidBody, status, text } from '../fakes/misbehaviour';
import { startHttpStub, type HttpStub, type Step } from '../fakes/http-stub';

const COMPLETE = { passed_count: 1, failed_count: 0, error_count: 0, canceled_count: 0, pass_rate: 100 };

let stub: HttpStub;
beforeEach(async () => {
  stub = await startHttpStub(status(404, { error: 'nothing more was expected' }));
});
afterEach(() => stub.close());

const message = (id: number, event: object) => `id: ${id}\ndata: ${JSON.stringify({ ...event, seq: id })}\n\n`;
const GREETING = 'retry: 1\ndata: {"type":"connected"}\n\n';
const STARTED = message(1, { type: 'test_run_started', total_scenarios: 1, scenarios_launched: 1 });
const FINAL = message(2, { type: 'test_run_complete', ...COMPLETE });

const stream = (...parts: string[]): Step => text(200, GREETING + parts.join(''), 'text/event-stream');
/** Says hello and then nothing, not even a comment: a connection that died without a word. */
const silent: Step = (response) =>
  void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(GREETING);

async function follow(options: Partial<FollowOptions> = {}) {
  const seen: RunEventFields['type'][] = [];
  const connection: boolean[] = [];
  const client = new HttpClient({ url: stub.origin, key: null }, new AbortController().signal);
  const following = followRun(client, {
    runId: 'run 1',
    signal: new AbortController().signal,
    patienceMs: 10_000,
    silentMs: 20_000,
    onEvent: ({ type }) => seen.push(type),
    onConnection: (lost) => connection.push(lost === null),
    isOver: async () => false,
    ...options,
  });
  await following;
  return { seen, connection, asked: stub.requests.map(({ headers }) => headers['last-event-id']) };
}

test('goes on after the last event, whatever the service does to the connection in between', async () => {
  stub.next(
    stream(STARTED),
    resetMidBody(),
    status(503, { error: 'starting' }),
    status(429, { error: 'slow' }),
    stream(FINAL),
  );
  expect(await follow()).toEqual({
    seen: ['test_run_started', 'test_run_complete'],
    connection: [false, true],
    asked: [undefined, '1', '1', '1', '1'],
  });
  expect(stub.requests[0]?.path).toBe('/events?run_id=run+1');
});

test('204 is the end: the last event was the final one', async () => {
  stub.next(stream(STARTED), (response) => void response.writeHead(204).end());
  expect((await follow()).seen).toEqual(['test_run_started']);
});

test('a connection that died without a word is noticed, and made again', async () => {
  stub.next(silent, stream(STARTED, FINAL));
  expect(await follow({ silentMs: 300 })).toMatchObject({ connection: [false, true], seen: { length: 2 } });
});

test('where a proxy holds the events back, the run is asked for', async () => {
  stub.next(silent);
  expect(await follow({ silentMs: 300, isOver: async () => true })).toMatchObject({ seen: [] });
});

test('types of a newer service, broken messages and comments are passed over', async () => {
  stub.next(stream(': heartbeat\n\n', message(1, { type: 'astonishing' }), 'id: 2\ndata: {"type":\n\n', FINAL));
  expect((await follow()).seen).toEqual(['test_run_complete']);
});

test('a refusal is final', async () => {
  stub.next(status(404, { error: 'Test run not found' }));
  await expect(follow()).rejects.toThrow('Refused (404): Test run not found');
});

test('an abort ends it with its reason, also while it waits', async () => {
  const end = new AbortController();
  stub.next(status(503, { error: 'down' }));
  const following = follow({ signal: end.signal, onConnection: () => end.abort(new Error('enough')) });
  await expect(following).rejects.toThrow('enough');
});
