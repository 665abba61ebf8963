import { BusStartError } from '../../../src/engine/bus/bus';
import { dialNats, isSupportedVersion, NatsLink } from '../../../src/engine/bus/nats-link';
import { NatsBus } from '../../../src/engine/bus/nats.bus';
import { silentLog } from '../../../src/platform/config/log';
import { eventually, inTime } from '../../setup/eventually';
import { keptLog, SHORT_TIMES } from '../../setup/nats-harness';
import { startScriptedNats } from '../../setup/scripted-nats';

/** Where nobody listens. */
const NOWHERE = 'nats://osce:hunter2@127.0.0.1:9';
const times = SHORT_TIMES;

describe('NatsBus without a server it can use', () => {
  it('waits a while for one out of reach, then says in one sentence what to do', async () => {
    const start = NatsBus.open({ url: NOWHERE, log: silentLog, reachWithinMs: 50, times });
    await expect(start).rejects.toThrow(BusStartError);
    await expect(start).rejects.toThrow(
      /^The NATS server at 127\.0\.0\.1:9 is out of reach: start it, or correct NATS_URL \(.+\)\.$/,
    );
    await expect(start).rejects.not.toThrow('hunter2');
    await expect(start).rejects.toMatchObject({ cause: expect.any(Error) });
  });

  it('tries again after waits that double up to the longest, and says so each time, until it is ready', async () => {
    const { lines, log } = keptLog();
    // It has JetStream, and is still reading its storage.
    const server = await startScriptedNats({ jetstream: true });
    const url = server.url.replace('//', '//osce:hunter2@');
    const start = NatsBus.open({ url, log, reachWithinMs: 60_000, times });
    await eventually(() => expect(lines.length).toBeGreaterThanOrEqual(5));
    server.finishReading();
    await (await inTime(start)).close();
    await server.close();
    expect(lines.slice(0, 5).map(({ delay_ms }) => delay_ms)).toEqual([5, 10, 20, 20, 20]);
    expect(lines[0]).toMatchObject({
      msg: 'The NATS server is out of reach; trying again',
      server: server.url.slice('nats://'.length),
    });
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it('does not wait longer than it was told: where the next try would come too late there is none', async () => {
    const { lines, log } = keptLog();
    const start = NatsBus.open({ url: NOWHERE, log, reachWithinMs: 1_000, times: { ...times, dialRetryMs: 60_000 } });
    await expect(start).rejects.toThrow(BusStartError);
    expect(lines).toEqual([]);
  });

  it('gives up a server that takes the connection and says nothing', async () => {
    const server = await startScriptedNats({}, { hasJetStream: true });
    server.pause();
    const start = NatsBus.open({
      url: server.url,
      log: silentLog,
      reachWithinMs: 10,
      times: { ...times, connectWithinMs: 30 },
    });
    await expect(start).rejects.toThrow(/is out of reach: start it, or correct NATS_URL \(timeout\)/);
    // The client lets go of such a connection without closing it.
    server.hangUp();
    await server.close();
  });

  it.each([
    ['too old', { version: '2.8.4' }, 'is version 2.8.4: 2.9 or newer is needed.'],
    ['with too small messages', { max_payload: 1_048_575 }, 'takes messages of 1048575 bytes: set its max_payload to'],
    ['without JetStream', { jetstream: false }, 'has no JetStream: start it with -js.'],
  ])('refuses a server %s, at once, and leaves it', async (_what, info, sentence) => {
    const server = await startScriptedNats(info);
    const start = NatsBus.open({ url: server.url, log: silentLog, reachWithinMs: 60_000, times });
    await expect(start).rejects.toThrow(BusStartError);
    await expect(start).rejects.toThrow(sentence);
    expect(server.connections).toBe(1);
    await server.close();
  });

  it('refuses a server that refuses it, at once', async () => {
    const server = await startScriptedNats({}, { hasJetStream: true });
    server.refuse(true);
    const start = NatsBus.open({ url: server.url, log: silentLog, reachWithinMs: 60_000, times });
    await expect(start).rejects.toThrow(BusStartError);
    await expect(start).rejects.toThrow(/does not accept this service: correct user, password or token in NATS_URL\.$/);
    await expect(start).rejects.toMatchObject({ cause: expect.any(Error) });
    expect(server.connections).toBe(1);
    await server.close();
  });

  it.each([
    ['2.8.4', false],
    ['2.9.0', true],
    ['2.9.10', true],
    ['2.15.2', true],
    ['2.12.0-RC.1', true],
    ['3.0.0', true],
    ['1.99.0', false],
    ['', false],
    ['dev', false],
  ])('version %j: supported is %s', (version, isSupported) => {
    expect(isSupportedVersion(version)).toBe(isSupported);
  });
});

it('a request that the server forbids is refused as one that cannot be asked, not as one that nobody hears', async () => {
  const server = await startScriptedNats({ jetstream: true }, { hasJetStream: true });
  const bus = await NatsBus.open({ url: server.url, log: silentLog, times });
  const refused = expect(inTime(bus.request('osce.question', 1, { timeoutMs: 60_000 }))).rejects.toMatchObject({
    reason: 'unavailable',
    cause: expect.objectContaining({ name: 'RequestError' }),
  });
  server.say(`-ERR 'Permissions Violation for Publish to "osce.question"'`);
  await refused;
  await bus.close();
  await server.close();
});

describe('the connection to a NATS server', () => {
  async function connected() {
    const { lines, log } = keptLog('info');
    const server = await startScriptedNats({ jetstream: true }, { hasJetStream: true });
    const dialed = await dialNats({ url: server.url, log, times });
    const link = new NatsLink(dialed, log);
    const said = () => lines.map(({ msg }) => msg);
    return { server, link, lines, said, waits: dialed.waits };
  }

  it('says when it is lost and when it is back, to those who watch it and in the log', async () => {
    const { server, link, lines } = await connected();
    expect([link.isUp, link.serverVersion]).toEqual([true, '2.10.0']);
    const seen: string[] = [];
    link.onChange((isUp) => seen.push(`one ${isUp}`));
    const leave = link.onChange((isUp) => {
      seen.push(`other ${isUp} ${link.isUp}`);
      leave();
    });
    server.become({ version: '2.11.0' });
    server.hangUp();
    await eventually(() => expect(seen).toEqual(['one false', 'other false false', 'one true']));
    expect([link.isUp, link.serverVersion]).toEqual([true, '2.11.0']);
    const address = server.url.slice('nats://'.length);
    expect(lines).toMatchObject([
      { level: 'info', msg: 'Connected to the NATS server', server: address, version: '2.10.0' },
      { level: 'warn', msg: 'The NATS server is out of reach; reconnecting', server: address },
      { level: 'info', msg: 'Connected to the NATS server again', server: address, version: '2.11.0' },
    ]);
    await link.close();
    await server.close();
  });

  it('is tried again after waits that grow with each attempt, and begin anew once it is back', async () => {
    const { server, link, waits } = await connected();
    server.refuse(true);
    server.hangUp();
    // A client that gives up does so after the second refusal.
    await eventually(() => expect(server.connections).toBeGreaterThan(4));
    expect(link.isUp).toBe(false);
    expect(waits.current).toBeGreaterThan(100);
    expect(waits.current).toBeLessThanOrEqual(100 * 1.5 ** server.connections);
    server.refuse(false);
    await eventually(() => expect(link.isUp).toBe(true));
    expect(waits.current).toBeLessThanOrEqual(100);
    await link.close();
    await server.close();
  });

  it('tells what the server complains of, and stands', async () => {
    const { server, link, lines } = await connected();
    server.say(`-ERR 'Permissions Violation for Publish to "osce.event"'`);
    await eventually(() => expect(lines.length).toBe(2));
    expect(lines[1]).toMatchObject({ msg: 'The NATS server reported an error', error: expect.anything() });
    expect(link.isUp).toBe(true);
    await link.close();
    await server.close();
  });

  it('that we have closed is down, without a word of it', async () => {
    const { server, link, said } = await connected();
    const seen: boolean[] = [];
    link.onChange((isUp) => seen.push(isUp));
    await link.close();
    await eventually(() => expect(seen).toEqual([false]));
    expect(link.isUp).toBe(false);
    await server.close();
    expect(said()).toEqual(['Connected to the NATS server']);
  });

  it('that ends for good is said to need a restart', async () => {
    const { server, link, said } = await connected();
    await link.connection.close();
    await eventually(() =>
      expect(said()).toEqual([
        'Connected to the NATS server',
        'The connection to the NATS server ended for good; restart this process',
      ]),
    );
    await server.close();
  });
});
