import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { describeWithHelm, EVERYTHING, rendered, type Values } from '../setup/helm';

const labels = z.record(z.string(), z.string());
const named = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) });
const pod = z.looseObject({
  automountServiceAccountToken: z.boolean(),
  containers: z.tuple([
    z.looseObject({ command: z.tuple([z.string(), z.string(), z.string()]), env: z.array(z.unknown()) }),
  ]),
  volumes: z.array(z.looseObject({ name: z.string() })),
});
const cronJob = z.looseObject({
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    concurrencyPolicy: z.string(),
    jobTemplate: z.object({
      metadata: z.unknown(),
      spec: z.looseObject({ template: z.object({ metadata: z.object({ labels }), spec: pod }) }),
    }),
  }),
});

const manifests = (values: Values, release?: string) =>
  parseAllDocuments(rendered(values, release)).map((document) => named.parse(document.toJSON()));
const jobIn = (values: Values, release?: string) =>
  cronJob.parse(manifests(values, release).find(({ kind }) => kind === 'CronJob'));
const backing = (backup: Values, values: Values = {}): Values => ({
  image: { repository: 'agent-osce' },
  ...values,
  backup: { enabled: true, ...backup },
});

describeWithHelm('backups of the Helm chart', () => {
  it('are made only where they are asked for', () => {
    expect(manifests({ image: { repository: 'agent-osce' } }).map(({ kind }) => kind)).not.toContain('CronJob');
    expect(jobIn(backing({})).spec).toMatchObject({ schedule: '17 3 * * *', concurrencyPolicy: 'Forbid' });
  });

  it('are made by pods that are none of the service, with the image of the service and one of its secrets', () => {
    const { template } = jobIn(EVERYTHING).spec.jobTemplate.spec;
    const service = manifests(EVERYTHING).find(({ kind }) => kind === 'Service');
    const { selector } = z.object({ spec: z.looseObject({ selector: labels }) }).parse(service).spec;
    expect(template.metadata.labels).not.toMatchObject(selector);
    expect(template.spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true },
      containers: [{ image: 'registry.example.org/osce:9.8.7', securityContext: { readOnlyRootFilesystem: true } }],
    });
    expect(template.spec.volumes.find(({ name }) => name === 'secrets')).toMatchObject({
      secret: { secretName: 'osce-keys', items: [{ key: 'DATABASE_URL', path: 'DATABASE_URL' }] },
    });
    expect(template.spec.containers[0].env).toContainEqual({
      name: 'NODE_EXTRA_CA_CERTS',
      value: '/etc/agent-osce/certificates/ca.pem',
    });
  });

  it('speak to PostgreSQL and names servers, and nothing speaks to them', () => {
    const policy = manifests(EVERYTHING).find(
      ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'agent-osce-backup',
    );
    expect(policy).toMatchObject({
      spec: {
        podSelector: { matchLabels: { 'app.kubernetes.io/name': 'agent-osce-backup' } },
        policyTypes: ['Ingress', 'Egress'],
        egress: [{}, { to: [{ ipBlock: { cidr: '10.1.2.3/32' } }] }],
      },
    });
    expect(policy).not.toHaveProperty('spec.ingress');
  });

  it.each([
    ['a claim that stays when the release goes', {}, { persistentVolumeClaim: { claimName: 'agent-osce-backups' } }, 1],
    ['a claim of yours', { existingClaim: 'mine' }, { persistentVolumeClaim: { claimName: 'mine' } }, 0],
    ['any volume', { volume: { nfs: { server: 'nas', path: '/o' } } }, { nfs: { server: 'nas', path: '/o' } }, 0],
  ])('go to %s', (_, backup, volume, made) => {
    const { volumes } = jobIn(backing(backup)).spec.jobTemplate.spec.template.spec;
    expect(volumes.find(({ name }) => name === 'backups')).toEqual({ name: 'backups', ...volume });
    const claims = manifests(backing(backup)).filter(({ kind }) => kind === 'PersistentVolumeClaim');
    expect(claims).toHaveLength(made);
    for (const claim of claims) {
      expect(claim.metadata).toMatchObject({ annotations: { 'helm.sh/resource-policy': 'keep' } });
    }
  });

  it('have a name that leaves room for what Kubernetes adds', () => {
    expect(jobIn(backing({}), 'r'.repeat(53)).metadata.name.length).toBeLessThanOrEqual(52);
  });

  describe('the script of a backup', () => {
    let folder: string;
    let backups: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'osce-backups-'));
      backups = join(folder, 'backups');
      mkdirSync(backups);
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    /** Runs it with a program in place of node that writes the file it is told to, or fails, and answers what is there then. */
    function after(
      before: readonly string[],
      node: string,
    ): { readonly status: number | null; readonly files: string[] } {
      for (const file of before) writeFileSync(join(backups, file), '');
      writeFileSync(join(folder, 'node'), `#!/bin/sh\n${node}\n`);
      chmodSync(join(folder, 'node'), 0o700);
      const [shell, flags, script] = jobIn(backing({})).spec.jobTemplate.spec.template.spec.containers[0].command;
      const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, KEEP: '2' };
      const { status } = spawnSync(shell, [flags, script.replaceAll('/backups', backups)], { env, timeout: 60_000 });
      return { status, files: readdirSync(backups).sort() };
    }
    const OLD = ['osce-20260101T031700Z.backup', 'osce-20260102T031700Z.backup', 'osce-20260103T031700Z.backup'];

    it('keeps the newest and what is not its own, and removes what a killed one left', () => {
      const { status, files } = after(
        [...OLD, 'osce-20260103T031700Z.backup.0a1b2c3d.part', 'before-upgrade.backup'],
        'touch "$3"',
      );
      expect(status).toBe(0);
      expect(files).toEqual(['before-upgrade.backup', OLD[2], expect.stringMatching(/^osce-2\d{7}T\d{6}Z\.backup$/)]);
    });

    it('removes nothing when there is no new one', () => {
      expect(after(OLD, 'exit 2')).toEqual({ status: 2, files: OLD });
    });
  });
});
