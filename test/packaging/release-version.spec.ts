import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const SCRIPT = join(ROOT, 'scripts', 'release-version.mjs');
const FILES = [
  'package.json',
  'package-lock.json',
  'packages/command/package.json',
  'packages/python/pyproject.toml',
  'client/openapi.json',
  'deploy/helm/agent-osce/Chart.yaml',
  'deploy/helm/agent-osce/README.md',
  'deploy/kubernetes/agent-osce.yaml',
  'README.md',
  'docs/command-line.md',
  'docs/ci.md',
];

function releaseVersion(cwd: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stdout, problems: stderr.split('\n').filter((line) => line !== '') };
}

test('every file of the repository has the version of package.json', () => {
  expect(releaseVersion(ROOT, '--agree')).toEqual({ status: 0, stdout: '', problems: [] });
});

describe('a release', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'osce-release-'));
    for (const file of FILES) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(ROOT, file), join(folder, file));
    }
    write(
      'CHANGELOG.md',
      '# Changelog\n\n## 9.8.0, not released yet\n\n- **New**: a thing.\n\n## 9.7.0, 2026-01-02\n\n- Old.\n',
    );
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);

  it('writes its version everywhere, changes nothing else, and dates its section', () => {
    expect(releaseVersion(folder, '9.8.1')).toEqual({ status: 0, stdout: '', problems: [] });
    expect(releaseVersion(folder, '--check', 'v9.8.1')).toEqual({ status: 0, stdout: '', problems: [] });
    for (const file of FILES) {
      const [before, after] = [readFileSync(join(ROOT, file), 'utf8').split('\n'), read(file).split('\n')];
      const changed = after.filter((line, at) => line !== before[at]);
      expect(after).toHaveLength(before.length);
      expect(changed.length).toBeGreaterThan(0);
      expect(changed.filter((line) => !line.includes('9.8.1'))).toEqual([]);
    }
    expect(read('CHANGELOG.md')).toMatch(
      /\n## 9\.8\.1, \d{4}-\d\d-\d\d\n\n- \*\*New\*\*: a thing\.\n\n## 9\.7\.0, 2026-01-02\n/,
    );
    expect(releaseVersion(folder, '--notes', 'v9.8.1').stdout).toBe('- **New**: a thing.\n');
  });

  it('is refused for one file with another version, and without a dated section', () => {
    releaseVersion(folder, '9.8.1');
    write('packages/python/pyproject.toml', read('packages/python/pyproject.toml').replace('"9.8.1"', '"9.8.0"'));
    write('CHANGELOG.md', '# Changelog\n\n## 9.8.1, not released yet\n');
    expect(releaseVersion(folder, '--check', 'v9.8.1')).toEqual({
      status: 1,
      stdout: '',
      problems: [
        'packages/python/pyproject.toml has version 9.8.0, not 9.8.1.',
        'CHANGELOG.md has no section "## 9.8.1, YYYY-MM-DD".',
      ],
    });
  });

  it('is refused where a file has no version any more', () => {
    write('deploy/helm/agent-osce/Chart.yaml', 'name: agent-osce\n');
    const { status, problems } = releaseVersion(folder, '--agree');
    expect(status).toBe(1);
    expect(problems).toEqual([
      'deploy/helm/agent-osce/Chart.yaml has no version where one is expected (^version: ).',
      'deploy/helm/agent-osce/Chart.yaml has no version where one is expected (^appVersion: ).',
    ]);
  });

  it.each([[['1.2']], [['v1.2.3']], [['--check', '1.2.3']], [['--notes', '../x']], [[]]])('is not %j', (args) => {
    expect(releaseVersion(folder, ...args)).toMatchObject({ status: 1, stdout: '' });
  });
});
