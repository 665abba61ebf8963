import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmptyPlace, pack, ROOT, Running } from '../setup/packed';

let place: EmptyPlace;

beforeAll(async () => {
  place = await EmptyPlace.make();
});
afterAll(() => place.remove());

/** A repository with these sources, and nothing that is built. */
function repository(): string {
  const folder = join(place.folder, 'repository');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  for (const path of execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter((one) => one !== '')) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(ROOT, path), join(folder, path));
  }
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=Test', '-c', 'user.email=test@example.org', 'commit', '--quiet', '--message', 'All of it');
  return folder;
}

test('npm installs it from git: built on the way, the same files as in the tarball', async () => {
  const { files } = await pack(ROOT, place.folder, ['--ignore-scripts', '--dry-run']);
  const install = ['npm', 'install', '--omit=dev', '--no-audit', '--no-fund', `git+file://${repository()}`];
  const environment = await place.environment();
  expect(await Running.start(install, place.work, environment).ends()).toMatchObject({ code: 0 });
  const folder = join(place.work, 'node_modules', 'agent-osce');
  const installed = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = installed
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const named = (path: string): string => path.replace(/-[\w-]{8}\.(js|css)/, '.$1');
  expect(
    paths
      .filter((path) => !path.includes('node_modules/'))
      .map(named)
      .sort(),
  ).toEqual(files.map(named).sort());
  const { code, stdout } = await Running.start(
    [join('node_modules', '.bin', 'osce'), 'demo'],
    place.work,
    environment,
  ).ends();
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Pass rate') });
});
