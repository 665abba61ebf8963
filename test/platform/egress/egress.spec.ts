import { settingsFrom, SettingsError } from '../../../src/platform/config/settings';
import { Egress } from '../../../src/platform/egress/egress';

const egressOf = (variables: NodeJS.ProcessEnv): Egress => new Egress(settingsFrom(variables).egress);

/** `direct`, or host and port of the proxy. */
function wayTo(egress: Egress, address: string): string {
  const { protocol, hostname, port } = new URL(address);
  const proxy = egress.proxyFor(protocol, hostname, Number(port || (protocol === 'https:' ? 443 : 80)));
  return proxy === null ? 'direct' : `${proxy.host}:${proxy.port}`;
}

describe('the way out', () => {
  it('is direct without a proxy', () => {
    expect(wayTo(egressOf({}), 'https://agent.example')).toBe('direct');
    expect(egressOf({}).proxies).toEqual([]);
  });

  it('leads through the proxy of the scheme, and of that alone', () => {
    const egress = egressOf({ HTTPS_PROXY: 'http://one.example:3128', HTTP_PROXY: 'two.example:8080' });
    expect(wayTo(egress, 'https://agent.example')).toBe('one.example:3128');
    expect(wayTo(egress, 'http://agent.example')).toBe('two.example:8080');
    expect(wayTo(egressOf({ HTTP_PROXY: 'http://two.example' }), 'https://agent.example')).toBe('direct');
    expect(wayTo(egressOf({ HTTP_PROXY: 'http://two.example' }), 'http://agent.example')).toBe('two.example:80');
    expect(wayTo(egressOf({ HTTPS_PROXY: 'https://two.example/' }), 'https://agent.example')).toBe('two.example:443');
  });

  it('is read in lower case first, as curl does; what is empty is not set', () => {
    const both = { HTTPS_PROXY: 'http://upper.example:1', https_proxy: ' http://lower.example:2 ' };
    expect(wayTo(egressOf(both), 'https://agent.example')).toBe('lower.example:2');
    expect(wayTo(egressOf({ ...both, https_proxy: '' }), 'https://agent.example')).toBe('upper.example:1');
    expect(wayTo(egressOf({ ...both, no_proxy: 'agent.example' }), 'https://agent.example')).toBe('direct');
    expect(wayTo(egressOf({ http_proxy: 'http://lower.example:2' }), 'http://agent.example')).toBe('lower.example:2');
  });

  it.each([
    'http://localhost:1',
    'https://x.localhost',
    'http://127.0.0.1',
    'http://127.9.9.9',
    'http://2130706433',
    'http://0x7f.1',
    'http://0.0.0.0',
    'https://[::1]',
    'https://[::]',
    'https://[::ffff:127.0.0.1]',
    'https://[64:ff9b::127.0.0.1]',
  ])('never leads %s through a proxy', (address) => {
    const egress = egressOf({ HTTPS_PROXY: 'http://one.example:3128', HTTP_PROXY: 'http://one.example:3128' });
    expect(wayTo(egress, address)).toBe('direct');
  });

  it.each<readonly [string, readonly string[], readonly string[]]>([
    ['*', ['https://agent.example', 'https://192.0.2.1'], []],
    ['agent.example', ['https://agent.example', 'https://a.b.AGENT.example.'], ['https://notagent.example']],
    ['.agent.example', ['https://agent.example', 'https://a.agent.example'], ['https://agent.example.org']],
    ['*.agent.example', ['https://agent.example', 'https://a.agent.example'], ['https://example']],
    ['a.example,b.example c.example', ['https://a.example', 'https://b.example', 'https://c.example'], ['https://d']],
    ['10.0.0.0/8', ['https://10.1.2.3', 'https://0xa.1'], ['https://11.1.2.3', 'https://ten.example']],
    ['fd00::/8, [2001:db8::1]', ['https://[fd12::1]', 'https://[2001:db8::1]'], ['https://[2001:db8::2]']],
    ['192.0.2.1', ['https://192.0.2.1'], ['https://192.0.2.10']],
    ['agent.example:8443', ['https://agent.example:8443'], ['https://agent.example']],
    [',', [], ['https://agent.example']],
  ])('is direct where NO_PROXY=%s says so', (NO_PROXY, direct, proxied) => {
    const egress = egressOf({ HTTPS_PROXY: 'http://one.example:3128', NO_PROXY });
    for (const address of direct) expect([address, wayTo(egress, address)]).toEqual([address, 'direct']);
    for (const address of proxied) expect([address, wayTo(egress, address)]).toEqual([address, 'one.example:3128']);
  });

  it('shows no credentials, and knows them in every form', () => {
    const egress = egressOf({ HTTPS_PROXY: 'http://night:p%40ss%3Aword@one.example:3128' });
    expect(egress.shown).toEqual({ HTTPS_PROXY: 'one.example:3128' });
    const inHeader = Buffer.from('night:p@ss:word').toString('base64');
    expect(egress.secrets).toEqual(['p@ss:word', 'p%40ss%3Aword', inHeader]);
    expect(egress.proxies[0]?.authorization).toBe(`Basic ${inHeader}`);
    expect(egressOf({ HTTPS_PROXY: 'http://a-token@one.example:3128' }).secrets).toContain('a-token');
  });

  it.each([
    ['HTTPS_PROXY', 'foo'],
    ['HTTPS_PROXY', 'hunter2'],
    ['HTTP_PROXY', 'socks5://u:hunter2@one.example:1080'],
    ['HTTP_PROXY', 'http://u:hunter2#@one.example:3128'],
    ['HTTP_PROXY', 'http://u:hunter2%zz@one.example:3128'],
    ['HTTPS_PROXY', 'http://one.example:3128/path'],
    ['https_proxy', 'one.example:99999'],
    ['http_proxy', 'http://'],
  ])('is refused at the start when %s is %s, without showing it', (name, value) => {
    const start = () => settingsFrom({ [name]: value });
    expect(start).toThrow(SettingsError);
    expect(start).toThrow(
      `${name.toUpperCase()} must be the address of an HTTP proxy, such as http://proxy.example:3128 or ` +
        'http://user:password@proxy.example:3128, with user and password percent-encoded; it is something else.',
    );
  });

  it.each(['http://agent.example', 'a/b', '10.0.0.0/99', 'a*.example', '*, agent.example', 'agent.example:0'])(
    'is refused at the start when NO_PROXY is %s',
    (value) => {
      expect(() => settingsFrom({ NO_PROXY: value })).toThrow(
        `NO_PROXY must be host names, addresses and CIDR ranges separated by commas, such as localhost, .example.org, 10.0.0.0/8, or * for all; it is ${JSON.stringify(value)}.`,
      );
    },
  );
});
