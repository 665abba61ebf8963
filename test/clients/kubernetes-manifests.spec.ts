import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withCommentedRules } from '../setup/commented-rules';
import { describeWithHelm, EVERYTHING, rendered } from '../setup/helm';

const ROOT = join(__dirname, '..', '..');
const CHECKER = join(ROOT, 'test', 'peers', 'kubernetes');
const BUILT_WITHIN_MS = 600_000;

const manifest = (file: string): string => readFileSync(join(ROOT, 'deploy', 'kubernetes', file), 'utf8');

describe('the manifests for Kubernetes, read into the types of its API', () => {
  const folder = mkdtempSync(join(tmpdir(), 'osce-kubernetes-'));
  const program = join(folder, 'manifests');
  const read = (text: string) => spawnSync(program, { input: text, encoding: 'utf8', timeout: 60_000 });

  beforeAll(() => {
    execFileSync('go', ['build', '-o', program, '.'], { cwd: CHECKER, timeout: BUILT_WITHIN_MS });
  }, BUILT_WITHIN_MS);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('name only fields that these have, each of the right type', () => {
    const service = read(manifest('agent-osce.yaml'));
    expect(service.stderr).toBe('');
    expect(service.stdout.trim().split('\n')).toEqual([
      'ConfigMap/agent-osce',
      'ServiceAccount/agent-osce',
      'Deployment/agent-osce',
      'Service/agent-osce',
      'PodDisruptionBudget/agent-osce',
      'NetworkPolicy/agent-osce',
    ]);
    expect(read(withCommentedRules(manifest('agent-osce.yaml')))).toMatchObject({ status: 0, stdout: service.stdout });
    expect(read(manifest('secret.example.yaml'))).toMatchObject({ status: 0, stdout: 'Secret/agent-osce\n' });
  });

  describeWithHelm('of the Helm chart', () => {
    it.each([
      ['only the image', { image: { repository: 'agent-osce' } }, 6],
      ['everything', EVERYTHING, 11],
    ])('name only fields that these have, with %s', (_, values, documents) => {
      const { status, stdout, stderr } = read(rendered(values));
      expect({ status, stderr, documents: stdout.trim().split('\n').length }).toEqual({
        status: 0,
        stderr: '',
        documents,
      });
    });
  });

  it.each([
    ['a field that does not exist', /replicas: 2/, 'replicaz: 2', 'unknown field "replicaz"'],
    ['a field of the wrong type', /periodSeconds: 2\n/, 'periodSeconds: often\n', 'cannot unmarshal string'],
    ['a field given twice', /maxSkew: 1\n/, 'maxSkew: 1\n          maxSkew: 2\n', 'key "maxSkew" already set'],
    ['a kind that nobody checks', /kind: PodDisruptionBudget/, 'kind: Budget', 'none of the kinds'],
  ])('would be refused for %s', (_, place, mistake, reason) => {
    const text = manifest('agent-osce.yaml');
    expect(text).toMatch(place);
    const { status, stderr } = read(text.replace(place, mistake));
    expect(status).toBe(1);
    expect(stderr).toContain(reason);
  });
});
