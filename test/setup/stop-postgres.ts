import { Client } from 'pg';
import { onTestServer } from './test-server';

export default async function stopPostgres(): Promise<void> {
  const { adminUrl, template, stop } = onTestServer.get();
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(`DROP DATABASE ${template} WITH (FORCE)`);
  } finally {
    await admin.end();
  }
  await stop();
}
