import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, '.github', 'workflows');
const ACTIONLINT = join(ROOT, 'artifacts', 'bin', 'actionlint');
const LONGEST_MINUTES = 120;

const step = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
});
const job = z.looseObject({
  needs: z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([]),
  permissions: z.record(z.string(), z.enum(['read', 'write', 'none'])),
  'timeout-minutes': z.number().int().min(1).max(LONGEST_MINUTES),
  environment: z.string().optional(),
  steps: z.array(step),
});
const workflow = z.looseObject({
  on: z.record(z.string(), z.unknown()),
  permissions: z.strictObject({}),
  jobs: z.record(z.string(), job),
});
type Job = z.infer<typeof job>;

const FILES = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));
const jobsIn = (text: string): [string, Job][] => Object.entries(workflow.parse(parse(text)).jobs);
const release = workflow.parse(parse(readFileSync(join(FOLDER, 'release.yml'), 'utf8')));

describe.each(FILES)('$name', ({ text }) => {
  it('gives no permission to all jobs, and each job its own permissions and a time limit', () => {
    expect(workflow.safeParse(parse(text)).error?.issues).toBeUndefined();
  });

  it('is started by nobody outside with rights of the repository', () => {
    const started = Object.keys(workflow.parse(parse(text)).on);
    expect(started).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(pull_request_target|workflow_run|issue)/)]),
    );
  });

  it('puts nothing into a script but by variables: a name of a branch is not read by the shell', () => {
    const scripts = jobsIn(text).flatMap(([, { steps }]) => steps.flatMap(({ run }) => run ?? []));
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });

  it('uses actions by their commit, and says which version that is', () => {
    const used = [...text.matchAll(/uses: (.*)$/gm)].map(([, action = '']) => action);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/^[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
    expect(new Set(used.map((action) => action.split(' ')[0])).size).toBe(new Set(used).size);
  });

  it('leaves no token behind in the checkout, and knows no secret but the token of the job', () => {
    const checkouts = jobsIn(text).flatMap(([, { steps }]) =>
      steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')),
    );
    for (const checkout of checkouts) expect(checkout.with).toMatchObject({ 'persist-credentials': false });
    const secrets = [...text.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name);
    expect(secrets.filter((name) => name !== 'GITHUB_TOKEN')).toEqual([]);
  });
});

describe('release.yml', () => {
  const jobs = Object.entries(release.jobs);
  const writing = jobs.filter(([, { permissions }]) => Object.values(permissions).includes('write'));
  const before = (name: string): string[] => {
    const needs = release.jobs[name]?.needs ?? [];
    return [...needs, ...needs.flatMap(before)];
  };

  it('begins with a tag of a version, and with nothing else', () => {
    expect(release.on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } });
  });

  it('publishes nothing that the tests have not passed', () => {
    expect(writing.map(([name]) => name).sort()).toEqual(['chart', 'image', 'npm', 'python', 'release']);
    for (const [name] of writing) expect(before(name)).toContain('verify');
    expect(before('release')).toEqual(expect.arrayContaining(['image', 'chart', 'npm', 'python']));
    const scripts = release.jobs['verify']?.steps.map(({ run }) => run ?? '').join('\n');
    expect(scripts).toContain('.ci/run');
    expect(scripts).toContain('release-version.mjs --check "$GITHUB_REF_NAME"');
  });

  it.each([
    ['npm', { 'id-token': 'write' }, 'npm'],
    ['python', { 'id-token': 'write' }, 'pypi'],
    ['chart', { packages: 'write', 'id-token': 'write' }, undefined],
    ['image', { contents: 'read', packages: 'write', 'id-token': 'write' }, undefined],
    ['release', { contents: 'write', 'id-token': 'write' }, undefined],
  ])('%s may do what it does and no more', (name, permissions, environment) => {
    expect(release.jobs[name]?.permissions).toEqual(permissions);
    expect(release.jobs[name]?.environment).toBe(environment);
  });

  it('runs nothing of the repository and installs nothing where it may publish, but for what is built in containers', () => {
    const others = writing.filter(([name]) => name !== 'image').flatMap(([, { steps }]) => steps);
    expect(others.filter(({ uses }) => uses?.startsWith('actions/checkout@'))).toEqual([]);
    const scripts = writing.flatMap(([, { steps }]) => steps.flatMap(({ run }) => run ?? []));
    expect(scripts.filter((script) => /\b(npm (ci|install|run)|npx|pip|curl|wget)\b/.test(script))).toEqual([]);
    for (const [name, { steps }] of writing.filter(([name]) => name !== 'image')) {
      const checked = steps.some(({ run }) => run?.includes('sha256sum --check SHA256SUMS'));
      expect({ name, checked }).toEqual({ name, checked: true });
    }
  });

  it('signs what it pushes by digest, and pushes both architectures with their contents and their origin', () => {
    const scripts = writing.flatMap(([, { steps }]) => steps.flatMap(({ run }) => run ?? [])).join('\n');
    const signed = [...scripts.matchAll(/cosign sign --yes (.*)$/gm)].map(([, what]) => what);
    expect(signed).toEqual(['"$IMAGE@$DIGEST"', '"$charts/agent-osce@${digest:?}"']);
    const pushing = release.jobs['image']?.steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'));
    expect(pushing?.with).toMatchObject({
      ...{ platforms: 'linux/amd64,linux/arm64', push: true, sbom: true, provenance: 'mode=max' },
    });
  });
});

// Like Helm: CI has it, and elsewhere scripts/install-test-servers.sh says how.
(existsSync(ACTIONLINT) || process.env['CI'] === 'true' ? describe : describe.skip)('actionlint', () => {
  it('finds nothing', () => {
    // Of what is on the machine beside it, nothing decides.
    const { status, stdout, stderr } = spawnSync(ACTIONLINT, ['-no-color', '-shellcheck=', '-pyflakes='], {
      cwd: ROOT,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
