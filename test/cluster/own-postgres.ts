import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/platform/config/log';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres/embedded-postgres';
import { serverPid } from '../setup/embedded-postgres';
import type { ClusterDatabase } from './cluster';

/** A durable PostgreSQL server of one's own that is started again when it has crashed. */
export async function startOwnPostgres(): Promise<Required<ClusterDatabase>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'osce-cluster-'));
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog });
  return {
    url: server.url,
    crash: () => void process.kill(serverPid(dataDir), 'SIGQUIT'),
    drop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
