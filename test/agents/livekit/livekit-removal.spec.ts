import { createLog } from '../../../src/platform/config/log';
import { HttpClient } from '../../../src/agents/outbound/http-client';
import { InProcessRequestBudget } from '../../../src/agents/outbound/in-process.request-budget';
import { Limiter } from '../../../src/agents/outbound/limiter';
import { RoomAdministration, RoomRemoval, type Expected } from '../../../src/agents/livekit/room-administration';
import { Secrets } from '../../../src/agents/secrets/secrets';
import { sendJson, startHttpStub, type HttpStub } from '../../fakes/http-stub';
import { manualClock } from '../../fakes/manual-clock';
import { eventually } from '../../setup/eventually';

describe('rooms that must not stay', () => {
  const http = new HttpClient();
  const keys = { apiKey: 'key', apiSecret: 'secret-of-the-server' };
  /** Rooms of the server, whose API of deletions is played here. */
  const rooms = new Set<string>();
  let server: HttpStub;
  let lines: string[];
  /** What the next deletions of rooms are answered with. */
  let failures: number[];
  /** Dispatches that were taken back. */
  let recalled: string[];
  let removal: RoomRemoval;

  beforeEach(async () => {
    rooms.clear();
    lines = [];
    failures = [];
    recalled = [];
    server = await startHttpStub((response, { path, headers, body }) => {
      const { room, dispatch_id: dispatch } = Object(body);
      if (path.endsWith('/ListDispatch')) return sendJson(response, 200, { agent_dispatches: [{ id: `for ${room}` }] });
      if (path.endsWith('/DeleteDispatch')) {
        recalled.push(dispatch);
        return sendJson(response, 200, {});
      }
      const code = failures.shift() ?? (rooms.delete(room) ? 200 : 404);
      // LiveKit quotes a token that it refuses.
      const [, token] = headers.authorization?.split(' ') ?? [];
      sendJson(response, code, { msg: `status ${code}, invalid token: ${token}` });
    });
    removal = new RoomRemoval(createLog('info', { write: (line) => lines.push(line) }), {
      others: [],
      nobody: [5],
      agent: [5, 5, 5],
    });
  });
  afterEach(async () => {
    await removal.close();
    await server.close();
  });
  afterAll(() => http.close());

  const remove = (room: string, expected: Expected = 'agent'): Promise<void> => {
    const clock = manualClock();
    const parts = { http, clock, limiter: new Limiter(new InProcessRequestBudget(clock), clock) };
    return removal.remove(room, new RoomAdministration(parts, server.origin, keys, Secrets.of({})), expected);
  };
  const deletions = () => server.requests.filter(({ path }) => path.endsWith('/DeleteRoom')).length;
  const logged = () => lines.map((line) => Object(JSON.parse(line)));

  it('are gone when the removal says so', async () => {
    rooms.add('ward');
    await remove('ward', 'nobody');
    expect([...rooms]).toEqual([]);
    expect(server.requests[0]).toMatchObject({ path: '/twirp/livekit.RoomService/DeleteRoom', body: { room: 'ward' } });
  });

  it('are waited for by no agent any more that was sent for and had not come', async () => {
    rooms.add('ward');
    await remove('ward', 'agent');
    expect(recalled).toEqual(['for ward']);
    expect([...rooms]).toEqual([]);
  });

  it('are deleted again when they come back, and that is told', async () => {
    rooms.add('ward');
    await remove('ward');
    rooms.add('ward');
    await eventually(() => expect([...rooms]).toEqual([]));
    await eventually(() => expect(logged()).toMatchObject([{ level: 'info', room: 'ward' }]));
  });

  it('are tried again when a deletion fails, and nobody waits for that', async () => {
    rooms.add('ward');
    failures = [503, 503, 503];
    await remove('ward');
    expect([...rooms]).toEqual(['ward']);
    await eventually(() => expect([...rooms]).toEqual([]));
    expect(logged()).toEqual([]);
  });

  it('are told of when they cannot be deleted', async () => {
    failures = Array.from({ length: 30 }, () => 500);
    await remove('ward');
    await eventually(() =>
      expect(logged()).toMatchObject([
        {
          level: 'warn',
          room: 'ward',
          server: new URL(server.origin).host,
          tries: 4,
          error: { type: 'ProviderError' },
        },
      ]),
    );
    expect(lines.join()).not.toContain('eyJ');
  });

  it('are not asked for again with keys that are refused', async () => {
    failures = [401];
    await remove('ward');
    await eventually(() => expect(logged()).toMatchObject([{ level: 'warn', tries: 1 }]));
    expect(deletions()).toBe(1);
    expect(lines.join()).toContain('invalid token: [removed]');
  });

  it('are left to whoever uses them by then when their name is not ours', async () => {
    rooms.add('ward');
    await remove('ward', 'others');
    rooms.add('ward');
    // One of our own, whose every try comes after what would have come for the other.
    await remove('ours');
    await eventually(() => expect(deletions()).toBe(5));
    expect([...rooms]).toEqual(['ward']);
  });

  it('keep nobody from ending: what was not deleted by then is told', async () => {
    removal = new RoomRemoval(createLog('info', { write: (line) => lines.push(line) }), {
      others: [],
      nobody: [],
      agent: [600_000],
    });
    failures = [500, 500, 500];
    await remove('ward');
    await removal.close();
    await eventually(() => expect(logged()).toMatchObject([{ level: 'warn', room: 'ward', tries: 1 }]));
  });
});
