import { examinedConfig } from '../../../src/agents/examined-config';
import {
  fieldsWithMask,
  hasMask,
  holdsSecret,
  leaveOutCredentials,
  maskCredentials,
  restoreMasked,
} from '../../../src/agents/secrets/mask-credentials';

const HIDDEN = '••••••••';
const KEY = 'sk-0123456789abcdef';

describe('a masked config', () => {
  it.each([
    ['twelve characters or more, by its first four', { api_key: '123456789012' }, { api_key: `1234${HIDDEN}` }],
    ['fewer, not at all', { api_key: '12345678901' }, { api_key: HIDDEN }],
    ['a number', { pin_token: 482_913 }, { pin_token: HIDDEN }],
    ['each in a list', { api_keys: [KEY, ''] }, { api_keys: [`sk-0${HIDDEN}`, ''] }],
    [
      'everything below a name of secrets, and nothing beside it',
      { headers: { accept: { deep: [KEY] }, none: null, on: true }, model: KEY },
      { headers: { accept: { deep: [`sk-0${HIDDEN}`] }, none: null, on: true }, model: KEY },
    ],
    ['one below a harmless name', { more: [{ token: KEY }, 7] }, { more: [{ token: `sk-0${HIDDEN}` }, 7] }],
    [
      'one in an address, as it is written there',
      { base_url: 'https://u%40b:p%40ss%2Fword-long@host/?key=k-9876543210&tenant=a' },
      { base_url: `https://${HIDDEN}:p%40${HIDDEN}@host/?key=k-98${HIDDEN}&tenant=a` },
    ],
    [
      'one that a replacement would read as a pattern, and that the address repeats',
      { base_url: "https://host/$'0123456789abc?key=$'0123456789abc" },
      { base_url: `https://host/$'01${HIDDEN}?key=$'01${HIDDEN}` },
    ],
    [
      'one in an address longer than any server takes, with the whole of it',
      { base_url: `https://host/${'ab'.repeat(9_000)}?key=${KEY}` },
      { base_url: `http${HIDDEN}` },
    ],
    [
      'one in an address that is written half encoded',
      { base_url: 'https://h/x?code=AbC/dEf%2Bghijkl012==&lang=en#top' },
      { base_url: `https://h/x?code=AbC/${HIDDEN}&lang=en#top` },
    ],
    [
      'one in the fragment of an address',
      { url: 'https://h/x?lang=en#state=a&access_token=AbCdEfghijkl0123' },
      { url: `https://h/x?lang=en#state=a&access_token=AbCd${HIDDEN}` },
    ],
    [
      'one behind a path in the fragment of an address',
      { url: 'https://h/#/chat?token=AbCdEfghijkl0123?more&lang=en' },
      { url: `https://h/#/chat?token=AbCd${HIDDEN}&lang=en` },
    ],
    ['none in the fragment of an address that has none', { url: 'https://h/?a=b#top' }, { url: 'https://h/?a=b#top' }],
    [
      'one in an address with a plus',
      { base_url: 'https://h/x?api_key=AbCd+Efgh/ijkl0123==' },
      { base_url: `https://h/x?api_key=AbCd${HIDDEN}` },
    ],
    [
      'one in an address in small codes, by a name in codes',
      { base_url: 'https://h/x?lang=en&api%5fkey=AbCd%2fEfgh%2fijkl0123' },
      { base_url: `https://h/x?lang=en&api%5fkey=AbCd${HIDDEN}` },
    ],
    [
      'a password in an address with a sign that belongs encoded',
      { base_url: 'https://user:pa%24s"word-0123@h/x' },
      { base_url: `https://${HIDDEN}:pa%2${HIDDEN}@h/x` },
    ],
    [
      'one in a body that is a text, beside its name',
      { body: `key=${KEY}&say={{message}}&lang=en` },
      { body: `key=sk-0${HIDDEN}&say={{message}}&lang=en` },
    ],
    [
      'those in a body of XML',
      {
        body: `<ask token="${KEY}"><ApiKey>${KEY}</ApiKey><session>{{session_id}}</session><say>{{message}}</say></ask>`,
      },
      {
        body: `<ask token="sk-0${HIDDEN}"><ApiKey>sk-0${HIDDEN}</ApiKey><session>{{session_id}}</session><say>{{message}}</say></ask>`,
      },
    ],
    [
      'none in a body beside any other name, nor what is too short for one',
      { body: 'language=portuguese-brazil&key=v1.2&say={{message}}' },
      { body: 'language=portuguese-brazil&key=v1.2&say={{message}}' },
    ],
    [
      'one of twelve characters in an address, as it is written there',
      { base_url: 'https://h/x?key=%41bcdefgh0123' },
      { base_url: `https://h/x?key=%41b${HIDDEN}` },
    ],
    [
      'each of very many in an address',
      { base_url: `https://h/?${Array.from({ length: 300 }, () => `key=${KEY}`).join('&')}` },
      { base_url: `https://h/?${Array.from({ length: 300 }, () => `key=sk-0${HIDDEN}`).join('&')}` },
    ],
    [
      'none in the words of a body',
      { body: 'Key: diabetes, session: new, password: Forgotten. {{message}}' },
      { body: 'Key: diabetes, session: new, password: Forgotten. {{message}}' },
    ],
    [
      'none in a placeholder, be it with a scheme, and of what stands around one where the conversation goes',
      {
        url: 'https://h/{{session_id}}?sid={{session_id}}&key=id-%7B%7Bsession_id%7D%7D-0123456789',
        headers: {
          authorization: 'Bearer {{session_id}}',
          cookie: 'lang=en; sid={{session_id}}',
          'x-session': `${KEY}/{{ session_id }}/{{history}}/{{session_id}}`,
          'x-short': 'a{{x}}',
        },
      },
      {
        url: `https://h/{{session_id}}?sid={{session_id}}&key=id-%${HIDDEN}{{session_id}}`,
        headers: {
          authorization: 'Bearer {{session_id}}',
          cookie: `lang${HIDDEN}{{session_id}}`,
          'x-session': `sk-0${HIDDEN}{{session_id}}{{history}}`,
          'x-short': HIDDEN,
        },
      },
    ],
    ['none in what is no address', { base_url: 'host/?key=k-9876543210' }, { base_url: 'host/?key=k-9876543210' }],
  ])('shows of a secret: %s', (_what, config, masked) => {
    expect(maskCredentials(config)).toEqual(masked);
    expect(Object.entries(config).some(([key, value]) => holdsSecret(key, value))).toBe(
      JSON.stringify(masked) !== JSON.stringify(config),
    );
  });

  const stored = {
    api_key: KEY,
    base_url: `https://user:${KEY}@host/v1`,
    headers: { authorization: KEY, 'x-env': 'production-eu' },
    storage_state: { cookies: [{ value: 'first-cookie-1' }, { value: 'second-cookie-2' }] },
    model: 'm',
  };

  it('that is sent back whole gives what is stored', () => {
    expect(restoreMasked(maskCredentials(stored), stored, [maskCredentials(stored)])).toEqual(stored);
  });

  it('gives what is stored only for a mask in its own place', () => {
    const masked = maskCredentials(stored);
    const changes = {
      ...masked,
      model: masked['api_key'],
      headers: { authorization: masked['api_key'], 'x-env': 'staging', 'x-new': masked['api_key'] },
      storage_state: { cookies: [{ value: `seco${HIDDEN}` }, { value: `seco${HIDDEN}` }] },
    };
    expect(restoreMasked(changes, stored, [masked])).toEqual({
      ...stored,
      model: `sk-0${HIDDEN}`,
      headers: { authorization: KEY, 'x-env': 'staging', 'x-new': `sk-0${HIDDEN}` },
      storage_state: { cookies: [{ value: `seco${HIDDEN}` }, { value: 'second-cookie-2' }] },
    });
  });

  it('gives nothing for what is not stored, or stored in another shape', () => {
    const changes = { api_key: `sk-0${HIDDEN}`, headers: [HIDDEN], token: { deep: HIDDEN } };
    const other = { headers: { a: 1 }, token: [KEY] };
    expect(restoreMasked(changes, other, [maskCredentials(other)])).toEqual(changes);
  });

  it('gives what is stored for a part that is sent back as it was shown, whose names were shown otherwise, too', () => {
    const shown = { body: { [HIDDEN]: 1 } };
    expect(restoreMasked(shown, { body: { [KEY]: 1 } }, [{ body: { other: 1 } }, shown])).toEqual({
      body: { [KEY]: 1 },
    });
    expect(restoreMasked({ body: { a: 1 } }, { body: { [KEY]: 1 } }, [shown])).toEqual({ body: { a: 1 } });
    for (const stored of [null, 'text', [1]]) {
      expect(restoreMasked({ body: { a: 1 } }, { body: stored }, [shown])).toEqual({ body: { a: 1 } });
    }
  });

  it('is known by its mask, at any depth', () => {
    expect([{ a: [{ b: `x${HIDDEN}` }] }, { a: '•' }, undefined].map(hasMask)).toEqual([true, false, false]);
  });
});

