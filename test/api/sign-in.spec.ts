import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { markOf } from '../../src/features/sign-in/identity';
import { SessionHolders } from '../../src/platform/access/shown';
import { Database } from '../../src/platform/database/database';
import { startForgingIssuer } from '../fakes/forging-issuer';
import { ApiClient } from '../setup/api-client';
import { CookieBrowser, type Visited } from '../setup/cookie-browser';
import { eventually } from '../setup/eventually';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { CLIENT, freePort, PUBLIC_URL, signInVariables, TestIdentityProvider } from '../setup/identity-provider';
import { conversationsOf } from '../setup/reviewed-runs';
import { KEYS, keyVariables } from '../setup/role-keys';
import { startTestService, type TestService } from '../setup/service';

let provider: TestIdentityProvider;
let service: TestService;
let second: TestService;
beforeAll(async () => {
  provider = await TestIdentityProvider.start();
  const variables = { ...keyVariables(), ...signInVariables(provider) };
  service = await startTestService(variables);
  second = await startTestService(variables, { database: service.database });
});
afterAll(async () => {
  await second.close();
  await service.close();
  await provider.close();
});

const sql = <Row>(text: string) => service.app.get(Database).query<Row>(text);
const dueNow = () => sql(`UPDATE sessions SET renew_at = now() - interval '1 second'`);
const me = (browser: CookieBrowser) => browser.ask('GET', '/api/v1/me');

/** A browser in which the account has signed in. */
async function signedIn(login: string, groups: readonly string[] | null, claims: object = {}): Promise<CookieBrowser> {
  await provider.account(login, groups, claims);
  const browser = new CookieBrowser(service.url);
  const { url, status, body } = await browser.signIn(login);
  expect({ url, body: status === 200 ? '' : body }).toEqual({ url: `${PUBLIC_URL}/`, body: expect.anything() });
  return browser;
}

function sentenceOf({ body }: Visited): string {
  return /<p>([^<]*)<\/p>/.exec(body)?.[1] ?? body;
}

describe('A person signs in at the provider', () => {
  it.each([
    ['ward staff', 'viewer', { review: false, run: false, change: false }],
    ['clinicians', 'reviewer', { review: true, run: false, change: false }],
    ['night-shift', 'runner', { review: true, run: true, change: false }],
    ['platform', 'admin', { review: true, run: true, change: true }],
  ])('and a member of %s is a %s, by the check that keys go through', async (group, role, may) => {
    const name = `member-of-${group.replace(' ', '-')}`;
    const browser = await signedIn(name, ['everyone', group]);
    expect(await me(browser)).toMatchObject({ status: 200, body: { name, role, may, signed_in: true } });
    const made = await browser.ask('POST', '/api/v1/agents', {});
    expect(made.status).toBe(role === 'admin' ? 400 : 403);
    if (role === 'admin') return;
    expect(made.body['error']).toBe(`This takes the role admin; ${name} has the role ${role}.`);
  });

  it('and has the role that may most of those of several groups', async () => {
    const browser = await signedIn('many-hats', ['auditors', 'night-shift', 'clinicians']);
    expect((await me(browser)).body).toMatchObject({ role: 'runner' });
  });

  it('and comes back to the view that was asked for, never to another site', async () => {
    await provider.account('returning', ['auditors']);
    const browser = new CookieBrowser(service.url);
    const until = ({ pathname }: URL) => pathname.startsWith('/runs') || pathname === '/';
    expect((await browser.signIn('returning', '/runs/7?tab=grid', until)).url).toBe(`${PUBLIC_URL}/runs/7?tab=grid`);
    for (const elsewhere of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/a\nb',
    ]) {
      expect((await browser.signIn('returning', elsewhere, until)).url).toBe(`${PUBLIC_URL}/`);
    }
  });

  it('with PKCE, a state and a nonce that are new each time', async () => {
    const asked = await Promise.all(
      [1, 2].map(async () => {
        const { headers } = await new CookieBrowser(service.url).send('GET', '/auth/sign-in');
        return new URL(headers.get('location') ?? '').searchParams;
      }),
    );
    for (const parameters of asked) {
      expect(Object.fromEntries(parameters)).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        redirect_uri: `${PUBLIC_URL}/auth/callback`,
        scope: 'openid profile groups',
      });
    }
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const [one, other] = asked.map((parameters) => parameters.get(name));
      expect(one).toHaveLength(43);
      expect(one).not.toBe(other);
    }
  });

  it.each([
    [
      'with a group that has no role',
      ['gardeners'],
      'the one group that the provider of identities named has no role here',
    ],
    ['with groups that have no role', ['gardeners', 'cooks'], 'none of the 2 groups'],
    ['with no group at all', [], 'named no group of yours in the claim "groups"'],
    ['of whom the provider names no groups', null, 'named no group of yours in the claim "groups"'],
  ])('and one %s is told what to ask for, and gets no session', async (_what, groups, sentence) => {
    await provider.account('nobody-yet', groups);
    const browser = new CookieBrowser(service.url);
    const answer = await browser.signIn('nobody-yet');
    expect(answer.status).toBe(403);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(sentenceOf(answer).replaceAll('&quot;', '"')).toContain(sentence);
    expect(sentenceOf(answer)).toContain('OIDC_VIEWERS');
    expect(browser.cookie('osce_session')).toBeUndefined();
    expect((await me(browser)).status).toBe(401);
  });

  it('and is in the audit trail with the name, which no request can change', async () => {
    const browser = await signedIn('dr.ward', ['platform']);
    await browser.ask('POST', '/api/v1/agents', {
      name: 'By a person',
      provider: 'vapi',
      config: { api_key: 'k' },
      who: 'admin 1',
    });
    // How a request ended is written beside its answer, not before it.
    await eventually(async () => {
      const { body } = await browser.ask('GET', '/api/v1/audit?who=dr.ward');
      expect(body['records']).toMatchObject([
        { who: 'dr.ward', role: 'admin', method: 'POST', route: '/api/v1/agents', status: 201 },
        { who: 'dr.ward', role: 'admin', method: 'GET', route: '/auth/callback', resource: 'sessions' },
      ]);
    });
  });
});

