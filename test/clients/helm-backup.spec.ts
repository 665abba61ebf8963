import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { describeWithHelm, rendered } from '../setup/helm';

const ROOT = join(__dirname, '..', '..');
const container = z.object({
  command: z.tuple([z.string(), z.string(), z.string()]),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
});
const cronJob = z.looseObject({
  kind: z.literal('CronJob'),
  spec: z.looseObject({
    jobTemplate: z.looseObject({
      spec: z.looseObject({
        template: z.looseObject({ spec: z.looseObject({ containers: z.tuple([z.looseObject(container.shape)]) }) }),
      }),
    }),
  }),
});

// test/packaging/helm-backup.spec.ts looks at everything around it.
describeWithHelm('the CronJob of the Helm chart', () => {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'osce-helm-backup-'));
    writeFileSync(join(folder, 'DATABASE_URL'), database.url, { mode: 0o440 });
  });
  afterAll(async () => {
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('backs up a database with the built service, and with nothing but what the chart gives it', () => {
    const text = rendered({ image: { repository: 'agent-osce' }, backup: { enabled: true, keep: 2 } });
    const jobs = parseAllDocuments(text).flatMap((document) => cronJob.safeParse(document.toJSON()).data ?? []);
    const [{ command, env }] = z.tuple([cronJob]).parse(jobs)[0].spec.jobTemplate.spec.template.spec.containers;
    const here = (text: string): string =>
      text.replaceAll('/run/secrets/agent-osce', folder).replaceAll('/backups', folder);
    const [shell, flags, script] = command;
    const given = Object.fromEntries(env.map(({ name, value }) => [name, here(value)]));
    // As the image has it: HOST would ask for a key where the service itself starts.
    const image = { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', PORT: '3000', HOST: '0.0.0.0' };
    const { status, stderr } = spawnSync(shell, [flags, here(script)], {
      ...{ cwd: ROOT, env: { ...image, ...given }, encoding: 'utf8', timeout: 120_000 },
    });
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringMatching(/^Backed up [\d,]+ rows of \d+ tables/),
    });
    const [backup, ...others] = readdirSync(folder).filter((name) => name !== 'DATABASE_URL');
    expect(others).toEqual([]);
    expect(gunzipSync(readFileSync(join(folder, String(backup)))).toString()).toContain('agents');
  });
});
