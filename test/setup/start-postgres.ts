import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { silentLog } from '../../src/platform/config/log';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres/embedded-postgres';
import { migrate } from '../../src/platform/database/migrate';
import { superuserUrl } from './embedded-postgres';
import { databaseUrl, onTestServer } from './test-server';

/**
 * One PostgreSQL server for the whole Jest run, with one migrated database from which each test file copies its own. With
 * TEST_DATABASE_URL (a server where we may create databases) that server is used.
 */
export default async function startPostgres(): Promise<void> {
  const server = process.env['TEST_DATABASE_URL'] ? null : await startServer();
  const adminUrl = process.env['TEST_DATABASE_URL'] ?? server?.adminUrl ?? '';
  const ownerUrl = server?.url ?? adminUrl;
  const template = `osce_template_${randomBytes(6).toString('hex')}`;
  onTestServer.set({ adminUrl, ownerUrl, template, stop: async () => server?.stop() });
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE ${template} OWNER "${new URL(ownerUrl).username}"`);
    await migrate({ url: databaseUrl(ownerUrl, template), log: silentLog });
    // Nobody may connect to it from here on: a connected template cannot be copied.
    await admin.query(`ALTER DATABASE ${template} WITH ALLOW_CONNECTIONS false`);
  } finally {
    await admin.end();
  }
}

async function startServer() {
  const dataDir = await mkdtemp(join(tmpdir(), 'agent-osce-test-'));
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog, durable: false, maxConnections: 200 });
  return {
    url: server.url,
    adminUrl: superuserUrl(dataDir, server.url),
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