describe('Names', () => {
  it('of two people are two, and a person cannot take that of a key', async () => {
    await signedIn('subject-1', ['auditors'], { preferred_username: 'Dr. Same' });
    const other = await signedIn('subject-2', ['auditors'], { preferred_username: 'dr. same' });
    expect((await me(other)).body['name']).toMatch(/^dr\. same \([0-9a-f]{8}\)$/);
    const again = await signedIn('subject-1', ['auditors'], { preferred_username: 'Dr. Same' });
    expect((await me(again)).body['name']).toBe('Dr. Same');
    const asKey = await signedIn('subject-3', ['auditors'], { preferred_username: 'viewer-of-the-clinic' });
    expect((await me(asKey)).body['name']).toMatch(/^viewer-of-the-clinic \(/);
    const admin = new ApiClient(service.url, { 'x-api-key': KEYS.admin });
    await signedIn('subject-4', ['auditors'], { preferred_username: 'taken.by.a.person' });
    expect(await admin.post('/api/v1/keys', { name: 'taken.by.a.person', role: 'admin' })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('is a person who has signed in here') },
    });
  });

  it('that look as if they had the mark of another person keep nobody out', async () => {
    const name = 'Dr. Marked';
    await signedIn('subject-7', ['auditors'], { preferred_username: name });
    const marked = `${name} (${markOf(provider.issuer, 'subject-8')})`;
    const earlier = await signedIn('subject-9', ['auditors'], { preferred_username: marked });
    expect((await me(earlier)).body['name']).toBe(`${marked} (${markOf(provider.issuer, 'subject-9')})`);
    const later = await signedIn('subject-8', ['auditors'], { preferred_username: name });
    expect((await me(later)).body['name']).toBe(marked);
  });

  it.each(['the service', 'Anyone', 'admin 7'])('are never “%s”, which the audit trail calls others', async (name) => {
    const login = name.replace(' ', '-');
    const browser = await signedIn(login, ['auditors'], { preferred_username: name });
    expect((await me(browser)).body['name']).toBe(`${name} (${markOf(provider.issuer, login)})`);
  });

  it('hold nothing that is not seen, and an address only when it is verified', async () => {
    const hidden = await signedIn('subject-5', ['auditors'], { preferred_username: ' a\u202eb\u0000\u200b c ' });
    expect((await me(hidden)).body['name']).toBe('ab c');
    const unverified = { preferred_username: undefined, email: 'boss@example.org', email_verified: false };
    expect((await me(await signedIn('subject-6', ['auditors'], unverified))).body['name']).toBe('subject-6');
  });
});

