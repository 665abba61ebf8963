import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { silentLog } from '../../src/platform/config/log';
import { DatabaseStartError } from '../../src/platform/database/unavailable';
import { readPassword, SUPERUSER } from '../../src/platform/database/embedded-postgres/cluster';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/platform/database/embedded-postgres/embedded-postgres';

export const isRoot = process.getuid?.() === 0;

/** Data folders, servers and processes of one test; everything goes when it ends. */
export class EmbeddedFixture {
  private readonly cleanups: (() => unknown)[] = [];

  /** A new folder under the system's temporary one, closed to other users. */
  newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'osce embedded ü '));
    this.atEnd(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }

  async start(dataDir: string): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ dataDir, log: silentLog });
    this.atEnd(() => server.stop());
    return server;
  }

  /** The message of the DatabaseStartError that a start ends with. */
  async refusal(dataDir: string): Promise<string> {
    try {
      await this.start(dataDir);
    } catch (error) {
      if (error instanceof DatabaseStartError) return error.message;
      throw error;
    }
    throw new Error('It started.');
  }

  /** Another process that owns the database in the folder, or says why it cannot. */
  async startOwner(dataDir: string, options: SpawnOptions = {}): Promise<Owner> {
    const script = ['-r', join(__dirname, 'register-typescript.cjs'), join(__dirname, 'own-database.ts'), dataDir];
    const child = spawn(process.execPath, script, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
    this.atEnd(() => {
      child.kill('SIGKILL');
      endServer(dataDir);
    });
    if (child.stdout === null) throw new Error('The process has no output.');
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    return { child, answer: JSON.parse(line) as Owner['answer'] };
  }

  atEnd(cleanup: () => unknown): void {
    this.cleanups.push(cleanup);
  }

  async close(): Promise<void> {
    for (const cleanup of this.cleanups.splice(0).reverse()) await cleanup();
  }
}

export interface Owner {
  readonly child: ChildProcess;
  readonly answer: { readonly url?: string; readonly error?: string; readonly name?: string };
}

/** Runs one statement on a connection of its own. */
export async function query<Row>(url: string | undefined, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

export const pidFile = (dataDir: string): string => join(dataDir, 'postgres', 'postmaster.pid');
export const serverPid = (dataDir: string): number => Number.parseInt(readFileSync(pidFile(dataDir), 'utf8'), 10);

export function isRunning(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Where the kernel does not end the server of a killed owner, the test does. */
function endServer(dataDir: string): void {
  try {
    process.kill(serverPid(dataDir), 'SIGQUIT');
  } catch {
    // It has ended, as it should.
  }
}

/** The address of the same server for its superuser, as whom the service itself does not connect. */
export function superuserUrl(dataDir: string, url: string): string {
  const address = new URL(url);
  address.username = SUPERUSER;
  address.password = readPassword(dataDir);
  return address.toString();
}
