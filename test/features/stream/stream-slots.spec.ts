import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceUnavailableException } from '@nestjs/common';
import { ANYONE } from '../../../src/platform/access/caller';
import { settingsFrom } from '../../../src/platform/config/settings';
import { StreamSlots } from '../../../src/features/stream/stream-slots';
import { eventually } from '../../setup/eventually';

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
    for (const { response } of [await asked(), await asked()]) slots.take(response, ANYONE);
    const { response } = await asked();
    expect(() => slots.take(response, ANYONE)).toThrow(ServiceUnavailableException);
    expect(response.getHeader('Retry-After')).toBe('5');
  });

  it.each<[string, (one: Awaited<ReturnType<typeof asked>>) => void]>([
    ['the response has ended', ({ response }) => response.end()],
    ['its client has left', ({ leave }) => leave()],
  ])('are free again once %s, each once', async (_what, end) => {
    const slots = open();
    const first = await asked();
    slots.take(first.response, ANYONE);
    slots.take((await asked()).response, ANYONE);
    end(first);
    await once(first.response, 'close');
    slots.take((await asked()).response, ANYONE);
    const { response } = await asked();
    expect(() => slots.take(response, ANYONE)).toThrow(ServiceUnavailableException);
  });

  it('are half for one key that is no admin’s; who shows another finds some, and so does an admin', async () => {
    const slots = new StreamSlots(settingsFrom({ MAX_EVENT_STREAMS: '4' }));
    const wall = { id: 'key 1', name: 'wall', role: 'viewer' } as const;
    const first = await asked();
    slots.take(first.response, wall);
    slots.take((await asked()).response, wall);
    const { response } = await asked();
    expect(() => slots.take(response, wall)).toThrow('The key "wall" already has 2 event streams on this process');
    expect(response.getHeader('Retry-After')).toBe('5');
    slots.take((await asked()).response, { id: 'key 2', name: 'wall', role: 'viewer' });
    slots.take((await asked()).response, { id: 'key 3', name: 'boss', role: 'admin' });
    first.leave();
    await once(first.response, 'close');
    slots.take((await asked()).response, wall);
  });

  it('are the larger half of an odd number', async () => {
    const slots = new StreamSlots(settingsFrom({ MAX_EVENT_STREAMS: '3' }));
    const wall = { id: 'key 1', name: 'wall', role: 'runner' } as const;
    for (const { response } of [await asked(), await asked()]) slots.take(response, wall);
    const { response } = await asked();
    expect(() => slots.take(response, wall)).toThrow('The key "wall" already has 2 event streams on this process');
    expect(slots.inUse).toBe(2);
  });

  it('are counted by who it is: a person with sessions of two roles gains none by changing between them', async () => {
    const slots = new StreamSlots(settingsFrom({ MAX_EVENT_STREAMS: '4' }));
    const ward = (role: 'viewer' | 'runner') =>
      ({ id: 'person 1', name: 'Ann of the ward', role, isPerson: true }) as const;
    slots.take((await asked()).response, ward('viewer'));
    slots.take((await asked()).response, ward('runner'));
    const { response } = await asked();
    expect(() => slots.take(response, ward('viewer'))).toThrow(
      /^Ann of the ward already has 2 event streams on this process/,
    );
  });

  it('are not taken by those who have left before they are served', async () => {
    const slots = open();
    const { response, leave } = await asked();
    leave();
    await eventually(() => expect(response.destroyed).toBe(true));
    for (let times = 0; times < 3; times += 1) slots.take(response, ANYONE);
    for (const one of [await asked(), await asked()]) slots.take(one.response, ANYONE);
  });
});
