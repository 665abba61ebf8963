import { randomUUID } from 'node:crypto';
import { ApiClient } from '../setup/api-client';
import { eachAtOnce } from '../setup/at-once';
import { PUBLIC_URL, signInVariables, TestIdentityProvider } from '../setup/identity-provider';
import { createAgent, createScenarios } from '../setup/examination';
import { KEYS, keyVariables } from '../setup/role-keys';
import { hostileTexts } from './corpus';
import { ExaminedService } from './examined-service';
import { inTurn, SEED, shareOf } from './rotation';

/** What an organisation's people and programs come through: keys, sign-in, run sets and schedules. */
const ANSWERS = [200, 201, 302, 400, 401, 403, 404, 409, 413, 414, 429, 431];
/** More of a text does not fit into an address, whose limit is that of Node. */
const LONGEST_QUERY = 4_000;

const corpus = hostileTexts(SEED);
/** Every text comes through one of these doors, and through the next with the next seed. */
const thirds = { started: shareOf(corpus, 0, 3), keys: shareOf(corpus, 1, 3), signIns: shareOf(corpus, 2, 3) };
let provider: TestIdentityProvider;
let service: ExaminedService;

beforeAll(async () => {
  provider = await TestIdentityProvider.start();
  service = await ExaminedService.start();
}, 180_000);
afterAll(async () => {
  await service?.close();
  await provider?.close();
});

function expectAnswered(what: string, status: number, body: unknown): void {
  if (!ANSWERS.includes(status)) throw new Error(`${what} was answered ${status}: ${JSON.stringify(body)}`);
}

test('sets and schedules whose names, times and zones are hostile are made or refused with a reason', async () => {
  const agent_id = await createAgent(service.api, 'http://127.0.0.1:9/v1');
  const scenario_ids = await createScenarios(service.api, 1);
  let sets = 0;
  await service.survives(`${thirds.started.length} sets and schedules`, async () => {
    await eachAtOnce(thirds.started, async ({ name, text }, number) => {
      const short = text.slice(0, 200);
      const run = { agent_id, agent_version: short };
      const unknown = { agent_id: text.slice(0, 100), agent_version: short };
      // Nothing is said in them: a conversation is another test's.
      const later = { scenario_ids, scheduled_at: '9000-01-31T09:00:00Z', name: text.slice(0, 500) };
      const agents = [{ ...run, name: text.slice(0, 500) }, number % 10 === 0 ? unknown : { agent_id }];
      const set = await service.api.post('/start-run-set', { agents, ...later });
      expectAnswered(`a set with "${name}"`, set.status, set.body);
      if (set.status < 300) {
        sets += 1;
        await service.api.post(`/api/v1/run-sets/${String(set.body.id)}/cancel`, {});
      }
      const usual = { name: randomUUID(), run, cron: '0 3 * * *', time_zone: 'UTC' };
      const planted = inTurn<object>(
        [{ name: short, is_enabled: false }, { cron: short }, { time_zone: text.slice(0, 100) }],
        number,
      );
      const made = await service.api.post('/api/v1/schedules', { ...usual, ...planted });
      expectAnswered(`a schedule with "${name}" as ${Object.keys(planted)[0]}`, made.status, made.body);
      if (made.status < 300) await service.api.delete(`/api/v1/schedules/${String(made.body.id)}`);
    });
    expect(sets).toBeGreaterThan(thirds.started.length / 2);
  });
}, 300_000);

describe('of a guarded service', () => {
  let guarded: ExaminedService;

  beforeAll(async () => {
    guarded = await ExaminedService.start({ ...keyVariables(), ...signInVariables(provider) }, { key: KEYS.admin });
  }, 180_000);
  afterAll(() => guarded?.close());

  test('keys whose names are hostile are made or refused, and what is no key opens nothing', async () => {
    await guarded.survives(`${thirds.keys.length} keys`, async () => {
      await eachAtOnce(thirds.keys, async ({ name, text }) => {
        const made = await guarded.api.post('/api/v1/keys', { name: text.slice(0, 300), role: 'viewer' });
        expectAnswered(`a key with "${name}"`, made.status, made.body);
        if (made.status < 300) await guarded.api.delete(`/api/v1/keys/${String(made.body.id)}`);
        const words = `osce_${Buffer.from(text).toString('base64url').slice(0, LONGEST_QUERY)}`;
        const { status } = await new ApiClient(guarded.url, { 'x-api-key': words }).get('/api/v1/agents');
        expect(status).toBe(401);
      });
    });
  }, 300_000);

  test('a sign-in that comes back with anything else than its answer signs nobody in', async () => {
    await guarded.survives(`${thirds.signIns.length} answers to a sign-in`, async () => {
      await eachAtOnce(thirds.signIns, async ({ name, text }) => {
        const part = encodeURIComponent(text.slice(0, 500).toWellFormed()).slice(0, LONGEST_QUERY);
        const cookie = `osce_session=${part}; osce_sign_in=${part}; __Host-osce_session=${part}`;
        for (const at of [`/auth/callback?state=${part}&code=${part}`, `/auth/sign-in?to=${part}`, `/auth/callback`]) {
          const answer = await fetch(guarded.url + at, {
            redirect: 'manual',
            headers: { cookie: cookie.slice(0, 8_000) },
          });
          const body = await answer.text();
          expectAnswered(`${at.slice(0, 60)} with "${name}"`, answer.status, body.slice(0, 300));
          const location = answer.headers.get('location');
          // Nobody is led anywhere but to the provider, or home.
          if (location !== null) {
            expect([new URL(provider.issuer).origin, PUBLIC_URL]).toContain(new URL(location, PUBLIC_URL).origin);
          }
        }
        const me = await fetch(`${guarded.url}/api/v1/agents`, { headers: { cookie: cookie.slice(0, 8_000) } });
        await me.text();
        expect(me.status).toBe(401);
      });
    });
  }, 300_000);
});
