import { Client } from 'pg';

/** After so long without a sign of life the other end of a connection is asked for one; ten seconds later the connection is given up. */
const SIGN_OF_LIFE_AFTER_MS = 30_000;

/** A connection for work of any length, closed afterwards. It is broken off, whatever it waits for, when the signal is aborted. */
export async function withSession<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted();
  const client = new Client({
    connectionString: url,
    application_name: 'agent-osce backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: SIGN_OF_LIFE_AFTER_MS,
  });
  // Without a listener a connection that breaks between two statements would end the process.
  client.on('error', () => undefined);
  const unlink = breakOffWhen(client, signal);
  try {
    await client.connect();
    await client.query(
      `SELECT set_config(name, '0', false) FROM pg_settings
       WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_session_timeout',
                      'idle_in_transaction_session_timeout')`,
    );
    return await work(client);
  } finally {
    unlink();
    await client.end().catch(() => undefined);
  }
}

/** Closes the connection, also under a statement, when the signal is aborted. Answers the function that stops this. */
export function breakOffWhen(client: Client, signal: AbortSignal | undefined): () => void {
  const breakOff = (): void => void client.end().catch(() => undefined);
  signal?.addEventListener('abort', breakOff, { once: true });
  return () => signal?.removeEventListener('abort', breakOff);
}
