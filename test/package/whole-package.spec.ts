import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { VERSION } from '../../src/platform/config/version';
import { EmptyPlace, newerNode, ROOT, Running, type Packed } from '../setup/packed';
import { packedPackages } from '../setup/packed-packages';

let place: EmptyPlace;
let packed: Packed;
let environment: Record<string, string>;
const started: Running[] = [];

const start = (command: readonly string[], more: Record<string, string> = {}): Running => {
  const running = Running.start(command, place.work, { ...environment, ...more });
  started.push(running);
  return running;
};
const OSCE = join('node_modules', '.bin', 'osce');

beforeAll(async () => {
  place = await EmptyPlace.make();
  environment = await place.environment();
  // npm has built and packed it from git; installing from git is that, and then what follows.
  packed = (await packedPackages()).whole;
  const install = ['npm', 'install', '--omit=dev', '--no-audit', '--no-fund', packed.tarball];
  expect(await start(install).ends()).toMatchObject({ code: 0 });
});
afterEach(() => {
  for (const { child } of started.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});
afterAll(() => place.remove());

/** The sources whose compiled files are packed, what is bundled of them, and the files that are packed as they are. */
function expectedFiles(): string[] {
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  }).split('\n');
  const compiled = tracked
    .filter((path) => /^(cli|contract|demo|machines|migrations|src)\//.test(path) && !/[.](d[.]ts|md)$/.test(path))
    .map((path) => `dist/${path.replace(/\.ts$/, '.js')}`);
  const client = ['index', 'paths'].map((name) => `dist/client/${name}.js`);
  const content = tracked.filter((path) => path.startsWith('content/'));
  const bundles = ['src/main', 'cli/run-command'].flatMap((program) => [
    `dist/${program}.bundle.js`,
    `dist/${program}.bundle.js.v8`,
  ]);
  return [
    ...compiled,
    'dist/bundled-start.cjs',
    ...bundles,
    ...client,
    'client/openapi.json',
    ...content,
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'package.json',
  ];
}

/** A declaration and all that it imports by a relative path, directly or not: what a consumer's compiler opens. */
function declarationsReached(first: string, reached = new Set<string>()): Set<string> {
  if (reached.has(first)) return reached;
  reached.add(first);
  for (const [, specifier = ''] of readFileSync(join(ROOT, first), 'utf8').matchAll(
    /(?:from |import\()['"](\.[^'"]+)['"]/g,
  )) {
    const beside = join(dirname(first), specifier.replace(/\.js$/, ''));
    const declaration = [`${beside}.d.ts`, join(beside, 'index.d.ts')].find((path) => existsSync(join(ROOT, path)));
    if (declaration === undefined) throw new Error(`${first} imports ${specifier}, which has no declaration.`);
    declarationsReached(declaration, reached);
  }
  return reached;
}

describe('the package', () => {
  it('holds what runs, and nothing else', () => {
    const page = packed.files.filter((path) => path.startsWith('dist/web/'));
    const declarations = packed.files.filter((path) => path.endsWith('.d.ts'));
    const rest = packed.files.filter((path) => !page.includes(path) && !declarations.includes(path));
    expect(rest.sort()).toEqual(expectedFiles().sort());
    expect(page).toContain('dist/web/index.html');
    expect(
      page.filter(
        (path) =>
          !/^dist\/web\/(index\.html|font-licences\.txt|[\w-]+\.svg|assets\/[\w-]+\.(js|css|woff2))(\.br|\.gz)?$/.test(
            path,
          ),
      ),
    ).toEqual([]);
    expect(declarations.filter((path) => !/^dist\/(client|contract)\//.test(path))).toEqual([]);
    expect(declarations).toEqual(expect.arrayContaining([...declarationsReached('dist/client/index.d.ts')]));
  });

  it('installs without what only its development needs', async () => {
    const installed = await readdir(join(place.work, 'node_modules'));
    expect(installed.filter((name) => /^(jest|vite|typescript|oxlint|react|rolldown)/.test(name))).toEqual([]);
    expect(await start([OSCE, '--version']).ends()).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
  });

  it.each([
    ['this Node', () => process.execPath],
    ['Node 22', () => newerNode(22)],
    ['Node 24', () => newerNode(24)],
  ])('examines the demo agent on %s', async (_, node) => {
    const { code, stdout, stderr } = await start([node(), OSCE, 'demo']).ends();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringMatching(/failed|Warning/) });
    expect(stdout).toMatch(/│ passed +│ Crushing chest pain at rest /);
    expect(stdout).toMatch(
      /Pass rate [\d.]+ % \(95 % interval [\d.]+ to [\d.]+ %, coverage 100 %\): \d+ passed, \d+ failed of \d+/,
    );
    expect(stdout).toContain('  osce serve');
  });

  it('serves the API, the page and the library, keeps its data in a folder of the user, and stops', async () => {
    const service = start([OSCE, 'serve', '--port', '0']);
    const url = await service.prints(/listens on (http:\/\/[\w.:]+\d);/);
    expect(service.stderr).toContain(`Everything is kept in ${join(place.home, '.local', 'share', 'agent-osce')}`);
    expect(existsSync(join(place.home, '.local', 'share', 'agent-osce', 'postgres'))).toBe(true);
    expect(await (await fetch(url)).text()).toContain('<title>');
    expect(await (await fetch(`${url}/api/v1/scenarios`)).json()).toMatchObject({ total: 60 });
    const run = start([OSCE, 'run', '--agent', 'Demo clinic agent', '--tag', 'emergency', '--fail-under', '30'], {
      OSCE_URL: url,
    });
    expect(await run.ends()).toMatchObject({ code: 0, stdout: expect.stringContaining('The bar of 30 % is reached.') });
    service.child.kill('SIGTERM');
    expect(await service.ends()).toMatchObject({ code: 0 });
    expect(await readdir(place.work)).not.toContain('data');
  });

  it('takes the data folder and the address from options, and says what is wrong with them', async () => {
    const dataDir = join(place.folder, 'elsewhere');
    const service = start([OSCE, 'serve', '--port', '0', '--host', '127.0.0.1', '--data-dir', dataDir], {
      PORT: '1',
      DATA_DIR: '/nowhere',
    });
    await service.prints(/listens on (http:\/\/127\.0\.0\.1:\d+);/);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(true);
    service.child.kill('SIGINT');
    expect(await service.ends()).toMatchObject({ code: 0 });
    expect(await start([OSCE, 'serve', '--port', 'web']).ends()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('PORT must be'),
    });
  });
});
