import { createLog } from '../../src/platform/config/log';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres/embedded-postgres';

/**
 * A process that owns an embedded PostgreSQL until it is killed, told to exit or told to stop: prints one JSON line with the
 * `url`, or with the `error` when the start fails.
 * Usage: node -r register-typescript.cjs own-database.ts DATA_DIR
 */
async function main(dataDir: string): Promise<void> {
  try {
    const log = createLog('info', { write: (line) => process.stderr.write(line) });
    const server = await startEmbeddedPostgres({ dataDir, log });
    process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
    process.stdin.on('data', (command) => {
      if (command.toString().trim() === 'exit') process.exit(0);
      void server.stop().then(() => process.stdin.destroy());
    });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error('unknown');
    process.stdout.write(`${JSON.stringify({ error: message, name })}\n`);
  }
}

void main(process.argv[2] ?? '');
