import fc from 'fast-check';
import { isSecretName } from '../../../src/agents/secrets/secret-names';
import { fieldsWithLongSecrets, LONGEST_SECRET, secretValuesOf } from '../../../src/agents/secrets/secret-values';
import { Secrets } from '../../../src/agents/secrets/secrets';

const KEY = 'sk-0123456789abcdef/"&+é';
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('what an echo makes of a secret', () => {
  const secrets = Secrets.of({ api_key: KEY });
  it.each([
    ['the value', KEY],
    ['with its scheme', `Bearer ${KEY}`],
    ['as JSON', JSON.stringify({ authorization: `Bearer ${KEY}` })],
    ['as JSON in JSON', JSON.stringify(JSON.stringify({ key: KEY }))],
    ['in an address', `?key=${encodeURIComponent(KEY)}`],
    [
      'in an address, in lower case',
      `?key=${encodeURIComponent(KEY).replaceAll(/%../g, (code) => code.toLowerCase())}`,
    ],
    ['in HTML', KEY.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
    ['in Base64', base64(KEY)],
    ['in Base64 for addresses', Buffer.from(KEY).toString('base64url')],
    ['in Base64 after its scheme', base64(`Bearer ${KEY}`)],
    ['in Base64 as a user', base64(`${KEY}:`)],
    ['in Base64 as a password', base64(`user:${KEY}`)],
    ['in Base64 in the midst of all headers', base64(`{"accept":"*/*","authorization":"Bearer ${KEY}","x":1}`)],
    ['cut off', `It was ${KEY.slice(0, 12)}`],
  ])('is removed: %s', (_, said) => {
    const clean = secrets.remove(`You sent ${said}`);
    expect(clean).toContain('[removed]');
    expect(clean).not.toContain('0123456789abcdef');
    for (const before of ['', 'B', 'Be']) expect(clean).not.toContain(base64(before + KEY).slice(4, 24));
    expect(clean).toMatch(/^You sent/);
  });

  it('is removed from names and numbers of metadata, too', () => {
    const numeric = Secrets.of({ api_key: '1234567890' });
    const metadata = { usage: { '1234567890': 1, total: 1_234_567_890, other: 12 }, list: ['1234567890', null, true] };
    expect(numeric.removeFromRecord(metadata)).toEqual({
      usage: { '[removed]': 1, total: '[removed]', other: 12 },
      list: ['[removed]', null, true],
    });
  });

  it('leaves no secret in any text around it, and every other text as it is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8, maxLength: 60 }), fc.string(), fc.string(), (value, before, after) => {
        const key = `k7${value}`;
        const clean = Secrets.of({ token: key }).remove(before + key.trim() + after);
        expect(clean.includes(key.trim())).toBe(false);
      }),
    );
    fc.assert(fc.property(fc.string({ maxLength: 500 }), (text) => secrets.remove(text) === text));
  });
});

describe('where a secret stands', () => {
  const TOKEN = 'eyJhbGciOi.0123456789';
  it.each([
    ['in a cookie of a login', { storage_state: { cookies: [cookie(TOKEN)] } }],
    ['in a login that is given as text', { storage_state: JSON.stringify({ cookies: [cookie(TOKEN)] }) }],
    ['in what a page keeps', { storage_state: localStorage(TOKEN) }],
    ['in JSON that a page keeps', { storage_state: localStorage(JSON.stringify({ body: { access_token: TOKEN } })) }],
    ['in one of several cookies', { headers: { Cookie: `theme=dark; session=${TOKEN}; a=b` } }],
    ['in the password of a Basic credential', { headers: { authorization: `Basic ${base64(`clinic:${TOKEN}`)}` } }],
    ['in a header of any name', { headers: { 'x-tenant': TOKEN } }],
    ['in the body that a token is asked for with', { tokenBody: { tenant: TOKEN } }],
    [
      'after more than a hundred cookies',
      { storage_state: { cookies: manyCookies() }, headers: { 'x-tenant': TOKEN } },
    ],
    ['in a key after them', { storage_state: { cookies: manyCookies() }, api_key: TOKEN }],
  ])('it is removed: %s', (_, config) => {
    expect(Secrets.of(config).remove(`It was ${TOKEN}, I think.`)).toBe('It was [removed], I think.');
  });
});

