import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ProviderError } from '../../../src/agents/errors';
import { HttpClient, MAX_BODY_BYTES, type HttpRequest } from '../../../src/agents/outbound/http-client';
import { sendJson, startHttpStub, type HttpStub, type Step } from '../../fakes/http-stub';
import { hang, huge, status } from '../../fakes/misbehaviour';
import { LoopTurns } from '../../setup/loop-turns';
import { unaborted } from '../provider.contract';

const ok: Step = (response) => sendJson(response, 200, { ok: true });

describe('HTTP client of the providers', () => {
  let stub: HttpStub;
  let client: HttpClient;
  let turns: LoopTurns;

  beforeEach(async () => {
    stub = await startHttpStub(ok);
    client = new HttpClient();
    turns = new LoopTurns();
  });
  afterEach(async () => {
    turns.stop();
    await client.close();
    await stub.close();
  });

  const request = (changes: Partial<HttpRequest> = {}): HttpRequest => ({
    origin: stub.origin,
    path: '/',
    method: 'POST',
    headers: {},
    body: '{}',
    timeoutMs: 20_000,
    ...changes,
  });

  it('uses one connection for one call after another', async () => {
    for (let count = 0; count < 5; count += 1) await client.send(request(), unaborted());
    expect(stub.acceptedSockets).toBe(1);
  });

  it('does not queue 300 calls at a time behind each other', async () => {
    const held: (() => void)[] = [];
    stub.next(
      ...Array.from({ length: 300 }, (): Step => (response, asked) => void held.push(() => ok(response, asked))),
    );
    const calls = Promise.all(Array.from({ length: 300 }, () => client.send(request(), unaborted())));
    await stub.until(() => held.length === 300);
    held.forEach((answer) => answer());
    expect(await calls).toHaveLength(300);
  });

  it('reads long answers one after the other, however many end in the same moment', async () => {
    const held: (() => void)[] = [];
    const long: Step = (response) => {
      response.writeHead(200).write('a'.repeat(MAX_BODY_BYTES - 1));
      held.push(() => response.end('z'));
    };
    stub.next(...Array.from({ length: 6 }, () => long));
    const calls = Array.from({ length: 6 }, async () => {
      const { text } = await client.send(request(), unaborted());
      expect(text).toHaveLength(MAX_BODY_BYTES);
      return turns.present;
    });
    await stub.until(() => held.length === 6);
    // Time for the client to take what was sent so far: then six short ends arrive together.
    for (let turn = 0; turn < 500; turn += 1) await nextTurn();
    held.forEach((end) => end());
    expect(new Set(await Promise.all(calls)).size).toBe(6);
  });

  it('aborts 300 calls in flight and leaves no connection behind', async () => {
    stub.next(...Array.from({ length: 300 }, () => hang()));
    const abort = new AbortController();
    setMaxListeners(0, abort.signal);
    const calls = Promise.allSettled(Array.from({ length: 300 }, () => client.send(request(), abort.signal)));
    await stub.until(() => stub.inFlight === 300);
    abort.abort();
    const outcomes = await calls;
    expect(outcomes.every(({ status: outcome }) => outcome === 'rejected')).toBe(true);
    await stub.until(() => stub.openSockets === 0);
    await client.send(request(), unaborted());
    expect(stub.acceptedSockets).toBe(301);
  });

  it('ends at once when it is aborted before the connection is there', async () => {
    const abort = new AbortController();
    const call = client.send(request(), abort.signal);
    abort.abort();
    await expect(call).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
    await client.send(request(), unaborted());
    expect(stub.requests).toHaveLength(1);
  });

  it('says by its status what is wrong, however long the body of a refusal is', async () => {
    stub.next(huge(5 * 1024 * 1024, true, 401));
    const response = await client.send(request(), unaborted());
    expect(response.status).toBe(401);
    expect(response.text.length).toBeLessThanOrEqual(1024 * 1024);
    await stub.until(() => stub.openSockets === 0);
  });

  it('keeps connections to so many origins only, and to all that are in use', async () => {
    const small = new HttpClient({ maxOrigins: 2 });
    const others = await Promise.all([startHttpStub(ok), startHttpStub(ok)]);
    const [second, third] = others.map(({ origin }) => origin);
    stub.next(hang());
    const abort = new AbortController();
    const hanging = expect(small.send(request(), abort.signal)).rejects.toBeInstanceOf(ProviderError);
    await small.send(request({ origin: second }), unaborted());
    await small.send(request({ origin: third }), unaborted());
    expect(small.origins).toEqual([stub.origin, third]);
    abort.abort();
    await hanging;
    await Promise.all([small.close(), ...others.map((other) => other.close())]);
  });

  it('forgets an origin that nobody uses', async () => {
    const forgetful = new HttpClient({ idleMs: 10 });
    await forgetful.send(request(), unaborted());
    await stub.until(() => stub.openSockets === 0);
    expect(forgetful.origins).toEqual([]);
    await forgetful.close();
  });

  it('ends calls in flight when it is closed, and takes no more', async () => {
    stub.next(hang());
    const ended = expect(client.send(request(), unaborted())).rejects.toMatchObject({
      disposition: { kind: 'canceled' },
    });
    await stub.until(() => stub.inFlight === 1);
    await Promise.all([client.close(), client.close()]);
    await ended;
    await stub.until(() => stub.openSockets === 0);
    await expect(client.send(request(), unaborted())).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
    expect(stub.requests).toHaveLength(1);
  });

  it('does not reuse a connection that the server closes', async () => {
    stub.next(status(200, {}, { connection: 'close' }));
    await client.send(request(), unaborted());
    await client.send(request(), unaborted());
    expect(stub.acceptedSockets).toBe(2);
  });
});
