import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..', '..');
const FILES = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => path !== '');
const FOLDERS = new Set(FILES.flatMap(foldersOf));
const NAMES = new Set(FILES.map((path) => basename(path)));
const DOCUMENTS = FILES.filter(
  (path) => /^(docs\/.*|src\/README|[^/]+)\.md$/.test(path) && path !== 'CHANGELOG.md',
).map((path) => ({
  path,
  text: readFileSync(join(ROOT, path), 'utf8'),
}));
const PACKAGE: Readonly<Record<'scripts' | 'dependencies', Record<string, string>>> = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);
/** Files that a reader writes, and packages whose names look like a file's. */
const ELSEWHERE = new Set(['.osce.yaml', ...Object.keys(PACKAGE.dependencies)]);
/** A path in the tree, perhaps with `*` or with `{one,another}` in it; one with `<kind>` in it is a pattern to follow. */
const PATH =
  /^(?:src|contract|machines|migrations|test|cli|client|web|bench|scripts|deploy|content|examples|demo|docs|packages|ci)\/[\w./*{},-]*$/;
const FILE_NAME = /^[\w.-]+\.(?:tsx?|sql|[cm]?js|sh|ya?ml)$/;

describe.each(DOCUMENTS)('$path', ({ path, text }) => {
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words);

  it('names only files that exist', () => {
    const missing = quoted.filter((words) => {
      if (PATH.test(words)) return !alternativesOf(words).every(exists);
      return FILE_NAME.test(words) && !ELSEWHERE.has(words) && !NAMES.has(words);
    });
    expect(missing).toEqual([]);
  });

  it('links only to files that exist', () => {
    const targets = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target = '']) => target);
    const missing = targets
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => !exists(normalize(join(dirname(path), target))));
    expect(missing).toEqual([]);
  });

  it('names only scripts that npm knows', () => {
    const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in PACKAGE.scripts))).toEqual([]);
  });
});

test('what the map of the code says of the ledger names each of its SQL functions', () => {
  const map = DOCUMENTS.find(({ path }) => path === 'docs/architecture.md')?.text ?? '';
  const statements = FILES.filter((path) => /ledger\/[\w-]+\.sql$/.test(path)).map((path) => basename(path));
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.filter((name) => !map.includes(`\`${name}\``))).toEqual([]);
});

test('the maps of the code name every folder of it', () => {
  const map = (name: string) => DOCUMENTS.find(({ path }) => path === name)?.text ?? '';
  const folders = (pattern: RegExp) => [...FOLDERS].filter((path) => pattern.test(path));
  const rooms = folders(/^src\/(?:[^/]+\/[^/]+|demo|start)$/);
  expect(rooms.length).toBeGreaterThan(40);
  expect(rooms.filter((room) => !map('src/README.md').includes(`| \`${room}/`))).toEqual([]);
  const beside = folders(/^(?:contract|machines|migrations|content|cli|web|client|demo|bench|test)$/);
  expect(beside).toHaveLength(10);
  expect(beside.filter((folder) => !map('docs/architecture.md').includes(`\`${folder}/`))).toEqual([]);
});

test('every room that another floor imports has a door, which begins with what the room is for', () => {
  const sources = FILES.filter((path) => /^src\/.*\.ts$/.test(path));
  const rooms = new Set(sources.flatMap((path) => roomsOfOtherFloors(path, readFileSync(join(ROOT, path), 'utf8'))));
  expect(rooms.size).toBeGreaterThan(40);
  const beginning = (room: string) => {
    const door = `${room}/index.ts`;
    return FILES.includes(door) ? readFileSync(join(ROOT, door), 'utf8') : '';
  };
  expect([...rooms].filter((room) => !/^\/\*\*[\s*]+[A-Z]/.test(beginning(room)))).toEqual([]);
});

test('the index of decisions has each of them by its title', () => {
  const index = DOCUMENTS.find(({ path }) => path === 'docs/adr/README.md')?.text ?? '';
  const titles = DOCUMENTS.filter(({ path }) => /adr\/\d/.test(path)).map(
    ({ path, text }) => `[${/^# (.*)$/m.exec(text)?.[1]}](${basename(path)})`,
  );
  expect(titles.length).toBeGreaterThan(0);
  expect(titles.filter((title) => !index.includes(title))).toEqual([]);
});

/** The rooms of other floors that a file imports; where a row refers to a row of another room, its entity is no room. */
function roomsOfOtherFloors(path: string, text: string): string[] {
  const floor = floorOf(path);
  return [...text.matchAll(/ from '(\.[^']*)'/g)]
    .map(([, target = '']) => normalize(join(dirname(path), target)))
    .filter((target) => floorOf(target) !== undefined && floorOf(target) !== floor && !target.endsWith('.entity'))
    .map((target) => (FOLDERS.has(target) ? target : dirname(target)));
}

function floorOf(path: string): string | undefined {
  return /^src\/(domain|platform|agents|examiners|engine|features)(?=\/|$)/.exec(path)?.[1];
}

function exists(path: string): boolean {
  const plain = path.replace(/\/$/, '');
  if (!plain.includes('*')) return FOLDERS.has(plain) || FILES.includes(plain);
  const pattern = new RegExp(`^${plain.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$)`);
  return FILES.some((file) => pattern.test(file));
}

/** What a shell makes of `a{,-b}.ts`. */
function alternativesOf(path: string): string[] {
  const [, before = '', list, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  return list === undefined ? [path] : list.split(',').flatMap((one) => alternativesOf(`${before}${one}${after}`));
}

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}
