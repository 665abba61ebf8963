import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { environment, SECRET } from '../../src/platform/config/environment';
import { CHART, describeWithHelm, EVERYTHING, helm, rendered, type Values } from '../setup/helm';

const ROOT = join(__dirname, '..', '..');
const IMAGE = { repository: 'agent-osce' };
/** What Helm wants to find on every object, and what makes pods anew when settings change. */
const OF_HELM = [
  'app.kubernetes.io/instance',
  'app.kubernetes.io/version',
  'app.kubernetes.io/managed-by',
  'helm.sh/chart',
  'checksum/settings',
];

const named = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) });
type Manifest = z.infer<typeof named>;

function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    for (const error of document.errors) throw error;
    return named.parse(document.toJSON());
  });
}

const of = (kind: string, values: Values, release?: string): Manifest | undefined =>
  manifestsIn(rendered(values, release)).find((manifest) => manifest.kind === kind);

/** By kind, without what only Helm needs. */
function compared(manifests: readonly Manifest[]): Record<string, unknown> {
  const withoutHelm = (_: string, value: unknown): unknown => {
    const record = z.record(z.string(), z.unknown()).safeParse(value);
    if (!record.success || Array.isArray(value)) return value;
    const kept = Object.entries(record.data).filter(([name]) => !OF_HELM.includes(name));
    return Object.fromEntries(kept.filter(([name, inner]) => name !== 'annotations' || !isOnlyHelms(inner)));
  };
  return Object.fromEntries(
    manifests.map((one) => [one.kind, JSON.parse(JSON.stringify(one, withoutHelm)) as unknown]),
  );
}

const isOnlyHelms = (annotations: unknown): boolean =>
  Object.keys(z.record(z.string(), z.unknown()).parse(annotations)).every((name) => OF_HELM.includes(name));

