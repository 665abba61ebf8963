import { AccessToken } from 'livekit-server-sdk';
import type { ProviderError } from '../../../src/agents/errors';
import { AgentPresence } from '../../../src/agents/livekit/agent-presence';
import { AgentRoom } from '../../../src/agents/livekit/agent-room';
import { nativeLibrary } from '../../../src/agents/livekit/native-library';
import { RoomProcesses } from '../../../src/agents/livekit/room-processes';
import { ROOM_TIMES } from '../../../src/agents/livekit/room-times';
import { roomOfToken } from '../../../src/agents/livekit/room-token';
import type { Participant } from '../../../src/agents/livekit/room-wire';
import { SpokenText } from '../../../src/agents/livekit/agent-speech';
import { Secrets } from '../../../src/agents/secrets/secrets';
import { describeWithLiveKit } from '../../setup/describe-with-livekit';
import { eventually } from '../../setup/eventually';
import { LiveKitServer } from '../../setup/livekit-server';
import { unaborted } from '../provider.contract';

describeWithLiveKit('processes that hold LiveKit rooms', () => {
  const servers: LiveKitServer[] = [];
  let processes: RoomProcesses;

  beforeAll(async () => {
    servers.push(await LiveKitServer.start(), await LiveKitServer.start());
  });
  beforeEach(() => {
    processes = new RoomProcesses();
  });
  afterEach(() => processes.close());
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  const join = async (
    server: LiveKitServer | undefined,
    identity: string,
    signal = unaborted(),
  ): Promise<AgentRoom> => {
    if (server === undefined) throw new Error('There is no such server.');
    const token = new AccessToken(server.apiKey, server.apiSecret, { identity });
    token.addGrant({ room: 'ward', roomJoin: true, canPublishData: true, canSubscribe: true });
    return AgentRoom.join(processes, { url: server.url, token: await token.toJwt() }, Secrets.of({}), signal);
  };

  it('start one for a server, and another one for another server', async () => {
    expect(processes.pids).toEqual([]);
    await join(servers[0], 'a');
    await join(servers[0], 'b');
    expect(processes.pids).toHaveLength(1);
    await join(servers[1], 'c');
    expect(processes.pids).toHaveLength(2);
  });

  it('take nobody with them when they crash, and come again', async () => {
    const lost = await join(servers[0], 'a');
    const [crashing] = processes.pids;
    const kept = await join(servers[1], 'b');
    const told: ProviderError[] = [];
    lost.onFailure((error) => told.push(error));
    process.kill(crashing ?? 0, 'SIGKILL');
    await eventually(() =>
      expect(told).toMatchObject([{ code: 'connect_failed', message: expect.stringContaining('SIGKILL') }]),
    );
    await expect(lost.sendText('hello', unaborted())).rejects.toBe(told[0]);
    await lost.leave();

    expect(kept.failure).toBeNull();
    await kept.sendText('hello', unaborted());
    const again = await join(servers[0], 'a');
    expect(again.failure).toBeNull();
    expect(processes.pids).not.toContain(crashing);
  });

  it('pass on data packets, as they are', async () => {
    const [a, b] = [await join(servers[0], 'a'), await join(servers[0], 'b')];
    const heard: unknown[] = [];
    const stop = b.onData(({ payload, topic, sender }) =>
      heard.push([Buffer.from(payload).toString('hex'), topic, sender]),
    );
    await a.publishData(Buffer.from('00ff7f', 'hex'), { topic: 'vitals' }, unaborted());
    await eventually(() => expect(heard).toEqual([['00ff7f', 'vitals', 'a']]));
    stop();
  });

  it('refuse a data packet longer than LiveKit promises to carry', async () => {
    const [a, b] = [await join(servers[0], 'a'), await join(servers[0], 'b')];
    const heard: number[] = [];
    b.onData(({ payload }) => heard.push(payload.length));
    await expect(a.publishData(Buffer.alloc(15 * 1024 + 1), {}, unaborted())).rejects.toMatchObject({
      code: 'transport_unsupported',
      message: expect.stringMatching(/15361 bytes.*15360/),
    });
    await a.publishData(Buffer.alloc(15 * 1024), {}, unaborted());
    await eventually(() => expect(heard).toEqual([15 * 1024]));
  });

  it('give up joining at once when they are asked to', async () => {
    const abort = new AbortController();
    const joining = join(servers[1], 'late', abort.signal);
    await eventually(() => expect(processes.pids.length).toBe(1));
    abort.abort();
    await expect(joining).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
    // Connecting cannot be broken off: it arrives, and goes.
    const witness = await join(servers[1], 'witness');
    await eventually(async () => expect(await servers[1]?.identitiesIn('ward')).not.toContain('late'));
    expect(witness.failure).toBeNull();
  });
});

