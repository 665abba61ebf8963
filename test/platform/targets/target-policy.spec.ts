import { readAllowedTarget } from '../../../src/platform/targets/allowed-targets';
import { OwnServices, type OwnService } from '../../../src/platform/targets/own-services';
import { TargetPolicy, type TargetMode } from '../../../src/platform/targets/target-policy';
import { TargetRefusal } from '../../../src/platform/targets/target-refusal';

/** Rules alone: no test in here opens a connection or asks a resolver. */
describe('where agents may live', () => {
  const answers = new Map<string, readonly string[]>([['db.internal', ['10.0.0.5', 'fd00::5']]]);
  const resolve = (name: string): Promise<readonly string[]> => Promise.resolve(answers.get(name) ?? []);
  const ofMachine = (): readonly string[] => ['127.0.0.1', '::1', '192.168.7.7', 'fe80::7%eth0', 'fd00::7'];

  function policyOf(mode: TargetMode, allowed = '', services: readonly OwnService[] = []): TargetPolicy {
    const entries = allowed === '' ? [] : allowed.split(',').map(readAllowedTarget);
    const rules = { mode, allowed: entries.filter((entry) => entry !== null) };
    return new TargetPolicy(rules, new OwnServices(() => services, resolve, ofMachine));
  }

  function ruleOf(look: () => void): string | null {
    try {
      look();
      return null;
    } catch (error) {
      if (error instanceof TargetRefusal) return error.rule;
      throw error;
    }
  }
  const host = (policy: TargetPolicy, name: string, port = 80) => ruleOf(() => policy.checkHost(name, port));
  const address = (policy: TargetPolicy, text: string, name?: string, port = 80) =>
    ruleOf(() => policy.checkAddress(text, port, name));

  const METADATA = [
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:42::42',
    '::ffff:100.100.100.200',
    '64:ff9b::100.100.100.200',
  ];
  const LINK_LOCAL = [
    '169.254.169.254',
    '169.254.0.1',
    '169.254.255.255',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::ffff:0:169.254.169.254',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::169.254.169.254',
    '2002:a9fe:a9fe::1',
    '2001:0:a9fe:a9fe::1',
    '2001:0:808:808:1:1:5601:5601',
    '::169.254.169.254',
    '2001:db8::5efe:169.254.169.254',
    '2001:db8::200:5efe:169.254.169.254',
  ];
  const UNUSABLE = ['224.0.0.1', '239.1.2.3', '255.255.255.255', '240.0.0.1', '0.1.2.3', 'ff02::1', '100::1'];
  const THIS_MACHINE = ['127.0.0.1', '127.9.9.9', '0.0.0.0', '::', '::1', '::ffff:127.0.0.1', '::ffff:0.0.0.0'];
  const PRIVATE = ['10.0.0.1', '172.16.0.1', '172.31.255.254', '192.168.1.1', '100.64.0.1', 'fd12::1', 'fec0::1'];
  const NOT_PUBLIC = ['192.0.2.1', '198.18.0.1', '2001:db8::1', '2002:808:808::1', '64:ff9b::10.0.0.1'];
  const PUBLIC = [
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '64:ff9b::8.8.8.8',
    '2606:4700::1111',
    '2a00:1450::1',
  ];

  describe.each(['local', 'public', 'list'] as const)('with TARGETS=%s', (mode) => {
    // A list that holds everything does not hold these.
    const policy = policyOf(mode, mode === 'list' ? '0.0.0.0/0,::/0,evil.example,*.evil.example' : '');

    it.each(METADATA)('refuses the metadata service at %s', (text) => {
      expect(address(policy, text)).toBe('metadata');
      expect(address(policy, text, 'evil.example')).toBe('metadata');
      if (!text.includes('%')) expect(host(policy, text)).toBe('metadata');
    });

    it.each(LINK_LOCAL)('refuses the link-local address %s', (text) => {
      expect(address(policy, text)).toBe('link_local');
      expect(address(policy, text, 'evil.example')).toBe('link_local');
      expect(host(policy, text.includes(':') && !text.includes('%') ? `[${text}]` : text)).toBe('link_local');
    });

    it.each(UNUSABLE)('refuses %s', (text) => expect(address(policy, text)).toBe('unusable'));

    it.each([
      '2852039166',
      '0xa9fea9fe',
      '0xa9.0xfe.0xa9.0xfe',
      '0251.0376.0251.0376',
      '169.254.43518',
      '169.16689662',
      '169.254.169.254.',
      '１６９.254.169.254',
      '169。254。169。254',
      '%31%36%39.254.169.254',
    ])('refuses the link-local address spelled %s', (text) => expect(host(policy, text)).toBe('link_local'));

    it.each(['8.8.8.8', '2606:4700::1111'])('allows %s', (text) => expect(address(policy, text)).toBeNull());

    it('refuses what is no address after a look-up', () => {
      expect(address(policy, 'nonsense')).toBe('unusable');
      expect(address(policy, '')).toBe('unusable');
    });
  });

  it.each([...THIS_MACHINE, ...PRIVATE, ...NOT_PUBLIC, ...PUBLIC])('local: allows %s', (text) => {
    expect(address(policyOf('local'), text)).toBeNull();
  });

  it.each([
    '127.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '[::ffff:127.0.0.1]',
    '[::1]',
    '0',
    'localhost',
    'a.localhost.',
  ])('public: takes %s for loopback', (text) => {
    expect(host(policyOf('public'), text)).toBe('not_public');
    expect(host(policyOf('local'), text)).toBeNull();
  });

  it.each([...THIS_MACHINE, ...PRIVATE, ...NOT_PUBLIC])('public: refuses %s', (text) => {
    expect(address(policyOf('public'), text)).toBe('not_public');
    expect(address(policyOf('public'), text, 'agents.example')).toBe('not_public');
  });

  it.each(PUBLIC)('public: allows %s', (text) => expect(address(policyOf('public'), text)).toBeNull());

  describe('with TARGETS=list', () => {
    it('allows listed hosts alone, at whatever address they have', () => {
      const policy = policyOf('list', 'agents.example,münchen.example');
      expect(host(policy, 'agents.example')).toBeNull();
      expect(host(policy, 'AGENTS.example.')).toBeNull();
      expect(host(policy, 'xn--mnchen-3ya.example')).toBeNull();
      expect(address(policy, '10.1.1.1', 'agents.example')).toBeNull();
      expect(host(policy, 'other.example')).toBe('not_listed');
      expect(host(policy, 'x.agents.example')).toBe('not_listed');
      expect(host(policy, 'agents.example.evil.example')).toBe('not_listed');
      expect(host(policy, 'localhost')).toBe('not_listed');
      expect(address(policy, '8.8.8.8')).toBe('not_listed');
      expect(address(policy, '8.8.8.8', 'other.example')).toBe('not_listed');
    });

    it('allows what is below a suffix and not the suffix itself', () => {
      const policy = policyOf('list', '*.agents.example');
      expect(host(policy, 'a.agents.example')).toBeNull();
      expect(host(policy, 'a.b.agents.example')).toBeNull();
      expect(host(policy, 'agents.example')).toBe('not_listed');
      expect(host(policy, 'evilagents.example')).toBe('not_listed');
    });

    it('allows listed ranges, by name only once the address is known', () => {
      const policy = policyOf('list', '10.0.0.0/8,127.0.0.1,[fd00::/8]:8443,::1');
      expect(address(policy, '10.9.9.9')).toBeNull();
      expect(address(policy, '::ffff:10.9.9.9')).toBeNull();
      expect(host(policy, 'a.example')).toBeNull();
      expect(address(policy, '10.9.9.9', 'a.example')).toBeNull();
      expect(address(policy, '11.0.0.1', 'a.example')).toBe('not_listed');
      expect(host(policy, '127.1')).toBeNull();
      expect(host(policy, '127.0.0.2')).toBe('not_listed');
      expect(address(policy, 'fd00::1', undefined, 8443)).toBeNull();
      expect(address(policy, 'fd00::1', undefined, 80)).toBe('not_listed');
      expect(host(policy, '[::1]')).toBeNull();
    });

    it('keeps to a listed port', () => {
      const policy = policyOf('list', 'agents.example:8443,127.0.0.1:9000');
      expect(host(policy, 'agents.example', 8443)).toBeNull();
      expect(address(policy, '127.0.0.1', undefined, 9000)).toBeNull();
      expect(host(policy, '127.0.0.1', 9001)).toBe('not_listed');
    });
  });

  describe("the service's own ports", () => {
    const own = [
      { host: '0.0.0.0', port: 8000 },
      { host: '127.0.0.1', port: 25_432 },
    ];

    it.each([
      '127.0.0.1',
      '127.8.8.8',
      '0.0.0.0',
      '::',
      '::1',
      '192.168.7.7',
      'fd00::7',
      '::ffff:192.168.7.7',
      '64:ff9b::127.0.0.1',
    ])('are refused at %s in every mode', (text) => {
      for (const policy of [policyOf('local', '', own), policyOf('list', '0.0.0.0/0,::/0', own)]) {
        expect(address(policy, text, undefined, 8000)).toBe('own_service');
        expect(address(policy, text, 'listed.example', 25_432)).toBe('own_service');
        expect(address(policy, text, undefined, 8001)).toBeNull();
      }
    });

    it('are refused by every name and spelling of this machine', () => {
      const policy = policyOf('local', '', own);
      for (const text of [
        'localhost',
        'LOCALHOST.',
        'x.localhost',
        '127.1',
        '2130706433',
        '0x7f.1',
        '0',
        '[::ffff:127.0.0.1]',
      ])
        expect(host(policy, text, 8000)).toBe('own_service');
      expect(address(policy, '192.168.7.8', undefined, 8000)).toBeNull();
    });

    it('are refused elsewhere when the server is elsewhere: by its name and by its addresses', async () => {
      const services = new OwnServices(() => [{ host: 'db.internal', port: 5432 }], resolve, ofMachine);
      await services.refresh();
      const policy = new TargetPolicy({ mode: 'local', allowed: [] }, services);
      expect(host(policy, 'DB.internal', 5432)).toBe('own_service');
      expect(address(policy, '10.0.0.5', 'alias.example', 5432)).toBe('own_service');
      expect(address(policy, 'fd00::5', undefined, 5432)).toBe('own_service');
      expect(address(policy, '10.0.0.6', undefined, 5432)).toBeNull();
      expect(address(policy, '127.0.0.1', undefined, 5432)).toBeNull();
      expect(host(policy, 'db.internal', 80)).toBeNull();
    });

    it('come to be while the service starts', () => {
      const later: OwnService[] = [];
      const policy = new TargetPolicy({ mode: 'local', allowed: [] }, new OwnServices(() => later, resolve, ofMachine));
      expect(address(policy, '127.0.0.1', undefined, 40_000)).toBeNull();
      later.push({ host: '127.0.0.1', port: 40_000 });
      expect(address(policy, '127.0.0.1', undefined, 40_000)).toBe('own_service');
    });
  });

  it('says which rule refuses and which setting changes it, and not where a name led', () => {
    const sentenceOf = (look: () => void): string => {
      try {
        look();
      } catch (error) {
        if (error instanceof TargetRefusal) return error.message;
      }
      return '';
    };
    expect(sentenceOf(() => policyOf('public').checkAddress('10.1.2.3', 443, 'a.example'))).toBe(
      'The address a.example:443 does not lead to a public address, and TARGETS=public allows no other: set TARGETS=local, or ' +
        'TARGETS=list with its host in ALLOWED_TARGETS.',
    );
    expect(sentenceOf(() => policyOf('list', 'b.example').checkHost('::1', 80))).toBe(
      'The address [::1]:80 is not allowed by TARGETS=list: add its host, or its address as a CIDR range, to ALLOWED_TARGETS.',
    );
  });

  it.each([
    '',
    '*',
    '*.',
    'a b',
    'http://a',
    'a/b',
    '10.0.0.0/33',
    'a:0',
    'a:65536',
    'a:x',
    '[::1',
    '*.10.0.0.1/8',
    'a..b',
  ])('takes "%s" for no entry of ALLOWED_TARGETS', (text) => expect(readAllowedTarget(text)).toBeNull());
});
