import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const ROOT = join(__dirname, '..', '..');
export const CHART = join(ROOT, 'deploy', 'helm', 'agent-osce');
const INSTALLED = join(ROOT, 'artifacts', 'bin', 'helm');
// One that Go built takes itself to speak to a far older Kubernetes.
const KUBERNETES = ['--kube-version', '1.25.0'];

/** Helm, which scripts/install-test-servers.sh installs; null where it is missing, except in CI, where that is a failure. */
const HELM: string | null = existsSync(INSTALLED) || process.env['CI'] === 'true' ? INSTALLED : null;

/** Tests that need it; in CI none of them is left out. */
export function describeWithHelm(name: string, tests: () => void): void {
  // Jest's functions are those of the file that is being run, and this module serves several files.
  (HELM === null ? describe.skip : describe)(name, tests);
}

/** What a person gives in a file of values. */
export type Values = Readonly<Record<string, unknown>>;

/** How Helm ended, and what it said. */
interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of Helm on the chart, with these values as JSON, which is YAML. */
export function helm(command: readonly string[], values: Values): Ended {
  const { status, stdout, stderr, error } = spawnSync(HELM ?? INSTALLED, [...command, ...KUBERNETES, '--values', '-'], {
    input: JSON.stringify(values),
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

/** The manifests that the release `agent-osce` of the chart is made of. @throws what Helm refuses */
export function rendered(values: Values, release = 'agent-osce'): string {
  const { status, stdout, stderr } = helm(['template', release, CHART], values);
  if (status !== 0) throw new Error(z.string().min(1).parse(stderr));
  return stdout;
}

/** Values with which everything is made that the chart can make. */
export const EVERYTHING: Values = {
  image: { repository: 'registry.example.org/osce', tag: '9.8.7', pullSecrets: ['registry'] },
  autoscaling: { enabled: true, maxReplicas: 4 },
  secret: {
    name: 'osce-keys',
    keys: ['DATABASE_URL', 'NATS_URL', 'SERVICE_API_KEY', 'METRICS_TOKEN', 'HTTPS_PROXY'],
  },
  settings: { NO_PROXY: '.example.org', PUBLIC_URL: 'https://osce.example.org' },
  extraCertificates: { configMap: 'authorities' },
  service: { annotations: { 'example.org/kept': 'yes' } },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'osce.example.org',
    tlsSecret: 'osce-tls',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-buffering': 'off' },
  },
  networkPolicy: {
    fromNamespaces: ['ingress-nginx', 'monitoring'],
    servers: [{ ipBlock: { cidr: '10.1.2.3/32' } }],
    serverPorts: [5433, 4222],
    extraEgress: [{ to: [{ ipBlock: { cidr: '10.9.9.9/32' } }], ports: [{ protocol: 'TCP', port: 3128 }] }],
  },
  backup: { enabled: true, keep: 3, storageClassName: 'fast' },
  podAnnotations: { 'example.org/team': 'quality' },
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'spot', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
};
