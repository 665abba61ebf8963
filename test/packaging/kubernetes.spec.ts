import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { settingsFrom } from '../../src/platform/config/settings';
import { withCommentedRules } from '../setup/commented-rules';

const FOLDER = join(__dirname, '..', '..', 'deploy', 'kubernetes');
/** SIGTERM to exit, as docs/operations.md promises. */
const STOPS_WITHIN_S = 10;

const name = z.literal('agent-osce');
const labels = z.strictObject({ 'app.kubernetes.io/name': name });
const metadata = z.strictObject({ name, labels });
const selector = z.strictObject({ matchLabels: labels });
const secretFolder = '/run/secrets/agent-osce';
const probe = (path: string) =>
  z.object({
    httpGet: z.strictObject({ path: z.literal(path), port: z.literal('http') }),
    periodSeconds: z.int().positive(),
    failureThreshold: z.int().positive(),
  });
const profile = z.strictObject({ type: z.literal('RuntimeDefault') });
const confined = z.strictObject({
  allowPrivilegeEscalation: z.literal(false),
  readOnlyRootFilesystem: z.literal(true),
  runAsNonRoot: z.literal(true),
  capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  seccompProfile: profile,
});
const container = z.object({
  image: z.string().regex(/:\d+\.\d+\.\d+$/, 'an exact version'),
  ports: z.tuple([
    z.strictObject({ name: z.literal('http'), containerPort: z.literal(3000), protocol: z.literal('TCP') }),
  ]),
  envFrom: z.tuple([z.strictObject({ configMapRef: z.strictObject({ name }) })]),
  // No secret in the environment.
  env: z.undefined().optional(),
  // What fails a startup probe is restarted, as by liveness.
  startupProbe: probe('/health/live'),
  livenessProbe: probe('/health/live'),
  readinessProbe: probe('/health/ready'),
  lifecycle: z.strictObject({
    preStop: z.strictObject({
      exec: z.strictObject({ command: z.tuple([z.literal('sleep'), z.string().regex(/^\d+$/)]) }),
    }),
  }),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: z.string(), memory: z.string() }),
    limits: z.strictObject({ memory: z.string() }),
  }),
  securityContext: confined,
  volumeMounts: z.tuple([
    z.strictObject({ name: z.literal('tmp'), mountPath: z.literal('/tmp') }),
    z.strictObject({ name: z.literal('secrets'), mountPath: z.literal(secretFolder), readOnly: z.literal(true) }),
  ]),
});
const pod = z.object({
  automountServiceAccountToken: z.literal(false),
  terminationGracePeriodSeconds: z.int(),
  securityContext: z.looseObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.literal(1000),
    seccompProfile: profile,
  }),
  containers: z.tuple([container]),
  volumes: z.tuple([
    z.strictObject({
      name: z.literal('secrets'),
      secret: z.strictObject({ secretName: name, defaultMode: z.literal(0o440) }),
    }),
    z.looseObject({ name: z.literal('tmp') }),
  ]),
});

const configMap = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ConfigMap'),
  metadata,
  data: z.record(z.string(), z.string()),
});
const deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata,
  spec: z.strictObject({
    replicas: z.int().min(2),
    strategy: z.looseObject({
      rollingUpdate: z.strictObject({ maxSurge: z.literal(1), maxUnavailable: z.literal(0) }),
    }),
    selector,
    template: z.strictObject({ metadata: z.strictObject({ labels }), spec: pod }),
  }),
});
const service = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata,
  spec: z.looseObject({ selector: labels, ports: z.tuple([z.looseObject({ targetPort: z.literal('http') })]) }),
});
const budget = z.strictObject({
  apiVersion: z.literal('policy/v1'),
  kind: z.literal('PodDisruptionBudget'),
  metadata,
  spec: z.strictObject({ minAvailable: z.literal(1), selector }),
});
const namespace = z.strictObject({ matchLabels: z.strictObject({ 'kubernetes.io/metadata.name': z.string() }) });
const peer = z.union([
  z.strictObject({ podSelector: z.strictObject({}) }),
  z.strictObject({ namespaceSelector: namespace }),
  z.strictObject({ ipBlock: z.strictObject({ cidr: z.string(), except: z.array(z.string()).optional() }) }),
]);
const port = z.strictObject({ protocol: z.enum(['TCP', 'UDP']), port: z.union([z.literal('http'), z.int()]) });
const policy = z.strictObject({
  apiVersion: z.literal('networking.k8s.io/v1'),
  kind: z.literal('NetworkPolicy'),
  metadata,
  spec: z.looseObject({
    podSelector: selector,
    policyTypes: z.tuple([z.literal('Ingress'), z.literal('Egress')]),
    ingress: z.tuple([z.strictObject({ from: z.array(peer), ports: z.tuple([port]) })]),
    egress: z.array(z.strictObject({ to: z.array(peer), ports: z.array(port).optional() })),
  }),
});
const secret = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Secret'),
  metadata,
  type: z.literal('Opaque'),
  stringData: z.record(z.string(), z.string()),
});
const account = z.looseObject({ kind: z.literal('ServiceAccount'), automountServiceAccountToken: z.literal(false) });

