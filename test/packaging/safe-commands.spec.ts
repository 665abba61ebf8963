import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const list = [
  'ls-files',
  '-z',
  '--cached',
  '--others',
  '--exclude-standard',
  '--',
  '*.md',
  '*.yml',
  'cli',
  'demo',
  'web/src',
  'scripts',
];
const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '');

// The names may belong to a stranger's package on the registry, which npx would fetch and run.
test('no page, help text or script has npx fetch a package named like ours', () => {
  expect(files.length).toBeGreaterThan(50);
  const unsafe = files.flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .filter((line) => /npx (?!--no-install )(?:-\S+ )*(?:osce|agent-osce)\b/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(unsafe).toEqual([]);
});
