import { Client } from 'pg';

/** A connection of one's own for work that takes as long as it takes; closed afterwards. */
export async function withSession<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({
    connectionString: url,
    application_name: 'agent-osce backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // Without a listener a connection that breaks between two statements would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(
      `SELECT set_config(name, '0', false) FROM pg_settings
       WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_session_timeout',
                      'idle_in_transaction_session_timeout')`,
    );
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
