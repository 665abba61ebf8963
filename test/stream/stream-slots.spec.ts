import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceUnavailableException } from '@nestjs/common';
import { settingsFrom } from '../../src/config/settings';
import { StreamSlots } from '../../src/stream/stream-slots';
import { eventually } from '../setup/eventually';

describe('the slots of event streams', () => {
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

  /** A response that its client waits for, and how that client leaves. */
  async function asked(): Promise<{ readonly response: ServerResponse; readonly leave: () => void }> {
    const { port } = server.address() as AddressInfo;
    const answered = once(server, 'request');
    const client = get({ host: '127.0.0.1', port, agent: false }, (answer) => answer.resume());
    client.on('error', () => undefined);
    const [, response] = (await answered) as [unknown, ServerResponse];
    return { response, leave: () => client.destroy() };
  }

  const open = () => new StreamSlots(settingsFrom({ MAX_EVENT_STREAMS: '2' }));

  it('are as many as the settings allow; who comes then is told when to try again', async () => {
    const slots = open();
    for (const { response } of [await asked(), await asked()]) slots.take(response);
    const { response } = await asked();
    expect(() => slots.take(response)).toThrow(ServiceUnavailableException);
    expect(response.getHeader('Retry-After')).toBe('5');
  });

  it.each<[string, (one: Awaited<ReturnType<typeof asked>>) => void]>([
    ['the response has ended', ({ response }) => response.end()],
    ['its client has left', ({ leave }) => leave()],
  ])('are free again once %s, each once', async (_what, end) => {
    const slots = open();
    const first = await asked();
    slots.take(first.response);
    slots.take((await asked()).response);
    end(first);
    await once(first.response, 'close');
    slots.take((await asked()).response);
    const { response } = await asked();
    expect(() => slots.take(response)).toThrow(ServiceUnavailableException);
  });

  it('are not taken by those who have left before they are served', async () => {
    const slots = open();
    const { response, leave } = await asked();
    leave();
    await eventually(() => expect(response.destroyed).toBe(true));
    for (let times = 0; times < 3; times += 1) slots.take(response);
    for (const one of [await asked(), await asked()]) slots.take(one.response);
  });
});