describe('a config without its secrets', () => {
  it('has the same few bullets for each of them, in lists and documents too, and everything else as it is', () => {
    const config = { tools: [{ api_key: KEY }, [`https://a.example/?api_key=${KEY}`], 'find', 7, null], model: 'm' };
    expect(leaveOutCredentials(config)).toEqual({
      tools: [{ api_key: HIDDEN }, [`https://a.example/?api_key=${HIDDEN}`], 'find', 7, null],
      model: 'm',
    });
  });

  it('has masks whose secret nobody knows where the stored one has no such mask', () => {
    const config = { api_key: `sk-0${HIDDEN}`, headers: { a: HIDDEN }, token: `t${HIDDEN}`, model: 'm' };
    const stored = { api_key: KEY, headers: { a: HIDDEN }, model: 'n' };
    expect(fieldsWithMask(config, stored)).toEqual(['api_key', 'token']);
  });

  it('shows nothing of an address that holds one and is longer than any server takes', () => {
    const long = (most: number) => `https://a.example/?api_key=${KEY}&x=${'y'.repeat(most)}`.slice(0, most);
    expect(maskCredentials({ url: long(16_384) })['url']).toMatch(/^https:\/\/a\.example\/\?api_key=sk-0•+&x=y+$/);
    expect(maskCredentials({ url: long(16_385) })['url']).toBe(`http${HIDDEN}`);
  });
});

