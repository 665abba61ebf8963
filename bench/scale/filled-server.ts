import { mkdir } from 'node:fs/promises';
import { Client } from 'pg';
import { createLog } from '../../src/platform/config/log';
import { SERVICE_ROLE, superuserAddress } from '../../src/platform/database/embedded-postgres/server-addresses';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/platform/database/embedded-postgres/embedded-postgres';
import { ServiceProcess } from '../service-process';
import { fill, type Filling } from './fill';
import { playSampleRuns, type SampleSize } from './sample-runs';
import { readTemplate, type Template } from './template';

/** Starts a PostgreSQL of the bench's own in a data folder, as the service starts its embedded one. */
export async function startServer(dataDir: string): Promise<EmbeddedPostgres> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const server = await startEmbeddedPostgres({ dataDir, log: createLog('warn') });
  // Measurements begin after a checkpoint. The service never requests one, and its role may not.
  const superuser = superuserAddress(dataDir, Number(new URL(server.url).port));
  await withClient(superuser, (client) => client.query(`GRANT pg_checkpoint TO ${SERVICE_ROLE}`));
  return server;
}

/** Has the service execute the sample runs on that server, and reads what it stored. */
export async function recordTemplate(url: string, size: SampleSize): Promise<Template> {
  const service = await ServiceProcess.start({ settings: { DATABASE_URL: url } });
  try {
    const runIds = await playSampleRuns(service.client, size);
    return await withClient(url, (client) => readTemplate(client, runIds));
  } finally {
    await service.stop();
  }
}

/** Reports progress, since it takes minutes. */
export async function fillLoudly(url: string, template: Template, filling: Filling): Promise<void> {
  await fill(url, template, filling, (stored) => {
    if (stored % 1_000 === 0) process.stderr.write(`  stored ${stored} of ${filling.runs} runs\n`);
  });
}

export async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
