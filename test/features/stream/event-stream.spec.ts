import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventStream } from '../../../src/features/stream/event-stream';
import { eventually } from '../../setup/eventually';

/** More than sockets hold for a client that does not read. */
const FLOOD = Buffer.alloc(16 * 1024 * 1024, 'x');

describe('an event stream', () => {
  const server = createServer();
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  /** A response that a client waits for. */
  async function asked() {
    const { port } = server.address() as AddressInfo;
    const answered = once(server, 'request') as Promise<[unknown, ServerResponse]>;
    const client = get({ host: '127.0.0.1', port, agent: false });
    client.on('error', () => undefined);
    const heard = once(client, 'response') as Promise<[IncomingMessage]>;
    heard.catch(() => undefined);
    const [, response] = await answered;
    return { response, client, heard: async () => (await heard)[0] };
  }

  /** A stream whose client reads nothing until the test says so. */
  async function open() {
    const { response, client, heard } = await asked();
    const told = { closed: 0, drained: 0 };
    const stream = new EventStream(response, () => (told.closed += 1));
    stream.onDrain = () => (told.drained += 1);
    return { stream, client, heard, told, response };
  }

  async function textOf(answer: IncomingMessage): Promise<string> {
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    return text;
  }

  it('keeps up while its client reads, and ends after what was written', async () => {
    const { stream, heard, told } = await open();
    expect(stream.writable).toBe(true);
    stream.write('data: 1\n\n');
    stream.heartbeat();
    expect(stream.stalledFor(performance.now() + 60_000)).toBe(0);
    stream.end();
    stream.end();
    stream.write('data: 2\n\n');
    stream.heartbeat();
    expect(stream.writable).toBe(false);
    expect(await textOf(await heard())).toBe('data: 1\n\n: heartbeat\n\n');
    await eventually(() => expect(told.closed).toBe(1));
  });

  it('takes nothing more while its client does not read, and says for how long, from the first time on', async () => {
    const { stream, heard, told } = await open();
    const before = performance.now();
    stream.write(FLOOD);
    const after = performance.now();
    expect(stream.writable).toBe(false);
    expect(stream.stalledFor(after + 1_000)).toBeGreaterThanOrEqual(1_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    stream.write('data: 2\n\n');
    expect(stream.stalledFor(after)).toBeGreaterThanOrEqual(0);
    expect(stream.stalledFor(after)).toBeLessThanOrEqual(after - before);
    // A comment for a client that does not read would only fill its socket further.
    stream.heartbeat();
    const answer = await heard();
    const text = textOf(answer);
    await eventually(() => expect(told.drained).toBe(1));
    expect([stream.writable, stream.stalledFor(performance.now() + 60_000)]).toEqual([true, 0]);
    stream.end();
    const rest = (await text).slice(FLOOD.length);
    expect(rest).toBe('data: 2\n\n');
  });

  it('that has ended stalls when its client does not read the rest', async () => {
    const { stream, client, told } = await open();
    stream.end();
    expect(stream.stalledFor(performance.now() + 1_000)).toBeGreaterThanOrEqual(1_000);
    client.destroy();
    await eventually(() => expect(told.closed).toBe(1));
  });

  it('is cut off at once when it is disconnected, whatever waits', async () => {
    const { stream, told, response } = await open();
    stream.write(FLOOD);
    stream.disconnect();
    expect(response.destroyed).toBe(true);
    await eventually(() => expect(told.closed).toBe(1));
    expect(stream.writable).toBe(false);
  });

  it('whose client is gone already is closed in the next turn of the event loop, once', async () => {
    const { response, client } = await asked();
    client.destroy();
    await eventually(() => expect(response.destroyed).toBe(true));
    let closed = 0;
    const stream = new EventStream(response, () => (closed += 1));
    expect(closed).toBe(0);
    await new Promise(setImmediate);
    expect(closed).toBe(1);
    expect(stream.writable).toBe(false);
    stream.write('data: 1\n\n');
    expect(stream.stalledFor(performance.now() + 60_000)).toBe(0);
  });
});