/** The documents of a file. @throws the first mistake of its YAML, a repeated key among them */
function documentsOf(file: string, change = (text: string): string => text): unknown[] {
  return parseAllDocuments(change(readFileSync(join(FOLDER, file), 'utf8'))).map((document) => {
    for (const error of document.errors) throw error;
    return document.toJSON();
  });
}

describe('the Kubernetes manifests', () => {
  const parts = z.tuple([configMap, account, deployment, service, budget, policy]);
  const [config, , { spec }] = parts.parse(documentsOf('agent-osce.yaml'));
  const { stringData } = z.tuple([secret]).parse(documentsOf('secret.example.yaml'))[0];
  const [{ lifecycle }] = spec.template.spec.containers;

  const files = Object.entries(config.data).filter(([variable]) => variable.endsWith('_FILE'));

  it('take every secret from a file of the Secret, of which the example has what the service does not start without', () => {
    for (const [variable, path] of files) {
      expect({ variable, folder: dirname(path) }).toEqual({ variable: `${basename(path)}_FILE`, folder: secretFolder });
    }
    expect(Object.keys(stringData)).toEqual(['DATABASE_URL', 'NATS_URL', 'SERVICE_API_KEY']);
    expect(files.map(([, path]) => basename(path))).toEqual(Object.keys(stringData));
  });

  it('make settings that the service understands', () => {
    const mounted = mkdtempSync(join(tmpdir(), 'agent-osce-secret-'));
    try {
      for (const [key, value] of Object.entries(stringData)) writeFileSync(join(mounted, key), value);
      const there = files.map(([variable, path]) => [variable, join(mounted, basename(path))]);
      const read = () => settingsFrom({ ...config.data, ...Object.fromEntries(there) });
      // A placeholder is no key.
      expect(read).toThrow('SERVICE_API_KEY: key 1 is shorter than 24 characters');
      writeFileSync(join(mounted, 'SERVICE_API_KEY'), 'k'.repeat(24));
      const settings = read();
      expect(settings).toMatchObject({ host: '0.0.0.0', port: 3000, maskCredentials: true });
      expect(settings.targets.mode).toBe('public');
      expect(settings.natsUrl).toContain('@nats:4222');
      expect(settings.serviceKeys).toMatchObject([{ role: 'admin' }]);
    } finally {
      rmSync(mounted, { recursive: true });
    }
    // Nothing that is set is left unread.
    const plain = Object.keys(config.data).filter((variable) => !variable.endsWith('_FILE'));
    expect(plain.sort()).toEqual(['HOST', 'LOG_LEVEL', 'MASK_CREDENTIALS', 'PORT', 'TARGETS']);
  });

  it('have rules at hand, as comments, for who scrapes, for a collector and for a name server on each node', () => {
    const { spec: now } = policy.parse(documentsOf('agent-osce.yaml').at(-1));
    const { spec: whole } = policy.parse(documentsOf('agent-osce.yaml', withCommentedRules).at(-1));
    const namespaces = whole.ingress[0].from.flatMap((from) =>
      'namespaceSelector' in from ? Object.values(from.namespaceSelector.matchLabels) : [],
    );
    expect(namespaces).toEqual(['ingress-nginx', 'monitoring']);
    const added = whole.egress.filter((rule) => !now.egress.some((known) => isDeepStrictEqual(known, rule)));
    expect(added.map(({ ports = [] }) => ports.map(({ port: number }) => number))).toEqual([
      [53, 53],
      [4318, 4317],
    ]);
  });

  it('give a process the time it takes to stop', () => {
    const waits = Number(lifecycle.preStop.exec.command[1]);
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(waits + STOPS_WITHIN_S + 5);
  });
});