describe('the secrets of a config', () => {
  const LONG = 'k'.repeat(LONGEST_SECRET + 1);

  it('are a hundred at most, those first that are named so', () => {
    const config = { storage_state: { cookies: manyCookies() }, api_key: 'key-0123456789' };
    const values = secretValuesOf(config);
    expect(values).toHaveLength(100);
    expect(values[0]).toBe('key-0123456789');
  });

  it('that are too long are told of by their fields, but for a login, where pages keep what they like', () => {
    const fits = LONG.slice(1);
    expect(fieldsWithLongSecrets({ api_key: fits, url: `https://clinic.example/${LONG}` })).toEqual([]);
    const headers = { 'x-tenant': 'short-and-known', authorization: LONG };
    const config = { api_key: LONG, headers, token: fits, storage_state: { cookies: [cookie(LONG)] } };
    expect(fieldsWithLongSecrets(config)).toEqual(['api_key', 'headers']);
  });

  it('are whole where they look like a document', () => {
    expect(Secrets.of({ api_key: '["key-0123456789","x"]' }).remove('It was ["key-0123456789","x"].')).toBe(
      'It was [removed].',
    );
  });

  it('are user and password of HTTP Basic, with spaces around it too, and of no other scheme', () => {
    const sent = base64('clinic: take a rest');
    const said = 'It was clinic: take a rest.';
    expect(Secrets.of({ authorization: ` Basic ${sent} ` }).remove(said)).toBe('It was [removed].');
    expect(Secrets.of({ authorization: `NoBasic ${sent}` }).remove(said)).toBe(said);
    expect(Secrets.of({ system_prompt: `Basic ${sent}` }).remove(said)).toBe(said);
  });

  it('are not the address of a host that has no path, in a header of any name', () => {
    for (const origin of ['https://clinic.example', 'https://clinic.example/']) {
      expect(secretValuesOf({ headers: { 'x-tenant': origin } })).toEqual([]);
    }
    const path = 'https://clinic.example/a-path-0123456789';
    expect(secretValuesOf({ headers: { 'x-tenant': path } })).toContain(path);
  });
});

function cookie(value: string) {
  return { name: 'session-of-clinic', value, domain: 'clinic.example.org', path: '/', expires: 1_767_225_600 };
}

function manyCookies() {
  return Array.from({ length: 150 }, (_, index) => cookie(`cookie-number-${index}`));
}

function localStorage(value: string) {
  return { origins: [{ origin: 'https://clinic.example.org', localStorage: [{ name: 'auth-of-clinic', value }] }] };
}

describe('a secret in a body that is a text', () => {
  const TOKEN = 'sk-0123456789abcdef';

  it.each([`key=${TOKEN}&say={{message}}`, `<ask><ApiKey>${TOKEN}</ApiKey>{{message}}</ask>`, `{"token": "${TOKEN}"}`])(
    'is removed from what comes back: %s',
    (body) => {
      expect(Secrets.of({ body }).remove(`The key ${TOKEN} is wrong.`)).toBe('The key [removed] is wrong.');
    },
  );
});

describe('a secret of four to seven characters', () => {
  it.each([
    ['by itself', 'a1b2'],
    ['in a sentence', 'You sent a1b2.'],
    ['as JSON', '{"api_key":"a1b2"}'],
    ['in an address', '?key=a1b2&x=1'],
    ['with its scheme', 'Authorization: Bearer a1b2'],
    ['twice', 'a1b2 a1b2'],
  ])('is removed where it stands alone: %s', (_, said) => {
    const clean = Secrets.of({ api_key: 'a1b2' }).remove(said);
    expect(clean).toContain('[removed]');
    expect(clean).not.toContain('a1b2');
  });

  it.each(['pa$$', 'p@ss1', 'x_y_z', '482913', 'Zx9!', '$#%&'])('%s is one', (value) => {
    const secrets = Secrets.of({ password: value }, []);
    expect(secrets.remove(`It was ${value}, I think.`)).toBe('It was [removed], I think.');
    expect(secrets.removeFromRecord({ said: value, list: [value] })).toEqual({
      said: '[removed]',
      list: ['[removed]'],
    });
  });

  const anyUnit = fc.constantFrom(...'-$a1.\\/]^{(|+?é𐀀');
  it('of any characters stands in no text alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyUnit, minLength: 2, maxLength: 5 }), fc.string(), (value, text) => {
        const secret = `7_${value}`.trim();
        const clean = Secrets.of({ api_key: secret }).remove(`${text} ${secret} `);
        expect(clean === `${text} ${secret} `).toBe(secret.length < 4);
      }),
    );
  });

  it('that is a word is removed where it stands as a credential', () => {
    expect(Secrets.of({ api_key: 'none' }).remove('None of it: Bearer none.')).toBe('None of it: [removed].');
  });

  it('does not keep longer ones from being removed', () => {
    const secrets = Secrets.of({ api_key: 'a1b2', token: 'a1b2-0123456789' });
    expect(secrets.remove('It was a1b2-0123456789, or a1b2.')).toBe('It was [removed], or [removed].');
  });
});

