import { natsServerOf, parseNatsUrl } from '../../../src/platform/config/nats-address';
import { isSupportedVersion } from '../../../src/engine/bus/nats-link';

describe('an address of a NATS server', () => {
  it.each([
    ['nats://host', { shown: 'host:4222', options: { servers: ['host:4222'] } }],
    ['nats://host:5222', { shown: 'host:5222', options: { servers: ['host:5222'] } }],
    ['nats://a%40b:p%3Aw@host', { shown: 'host:4222', options: { servers: ['host:4222'], user: 'a@b', pass: 'p:w' } }],
    ['nats://to%2Fken@host', { shown: 'host:4222', options: { servers: ['host:4222'], token: 'to/ken' } }],
    ['tls://host', { shown: 'host:4222', options: { servers: ['host:4222'], tls: {} } }],
    [
      'tls://user:word@host:1',
      { shown: 'host:1', options: { servers: ['host:1'], user: 'user', pass: 'word', tls: {} } },
    ],
  ])('%s', (url, address) => {
    expect(parseNatsUrl(url)).toEqual(address);
  });

  it('names the server by itself', () => {
    expect(natsServerOf('nats://user:word@host')).toEqual({ host: 'host', port: 4222 });
    expect(natsServerOf('nats://host:5222')).toEqual({ host: 'host', port: 5222 });
  });
});

describe('the version of a NATS server', () => {
  it.each(['2.9.0', '2.9.10', '2.10.0', '2.12.0-RC.1', '3.0.0'])('%s is new enough', (version) => {
    expect(isSupportedVersion(version)).toBe(true);
  });
  it.each(['2.8.4', '1.9.0', '1.12.0', '0.0.0', '', 'newest'])('%j is not', (version) => {
    expect(isSupportedVersion(version)).toBe(false);
  });
});