describe('What a person decides', () => {
  it('is approved under their name, whatever the request says', async () => {
    const browser = await signedIn('dr.approver', ['platform']);
    const content = { script: 'You cough.', chief_complaint: 'I cough.' };
    const forged = { approved: true, approved_by: 'Dr. Somebody Else', approved_role: 'physician' };
    const created = await browser.ask('POST', '/api/v1/scenarios', { name: 'Cough', content, ...forged });
    expect(created).toMatchObject({ status: 201, body: { approved_by: 'dr.approver', approved_role: 'physician' } });
    const id = String(created.body['scenario_id']);
    const other = await signedIn('dr.other', ['platform']);
    expect((await other.ask('PATCH', `/api/v1/scenarios/${id}`, forged)).body).toMatchObject({
      approved_by: 'dr.other',
    });
    const unnamed = { approved: true, approved_role: 'nurse' };
    expect((await other.ask('PATCH', `/api/v1/scenarios/${id}`, unnamed)).body).toMatchObject({
      approved_by: 'dr.other',
    });
    expect((await other.ask('PATCH', `/api/v1/scenarios/${id}`, { priority: 2 })).body).toMatchObject({
      approved_by: 'dr.other',
    });
    const admin = new ApiClient(service.url, { 'x-api-key': KEYS.admin });
    expect((await admin.patch(`/api/v1/scenarios/${id}`, forged)).body).toMatchObject({
      approved_by: 'Dr. Somebody Else',
    });
  });

  it('is reviewed under their name, whatever the request says; a key under its own unless it says another', async () => {
    const database = service.app.get(Database);
    const [scenarioId = ''] = await storeScenarios(database, ['Reviewed']);
    const mark = { criterion: 'Asks when it began', tags: [], decision: 'MET', max_points: 3 };
    const graded = [{ id: scenarioId, name: 'Reviewed', outcomes: ['passed'] }] as const;
    const run = await storeGradedRun(database, graded, { criteria: () => [mark] });
    const [conversation = ''] = await conversationsOf(database, run);
    const path = `/api/v1/scenario-runs/${conversation}/reviews`;
    const criteria = [{ index: 0, decision: 'NOT MET' }];
    const reviewer = await signedIn('dr.reviewer', ['clinicians']);
    const stored = await reviewer.ask('POST', path, { reviewer: 'Dr. Somebody Else', criteria });
    expect(stored).toMatchObject({ status: 201, body: { reviewer: 'dr.reviewer', key_name: 'dr.reviewer' } });
    expect((await reviewer.ask('POST', path, { criteria })).body).toMatchObject({ reviewer: 'dr.reviewer', number: 2 });
    const key = new ApiClient(service.url, { 'x-api-key': KEYS.reviewer });
    expect((await key.post(path, { criteria })).body).toMatchObject({ reviewer: 'reviewer 1', key_name: 'reviewer 1' });
  });
});

it('A person whose name has changed is not blind to what was shown under the name before', async () => {
  const database = service.app.get(Database);
  const [scenarioId = ''] = await storeScenarios(database, ['Renamed']);
  const mark = { criterion: 'Asks when it began', tags: [], decision: 'MET', max_points: 3 };
  const graded = [{ id: scenarioId, name: 'Renamed', outcomes: ['passed'] }] as const;
  const run = await storeGradedRun(database, graded, { criteria: () => [mark] });
  const [conversation = ''] = await conversationsOf(database, run);
  const before = await signedIn('renamed', ['clinicians'], { preferred_username: 'dr.before' });
  expect((await before.ask('GET', `/api/v1/scenario-runs/${conversation}`)).status).toBe(200);
  const after = await signedIn('renamed', ['clinicians'], { preferred_username: 'dr.after' });
  const path = `/api/v1/scenario-runs/${conversation}/reviews`;
  const review = { criteria: [{ index: 0, decision: 'NOT MET' }] };
  expect((await after.ask('POST', path, review)).body).toMatchObject({ reviewer: 'dr.after', blind: false });
  const other = await signedIn('not-renamed', ['clinicians']);
  expect((await other.ask('POST', path, review)).body).toMatchObject({ reviewer: 'not-renamed', blind: true });
});