describe('the native library', () => {
  it('is there on this platform', () => {
    expect(nativeLibrary()).toEqual({ available: true });
  });

  it.each([
    ['freebsd-x64', () => undefined, 'freebsd-x64'],
    [
      'linux-x64',
      () => {
        throw new Error('Cannot find module');
      },
      '@livekit/rtc-ffi-bindings-linux-x64-gnu',
    ],
  ])('says why it is not there on %s', (platform, resolve, words) => {
    expect(nativeLibrary(platform, resolve)).toEqual({ available: false, reason: expect.stringContaining(words) });
  });
});

describe('what is spoken', () => {
  const everybody = (): boolean => true;

  it('counts interim versions of a segment once, as the last one has it', () => {
    const spoken = new SpokenText();
    ['Call', 'Call 112', 'Call 112 now.'].forEach((text, index) => {
      spoken.began(String(index), 'lk.transcription', 'agent', 'SG_1');
      spoken.add(String(index), text);
      spoken.ended(String(index));
    });
    expect(spoken.said(everybody)).toEqual({ text: 'Call 112 now.', hasEnded: true });
  });

  it('counts a chat message that repeats several segments once', () => {
    const spoken = new SpokenText();
    const say = (id: string, topic: string, text: string): void => {
      spoken.began(id, topic, 'agent', null);
      spoken.add(id, text);
      spoken.ended(id);
    };
    say('1', 'lk.transcription', 'Sit down.');
    say('2', 'lk.transcription', 'Breathe.');
    say('3', 'lk.chat', 'Sit down. Breathe.');
    say('4', 'lk.chat', 'Here is a link.');
    expect(spoken.said(everybody).text).toBe('Sit down.\nBreathe.\nHere is a link.');
  });

  it('hears nobody but the agent, and nothing from before', () => {
    const spoken = new SpokenText();
    spoken.began('1', 'lk.transcription', 'patient', null);
    spoken.add('1', 'My chest hurts.');
    expect(spoken.said((identity) => identity === 'agent').text).toBe('');
    spoken.forget();
    expect(spoken.add('1', 'late')).toBe(false);
    expect(spoken.said(everybody)).toEqual({ text: '', hasEnded: false });
  });
});

describe('who the agent is', () => {
  const bot = (more: Partial<Participant> = {}): Participant => {
    return { identity: 'bot', kind: 'agent', isActive: true, attributes: {}, publications: 0, ...more };
  };
  const presence = () => new AgentPresence(ROOM_TIMES);

  it('is not told by a participant who shows nothing until it had time to', () => {
    const room = presence();
    room.see(bot(), 0);
    expect(room.ready(ROOM_TIMES.readyAfter - 1)).toBeNull();
    expect(room.ready(ROOM_TIMES.readyAfter)).toMatchObject({ identity: 'bot' });
  });

  it.each([
    ['an agent', bot()],
    ['a participant that does not call itself one', bot({ kind: 'standard' })],
  ])('is %s whose answer came before the server told of it, so that its leaving is noticed', (_name, participant) => {
    const room = presence();
    room.answered('');
    expect(room.ready(0)).toBeNull();
    room.see(participant, 0);
    expect(room.ready(0)).toMatchObject({ identity: 'bot' });
    expect(room.leave('bot')).toBe(true);
  });

  it('is who answered, not who is there besides', () => {
    const room = presence();
    room.see(bot({ identity: 'recorder' }), 0);
    room.answered('bot');
    expect(room.ready(10_000)).toBeNull();
    room.see(bot({ kind: 'standard' }), 10_000);
    expect(room.ready(10_000)).toMatchObject({ identity: 'bot' });
  });

  it('is known to have been there when it left before it was ready', () => {
    const room = presence();
    expect(room.visit).toBe('nobody');
    room.see(bot(), 0);
    expect(room.visit).toBe('present');
    expect(room.leave('bot')).toBe(false);
    expect(room.visit).toBe('left');
  });
});

describe('the room of a token', () => {
  const claims = (payload: unknown): string => `x.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.y`;

  it.each([
    [claims({ video: { room: 'ward' } }), 'ward'],
    [claims({ video: {} }), null],
    [claims({ video: 'ward' }), null],
    [claims(null), null],
    ['x.%%%.y', null],
    ['', null],
  ])('is read from %j', (token, room) => expect(roomOfToken(token)).toBe(room));
});
