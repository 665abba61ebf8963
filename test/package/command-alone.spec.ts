import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { VERSION } from '../../src/platform/config/version';
import { EmptyPlace, newerNode, ROOT, Running, type Packed } from '../setup/packed';
import { packedPackages } from '../setup/packed-packages';

const MOST_BYTES = 5_000_000;

let place: EmptyPlace;
let packed: Packed;
let environment: Record<string, string>;
const OSCE = join('node_modules', '.bin', 'osce');

const ended = (...command: string[]) => Running.start(command, place.work, environment).ends();

beforeAll(async () => {
  place = await EmptyPlace.make();
  environment = await place.environment();
  packed = (await packedPackages()).alone;
  expect(await ended('npm', 'install', '--omit=dev', '--no-audit', '--no-fund', packed.tarball)).toMatchObject({
    code: 0,
  });
});
afterAll(() => place.remove());

describe('the command alone', () => {
  it('is one file without dependencies, with the licences of what is in it', async () => {
    expect([...packed.files].sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist/LICENSES.txt',
      'dist/osce.js',
      'package.json',
    ]);
    expect((await readdir(join(place.work, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
      'agent-osce-command',
    ]);
    const licences = await readFile(
      join(place.work, 'node_modules', 'agent-osce-command', 'dist', 'LICENSES.txt'),
      'utf8',
    );
    expect(licences).toMatch(/^commander \S+ \(MIT\)\n[^]*^zod \S+ \(MIT\)\n/m);
  });

  it('takes less than 5 MB', async () => {
    const paths = await readdir(join(place.work, 'node_modules'), { recursive: true });
    const sizes = await Promise.all(
      paths.map(async (path) => (await stat(join(place.work, 'node_modules', path))).size),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
  });

  it.each([
    ['this Node', () => process.execPath],
    ['Node 22', () => newerNode(22)],
    ['Node 24', () => newerNode(24)],
  ])('runs on %s', async (_, node) => {
    expect(await ended(node(), OSCE, '--version')).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
    expect(await ended(node(), OSCE, 'runs', 'list', '--url', 'http://127.0.0.1:9')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('http://127.0.0.1:9'),
    });
  });

  it.each([
    ['serve', []],
    ['demo', []],
    ['backup', ['osce.backup']],
    ['restore', ['osce.backup']],
    ['speech check', []],
    ['speech calibrate', ['--livekit', 'ws://127.0.0.1:9']],
  ])('says which package has osce %s', async (program, given) => {
    expect(await ended(OSCE, ...program.split(' '), ...given)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`osce ${program} is part of the whole package, agent-osce`),
    });
  });
});

test('both packages have one version', async () => {
  const manifest: unknown = JSON.parse(await readFile(join(ROOT, 'packages', 'command', 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ version: VERSION });
});