describeWithHelm('the Helm chart', () => {
  it('makes what the manifests for Kubernetes say, when only the image is named', () => {
    const manifests = manifestsIn(readFileSync(join(ROOT, 'deploy', 'kubernetes', 'agent-osce.yaml'), 'utf8'));
    expect(compared(manifestsIn(rendered({ image: IMAGE })))).toEqual(compared(manifests));
  });

  it.each([
    ['only the image', { image: IMAGE }],
    ['everything', EVERYTHING],
  ])('passes the strict lint with %s', (_, values) => {
    expect(helm(['lint', '--strict', CHART], values)).toMatchObject({ status: 0 });
  });

  it('knows which settings are secrets, and names only settings of this version', () => {
    const secrets = /define "osce\.secrets" -\}\}\n(.*)\n/.exec(
      readFileSync(join(CHART, 'templates', '_checks.tpl'), 'utf8'),
    );
    expect(new Set(secrets?.[1]?.split(' '))).toEqual(SECRET);
    const values = z
      .object({ settings: z.record(z.string(), z.string()), secret: z.object({ keys: z.array(z.string()) }) })
      .parse(parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')));
    const settings = Object.keys(environment.shape);
    expect(settings).toEqual(expect.arrayContaining([...Object.keys(values.settings), ...values.secret.keys]));
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
    expect(parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'))).toMatchObject({ version, appVersion: version });
  });

  it('makes nothing that holds the value of a secret, with everything on', () => {
    const manifests = manifestsIn(rendered(EVERYTHING));
    expect(manifests.map(({ kind }) => kind).sort()).toEqual([
      'ConfigMap',
      'CronJob',
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'NetworkPolicy',
      'NetworkPolicy',
      'PersistentVolumeClaim',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ]);
    const config = manifests.find(({ kind }) => kind === 'ConfigMap');
    expect(config).toMatchObject({
      data: {
        HTTPS_PROXY_FILE: '/run/secrets/agent-osce/HTTPS_PROXY',
        NODE_EXTRA_CA_CERTS: '/etc/agent-osce/certificates/ca.pem',
        NO_PROXY: '.example.org',
      },
    });
    expect(Object.keys(z.record(z.string(), z.string()).parse(config?.['data']))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(new RegExp(`^(${[...SECRET].join('|')})$`))]),
    );
  });

  it('never runs two processes without NATS, not even for as long as an update takes', () => {
    const alone = { image: IMAGE, replicas: 1, secret: { keys: ['DATABASE_URL', 'SERVICE_API_KEY'] } };
    expect(of('Deployment', alone)).toMatchObject({ spec: { replicas: 1, strategy: { type: 'Recreate' } } });
    // It would keep a node from being drained for ever.
    expect(of('PodDisruptionBudget', alone)).toBeUndefined();
  });

  it('leaves the number of processes to the autoscaler where there is one', () => {
    expect(of('Deployment', EVERYTHING)).not.toHaveProperty('spec.replicas');
    expect(of('HorizontalPodAutoscaler', EVERYTHING)).toMatchObject({ spec: { minReplicas: 2, maxReplicas: 4 } });
  });

  it('has Prometheus scrape with the token of the Secret', () => {
    const values = { ...EVERYTHING, serviceMonitor: { enabled: true } };
    expect(of('ServiceMonitor', values)).toMatchObject({
      spec: { endpoints: [{ authorization: { credentials: { name: 'osce-keys', key: 'METRICS_TOKEN' } } }] },
    });
  });

  it('keeps two releases of one namespace apart', () => {
    const [one, two] = ['one', 'two'].map((release) => of('Deployment', { image: IMAGE }, release));
    expect(one?.metadata.name).toBe('one-agent-osce');
    expect(one).toMatchObject({ spec: { selector: { matchLabels: { 'app.kubernetes.io/instance': 'one' } } } });
    expect(two).toMatchObject({ spec: { selector: { matchLabels: { 'app.kubernetes.io/instance': 'two' } } } });
  });

  it('makes new pods when a setting changes', () => {
    const sum = (values: Values) =>
      z
        .object({ spec: z.object({ template: z.object({ metadata: z.object({ annotations: z.unknown() }) }) }) })
        .parse(of('Deployment', values)).spec.template.metadata.annotations;
    expect(sum({ image: IMAGE, settings: { LOG_LEVEL: 'warn' } })).not.toEqual(sum({ image: IMAGE }));
  });

  const keys = (...names: string[]) => ({ secret: { keys: ['DATABASE_URL', 'SERVICE_API_KEY', ...names] } });
  it.each<[string, Values, string]>([
    ['no image', { image: {} }, 'image.repository is not set: no public registry has the image.'],
    ['two processes without NATS', keys(), 'secret.keys lacks NATS_URL: several processes are one service only over'],
    [
      'an autoscaler without NATS',
      { ...keys(), replicas: 1, autoscaling: { enabled: true } },
      'secret.keys lacks NATS_URL',
    ],
    ['no PostgreSQL', { secret: { keys: ['SERVICE_API_KEY'] } }, 'secret.keys lacks DATABASE_URL'],
    ['a key that is no secret', keys('NATS_URL', 'TARGETS'), 'secret.keys has TARGETS, which is no setting that is'],
    [
      'a secret in the open',
      { settings: { OPENAI_API_KEY: 'sk-1' } },
      'settings.OPENAI_API_KEY is a secret, which a ConfigMap would show',
    ],
    ['a file of its own', { settings: { SECRETS_KEY_FILE: '/x' } }, 'settings.SECRETS_KEY_FILE is a secret'],
    ['a port', { settings: { PORT: '1' } }, 'settings.PORT is decided by the chart'],
    ['certificates by path', { settings: { NODE_EXTRA_CA_CERTS: '/x' } }, 'extraCertificates.configMap'],
    ['an ingress without TLS', { ingress: { enabled: true, host: 'a.example' } }, 'ingress.enabled needs ingress.host'],
    ['an open /metrics', { serviceMonitor: { enabled: true } }, 'serviceMonitor.enabled needs METRICS_TOKEN'],
    [
      'bounds the wrong way round',
      { autoscaling: { enabled: true, minReplicas: 9 } },
      'autoscaling.minReplicas is greater than',
    ],
    ['a load without measure', { autoscaling: { enabled: true }, resources: { requests: null } }, 'requests.cpu'],
    [
      'two places for backups',
      { backup: { enabled: true, existingClaim: 'a', volume: { nfs: { server: 'b', path: '/' } } } },
      'name one place for the backups',
    ],
    ['backups that go with their pod', { backup: { enabled: true, volume: { emptyDir: {} } } }, 'removed with its pod'],
    ['backups of which none is kept', { backup: { enabled: true, keep: 0 } }, "at '/backup/keep': minimum: got 0"],
    ['a misspelt value', { replica: 3 }, "additional properties 'replica' not allowed"],
    ['no process', { replicas: 0 }, "at '/replicas': minimum: got 0, want 1"],
    ['a number for a setting', { settings: { AUDIT_DAYS: 30 } }, "at '/settings/AUDIT_DAYS': got number, want string"],
  ])('refuses %s with a sentence', (_, values, sentence) => {
    expect(() => rendered({ image: IMAGE, ...values })).toThrow(sentence);
  });
});