describe('what a run keeps of its agent’s config', () => {
  const config = {
    api_key: KEY,
    base_url: `https://host/v1?key=${KEY}`,
    model: 'm',
    list: [{ note: `${KEY}!` }, 7, null],
  };

  it('holds no secret, not even where another field repeats it', async () => {
    const { shown } = await examinedConfig('openai', config);
    expect(shown).toEqual({
      api_key: `sk-0${HIDDEN}`,
      base_url: `https://host/v1?key=sk-0${HIDDEN}`,
      model: 'm',
      list: [{ note: '[removed]!' }, 7, null],
    });
    expect((await examinedConfig('openai', { api_key: '1234567890', note: 1_234_567_890 })).shown).toMatchObject({
      note: '[removed]',
    });
  });

  it.each([
    ['a header with a scheme', { headers: { authorization: 'Bearer {{session_id}}' } }],
    ['a cookie', { headers: { cookie: 'lang=en; sid={{session_id}}' } }],
    ['a parameter of an address', { url: 'https://h/?sid={{session_id}}' }],
    ['an escaped parameter of an address', { url: 'https://h/?sid=%7B%7Bsession_id%7D%7D' }],
    ['a login in an address', { url: 'https://{{session_id}}:x@h/' }],
    ['a secret field', { token: '{{ session_id }}' }],
  ])('keeps a placeholder of the body that %s has too', async (_where, carrier) => {
    const body = { text: '{{message}}', before: '{{history}}', id: '{{session_id}}' };
    const { shown } = await examinedConfig('http', { url: 'https://h/', ...carrier, body });
    expect(shown['body']).toEqual(body);
  });

  it('has the same hash with another secret, of whatever length, and another one with anything else', async () => {
    const hashOf = async (given: unknown, provider = 'openai') => (await examinedConfig(provider, given)).hash;
    const hash = await hashOf(config);
    const other = 'another-key-of-this-agent';
    const renewed = {
      ...config,
      api_key: other,
      base_url: `https://host/v1?key=${other}`,
      list: [{ note: `${other}!` }, 7, null],
    };
    expect(await hashOf(renewed)).toBe(hash);
    expect(await hashOf(Object.fromEntries(Object.entries(config).reverse()))).toBe(hash);
    const headers = (value: object) => ({ ...config, headers: value });
    expect(await hashOf(headers({ a: '1' }))).toBe(await hashOf(headers({ a: 'a-long-value-0123', b: [1, 2] })));
    const changed = [
      { ...config, model: 'n' },
      { ...config, base_url: `https://host/v2?key=${KEY}` },
      { api_key: KEY },
      [],
      null,
    ];
    const hashes = [hash, await hashOf(config, 'vapi'), ...(await Promise.all(changed.map((one) => hashOf(one))))];
    // Neither of the last two is a config at all.
    expect(new Set(hashes).size).toBe(hashes.length - 1);
  });

  it('leaves nothing in its hash that depends on how long a secret is', () => {
    const left = { api_key: HIDDEN, headers: HIDDEN, base_url: `https://${HIDDEN}@host/`, more: [{ token: HIDDEN }] };
    for (const secret of ['abcd', KEY]) {
      const given = {
        api_key: secret,
        headers: { a: secret },
        base_url: `https://${secret}@host/`,
        more: [{ token: [secret] }],
      };
      expect(leaveOutCredentials(given)).toEqual(left);
    }
  });
});