describe('a secret that comes up later', () => {
  it.each(['token-4711-of-the-room', 'a1b2'])(
    'is removed from then on, as one that was known before: %s',
    async (late) => {
      const secrets = Secrets.of({ api_key: KEY, token: 'x9y8' });
      const said = `It was ${late}, ${KEY} or x9y8.`;
      expect(secrets.remove(said)).toBe(`It was ${late}, [removed] or [removed].`);
      await secrets.learn(late);
      expect(secrets.remove(said)).toBe('It was [removed], [removed] or [removed].');
    },
  );
});

describe('what is no secret', () => {
  it.each([
    ['a short word', { api_key: 'medical' }, 'That is medical advice.'],
    ['a short number', { password: '12345' }, 'Your case has the number 12345.'],
    ['what is measured', { password: '120/80' }, 'Your blood pressure is 120/80.'],
    ['an amount', { password: '100mg' }, 'Take 100mg now and 100mg at 10am.'],
    ['a word with a hyphen', { password: 'x-ray' }, 'You need an x-ray.'],
    ['three characters', { api_key: 'k-1' }, 'It was k-1.'],
    ['a short value in a header of any name', { headers: { 'x-release': 'v1.2' } }, 'This is v1.2 of the guideline.'],
    ['a short value inside a word', { api_key: 'a1b2' }, 'See 3fa1b27c, a1b2-c3d4 and x_a1b2.'],
    ['a word where no key is needed', { api_key: 'optional' }, 'The follow-up is optional.'],
    ['a word in capitals', { api_key: 'EMERGENCY' }, 'This is an EMERGENCY.'],
    ['what every client sends', { headers: { accept: 'application/json' } }, 'Send application/json.'],
    ['a date that says which interface is meant', { headers: { 'api-version': '2024-06-01' } }, 'Since 2024-06-01.'],
    ['an address without a path', { headers: { origin: 'https://clinic.example' } }, 'See https://clinic.example.'],
    [
      'words in a header',
      { headers: { 'x-department': 'Gastroenterology, heart clinic' } },
      'Gastroenterology, heart clinic',
    ],
    ['what a token is asked for', { token_body: { agent_name: 'triage-agent-2' } }, 'I am triage-agent-2.'],
    ['what stands beside a cookie', { storage_state: { cookies: [cookie('short')] } }, 'clinic.example.org 1767225600'],
    [
      'an entry of a page that is no login',
      { storage_state: localStorage('accepted all cookies') },
      'accepted all cookies',
    ],
    ['a setting', { auth_mode: 'api-or-token', max_tokens: 12_345_678 }, 'api-or-token 12345678'],
  ])('stays in what the agent says: %s', (_, config, text) => {
    expect(Secrets.of(config).remove(text)).toBe(text);
  });

  it('is removed all the same where it stands as a credential', () => {
    const secrets = Secrets.of({ api_key: 'optional' });
    expect(secrets.remove('You sent Bearer optional.')).toBe('You sent [removed].');
  });
});

describe('names of secrets', () => {
  it.each([
    ...[
      'api_key',
      'apiKey',
      'apikey',
      'x-api-key',
      'Ocp-Apim-Subscription-Key',
      'subscription_key',
      'x-functions-key',
      'key',
    ],
    ...[
      'auth',
      'authorization',
      'Proxy-Authorization',
      'bearer',
      'bearer_token',
      'accessToken',
      'jwt',
      'id_token',
      'tokens',
    ],
    ...[
      'password',
      'passwd',
      'pwd',
      'pass',
      'passphrase',
      'client_secret',
      'clientsecret',
      'credentials',
      'private_key',
    ],
    ...['privateKey', 'access_key', 'aws_secret_access_key', 'signing_key', 'signature', 'sig', 'cookie', 'Set-Cookie'],
    ...['session', 'session_id', 'sessionId', 'sid', 'headers', 'token_headers', 'tokenBody', 'storage_state', 'otp'],
  ])('%s is one', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each([
    ...['auth_mode', 'token_url', 'token_field', 'max_tokens', 'maxTokens', 'completion_tokens', 'public_key', 'model'],
    ...[
      'keyboard',
      'monkey',
      'compass',
      'author',
      'bypass',
      'agent_name',
      'design',
      'language_code',
      'base_url',
      'considered',
    ],
  ])('%s is none', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});