describe('The cookie of a session', () => {
  it('is read by no script, is sent by no other site’s page for a change, and ends with the session', async () => {
    const browser = await signedIn('cookie-reader', ['auditors']);
    const line = browser.setCookies.find((set) => /^osce_session=[\w-]{43};/.test(set));
    expect(line).toMatch(/; Max-Age=43200;/);
    expect(line).toMatch(/; HttpOnly/);
    expect(line).toMatch(/; SameSite=Lax/);
    expect(line).toMatch(/; Path=\//);
    expect(line).not.toMatch(/Domain/i);
    const [stored] = await sql<{ text: string }>(`SELECT string_agg(s::text, ' ') AS text FROM sessions s`);
    expect(stored?.text).not.toContain(browser.cookie('osce_session'));
  });

  it('goes over https alone where people come over https', async () => {
    const secure = await startTestService({ ...signInVariables(provider), PUBLIC_URL: 'https://osce.example.org' });
    const browser = new CookieBrowser(secure.url);
    await browser.send('GET', '/auth/sign-in');
    expect(browser.setCookies).toEqual([
      expect.stringMatching(/^__Host-osce_sign_in=.*; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    await secure.close();
  });

  it.each<Record<string, string>>([
    {},
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ])('alone changes nothing, with %j', async (headers) => {
    const browser = await signedIn('csrf', ['platform']);
    const sent = await browser.send('POST', '/api/v1/agents', {
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ name: 'Forged', provider: 'vapi', config: { api_key: 'k' } }),
    });
    expect(sent.status).toBe(403);
    expect(sent.body).toMatch(/page of this service|of another origin/);
    expect((await browser.ask('GET', '/api/v1/agents')).body).not.toMatchObject({
      agents: expect.arrayContaining([expect.objectContaining({ name: 'Forged' })]),
    });
  });

  it.each<Record<string, string>>([{}, { 'sec-fetch-site': 'none' }])(
    'alone does not sign out, with %j',
    async (headers) => {
      const browser = await signedIn('stays', ['auditors']);
      expect((await browser.send('POST', '/api/v1/sign-out', { headers })).status).toBe(403);
      expect((await me(browser)).status).toBe(200);
    },
  );

  it('changes what the page of this service asks for, which says so', async () => {
    const browser = await signedIn('page', ['platform']);
    const json = { 'content-type': 'application/json' };
    const shown: Record<string, string>[] = [
      { 'sec-fetch-site': 'same-origin' },
      { 'x-osce-page': '1' },
      { origin: service.url },
    ];
    for (const headers of shown) {
      expect(
        (await browser.send('POST', '/api/v1/agents', { headers: { ...json, ...headers }, body: '{}' })).status,
      ).toBe(400);
    }
  });

  it('opens event streams and downloads', async () => {
    const browser = await signedIn('watcher', ['auditors']);
    expect((await browser.send('GET', '/events')).status).toBe(400);
    expect((await browser.send('GET', '/api/v1/tests/none/export-csv')).status).toBe(404);
  });

  it('does not count beside a key: the key decides', async () => {
    const browser = await signedIn('both', ['platform']);
    const { body } = await browser.send('GET', '/api/v1/me', { headers: { 'x-api-key': KEYS.viewer } });
    expect(JSON.parse(body)).toMatchObject({ name: 'viewer-of-the-clinic', role: 'viewer' });
    expect((await browser.send('GET', '/api/v1/me', { headers: { 'x-api-key': 'none-of-the-service' } })).status).toBe(
      401,
    );
  });
});

describe('A sign-in is refused', () => {
  const atCallback = ({ pathname }: URL) => pathname === '/auth/callback';

  it('when another browser began it', async () => {
    await provider.account('victim', ['platform']);
    const attacker = new CookieBrowser(service.url);
    const { url } = await attacker.signIn('victim', '/', atCallback);
    const victim = new CookieBrowser(service.url);
    expect((await victim.visit(url)).status).toBe(400);
    await victim.send('GET', '/auth/sign-in');
    const answer = await victim.visit(url);
    expect({ status: answer.status, sentence: sentenceOf(answer) }).toEqual({
      status: 400,
      sentence: expect.stringContaining('was not begun in this browser'),
    });
    expect(victim.cookie('osce_session')).toBeUndefined();
  });

  it('when its state was changed, and when its code was used before', async () => {
    await provider.account('once-only', ['auditors']);
    const browser = new CookieBrowser(service.url);
    const { url } = await browser.signIn('once-only', '/', atCallback);
    const attempt = browser.cookie('osce_sign_in') ?? '';
    const wrong = new URL(url);
    wrong.searchParams.set('state', 'x'.repeat(43));
    expect((await browser.visit(wrong.href)).status).toBe(400);
    browser.putCookie('osce_sign_in', attempt);
    const until = ({ pathname }: URL) => pathname === '/';
    expect((await browser.visit(url, until)).url).toBe(`${PUBLIC_URL}/`);
    browser.putCookie('osce_sign_in', attempt);
    const again = await browser.visit(url);
    expect({ status: again.status, sentence: sentenceOf(again) }).toEqual({
      status: 403,
      sentence: expect.stringContaining('did not confirm'),
    });
  });

  it('when the person declines, in words that hold nothing of the provider’s markup', async () => {
    const browser = new CookieBrowser(service.url);
    const { headers } = await browser.send('GET', '/auth/sign-in');
    const state = new URL(headers.get('location') ?? '').searchParams.get('state') ?? '';
    const query = new URLSearchParams({
      state,
      error: 'access_denied',
      error_description: '<b>No</b>',
      iss: provider.issuer,
    });
    const answer = await browser.visit(`/auth/callback?${query.toString()}`);
    expect(answer.status).toBe(403);
    expect(answer.body).not.toContain('<b>');
    expect(answer.body).toContain('&lt;b&gt;No');
  });
});

describe('A session', () => {
  it('ends when the person signs out, on every process, and at the provider too', async () => {
    const browser = await signedIn('leaving', ['auditors']);
    const before = browser.cookie('osce_session') ?? '';
    browser.goesTo(second.url);
    expect((await me(browser)).status).toBe(200);
    browser.goesTo(service.url);
    const { status, body } = await browser.ask('POST', '/api/v1/sign-out');
    const next = new URL(String(body['next']));
    expect({ status, at: next.origin }).toEqual({ status: 200, at: provider.issuer });
    expect(next.searchParams.get('post_logout_redirect_uri')).toBe(`${PUBLIC_URL}/`);
    expect(next.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
    expect(browser.cookie('osce_session')).toBeUndefined();
    browser.putCookie('osce_session', before);
    expect(await me(browser)).toMatchObject({ status: 401, body: { error: expect.stringContaining('sign in again') } });
    browser.goesTo(second.url);
    await eventually(async () => expect((await me(browser)).status).toBe(401));
    expect((await browser.ask('POST', '/api/v1/sign-out')).status).toBe(200);
  });

  it('is the same caller each time, beside another session of the person with another role', async () => {
    const first = await signedIn('two-roles', ['platform']);
    const second = await signedIn('two-roles', ['auditors']);
    const callers = [];
    for (const browser of [first, second, first, second]) {
      const request = new IncomingMessage(new Socket());
      request.headers.cookie = `osce_session=${browser.cookie('osce_session')}`;
      const shown = await service.app.get(SessionHolders).holderOf(request);
      callers.push(shown?.kind === 'known' ? shown.caller : null);
    }
    expect(callers.map((caller) => caller?.role)).toEqual(['admin', 'viewer', 'admin', 'viewer']);
    expect(callers[2]).toBe(callers[0]);
    expect(callers[3]).toBe(callers[1]);
  });

  it('that is one of many of a person ends with the newest that they may have', async () => {
    const oldest = await signedIn('collector', ['auditors']);
    await sql(
      `INSERT INTO sessions (digest, person_id, role, expires_at)
       SELECT sha256(('many' || n)::bytea), id, 'viewer', now() + interval '1 day' FROM people, generate_series(1, 50) n WHERE name = 'collector'`,
    );
    const newest = await signedIn('collector', ['auditors']);
    const [left] = await sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM sessions s JOIN people p ON p.id = s.person_id WHERE p.name = 'collector'`,
    );
    expect(left?.count).toBe(20);
    expect((await me(newest)).status).toBe(200);
    await eventually(async () => expect((await me(oldest)).status).toBe(401));
  });

  it('of one provider opens nothing once another is set, which gets none of its tokens', async () => {
    const next = await startForgingIssuer(CLIENT.id);
    const asked: string[] = [];
    next.answer('/token', (response) => {
      asked.push('/token');
      response.writeHead(400).end();
    });
    const changed = await startTestService(signInVariables(next), { database: service.database });
    const browser = await signedIn('of-before', ['platform']);
    expect((await me(browser)).body).toMatchObject({ role: 'admin' });
    await dueNow();
    browser.goesTo(changed.url);
    expect(await me(browser)).toMatchObject({
      status: 401,
      body: { error: 'Your session is not known any more: sign in again.' },
    });
    expect((await browser.ask('POST', '/api/v1/sign-out')).body).toEqual({ next: '/' });
    expect(asked).toEqual([]);
    await changed.close();
    await next.close();
  });

  it('ends after SESSION_HOURS', async () => {
    const browser = await signedIn('tired', ['auditors']);
    await sql('UPDATE sessions SET expires_at = now()');
    await eventually(async () => {
      expect(await me(browser)).toEqual({
        status: 401,
        body: { error: 'The session of tired has ended after 12 h: sign in again.' },
      });
    });
  });

  it('follows the person’s groups, and ends when none has a role any more', async () => {
    const browser = await signedIn('moving', ['platform']);
    await provider.account('moving', ['auditors']);
    await dueNow();
    await eventually(async () => expect((await me(browser)).body).toMatchObject({ role: 'viewer' }));
    await provider.account('moving', ['gardeners']);
    await dueNow();
    await eventually(async () => {
      expect(await me(browser)).toMatchObject({
        status: 401,
        body: { error: expect.stringContaining('No group of moving has a role here any more') },
      });
    });
  });

  it('is renewed once, however many processes and requests find that it is due', async () => {
    const browser = await signedIn('busy', ['auditors']);
    await dueNow();
    const other = new CookieBrowser(second.url);
    other.putCookie('osce_session', browser.cookie('osce_session') ?? '');
    const asked = Array.from({ length: 6 }, (_, place) => me(place % 2 === 0 ? browser : other));
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
    // A token that is used twice ends the session at this provider: it would be refused by now.
    await dueNow();
    await eventually(async () => {
      expect((await me(browser)).status).toBe(200);
      expect(
        await sql(
          `SELECT 1 FROM sessions s JOIN people p ON p.id = person_id WHERE name = 'busy' AND renew_at > now() + interval '2 minutes'`,
        ),
      ).toHaveLength(1);
    });
  });

  it('keeps what it holds of the provider’s tokens encrypted', async () => {
    const sealed = await startTestService({
      ...signInVariables(provider),
      SECRETS_KEY: Buffer.alloc(32, 'sessions').toString('base64'),
    });
    const browser = new CookieBrowser(sealed.url);
    await provider.account('sealed', ['auditors']);
    await browser.signIn('sealed');
    expect((await me(browser)).status).toBe(200);
    const rows = await sealed.app.get(Database).query('SELECT id_token, refresh_token FROM sessions');
    expect(rows).toEqual([
      { id_token: expect.stringMatching(/^\$sealed\$/), refresh_token: expect.stringMatching(/^\$sealed\$/) },
    ]);
    await sealed.app.get(Database).query(`UPDATE sessions SET renew_at = now()`);
    await eventually(async () => {
      expect((await me(browser)).status).toBe(200);
      const due = await sealed.app.get(Database).query('SELECT 1 FROM sessions WHERE renew_at <= now()');
      expect(due).toHaveLength(0);
    });
    const next = new URL(String((await browser.ask('POST', '/api/v1/sign-out')).body['next']));
    expect(next.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
    await sealed.close();
  });
});

describe('Once SECRETS_KEY is another', () => {
  const tokenOf = async (service: TestService): Promise<void> => {
    // As another key would have sealed them.
    await service.app
      .get(Database)
      .query(
        `UPDATE sessions SET id_token = '$sealed$1$00000000$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', refresh_token = '$sealed$1$00000000$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'`,
      );
  };

  it('a session goes on until it is to be renewed, then asks to sign in again; signing out works all the time', async () => {
    const service = await startTestService(signInVariables(provider));
    await provider.account('locked-out', ['auditors']);
    const [first, second] = [new CookieBrowser(service.url), new CookieBrowser(service.url)];
    await first.signIn('locked-out');
    await second.signIn('locked-out');
    await tokenOf(service);
    expect((await me(first)).status).toBe(200);
    expect((await second.ask('POST', '/api/v1/sign-out')).status).toBe(200);
    await service.app.get(Database).query(`UPDATE sessions SET renew_at = now()`);
    await eventually(async () => {
      const { status, body } = await me(first);
      expect([status, body['error']]).toEqual([401, expect.stringContaining('SECRETS_KEY')]);
    });
    await service.close();
  });
});

describe('While the provider is away', () => {
  it('the service starts and answers keys; the page says so, and signs in once the provider is there', async () => {
    const port = await freePort();
    const late = await startTestService({
      ...keyVariables(),
      ...signInVariables({ issuer: `http://127.0.0.1:${port}` }),
    });
    expect((await new ApiClient(late.url, { 'x-api-key': KEYS.viewer }).get('/api/v1/me')).status).toBe(200);
    const browser = new CookieBrowser(late.url);
    const answer = await browser.visit('/auth/sign-in');
    expect(answer.status).toBe(503);
    expect(sentenceOf(answer)).toContain(`at 127.0.0.1:${port} cannot be reached now (ECONNREFUSED)`);
    const arrived = await TestIdentityProvider.start({ port });
    await arrived.account('patient', ['auditors']);
    await browser.signIn('patient');
    expect((await me(browser)).body).toMatchObject({ name: 'patient', role: 'viewer' });

    await arrived.close();
    await late.app.get(Database).query(`UPDATE sessions SET renew_at = now()`);
    await eventually(async () => {
      expect((await me(browser)).status).toBe(200);
      expect(await late.app.get(Database).query('SELECT 1 FROM sessions WHERE was_away')).toHaveLength(1);
    });
    await late.app.get(Database).query(`UPDATE sessions SET expires_at = now()`);
    await eventually(async () => {
      expect(await me(browser)).toEqual({
        status: 401,
        body: {
          error:
            'The session of patient has ended after 12 h: sign in again. The provider of identities could not be reached to renew it.',
        },
      });
    });
    expect((await browser.ask('POST', '/api/v1/sign-out')).status).toBe(200);
    await late.close();
  });
});

it('a public client and groups that only the provider’s answer about the person names work as well', async () => {
  const other = await TestIdentityProvider.start({ clientSecret: null, inIdToken: false });
  const { OIDC_CLIENT_SECRET: _, ...variables } = signInVariables(other);
  const open = await startTestService(variables);
  await other.account('public', ['platform']);
  const browser = new CookieBrowser(open.url);
  await browser.signIn('public');
  expect((await me(browser)).body).toMatchObject({ name: 'public', role: 'admin' });
  expect((await new ApiClient(open.url).get('/api/v1/agents')).status).toBe(401);
  await open.close();
  await other.close();
});

it('a service without a provider says so, and every caller of it is anyone', async () => {
  const open = await startTestService();
  const api = new ApiClient(open.url);
  expect((await api.get('/api/v1/sign-in')).body).toEqual({ sign_in: null });
  expect((await api.get('/auth/sign-in')).status).toBe(404);
  expect((await api.post('/api/v1/sign-out', {})).body).toEqual({ next: '/' });
  expect((await api.get('/api/v1/me')).body).toMatchObject({ name: 'anyone', signed_in: false });
  await open.close();
});
