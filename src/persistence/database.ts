import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import type { Log } from '../config/log';
import type { Settings } from '../config/settings';
import { connect } from './connect';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres/embedded-postgres';
import { migrate } from './migrate';
import { sentenceAbout, troubleOf } from './trouble';
import { CommitInDoubt, isConnectionError, isUnavailable } from './unavailable';
import { WriteProbe } from './write-probe';

export { isConnectionError, isUnavailable } from './unavailable';

export interface Queryable {
  /** Rows as the driver reads them: bigint as string, timestamps as Date, json parsed. */
  query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

export interface DatabaseServer {
  readonly host: string;
  readonly port: number;
}

/** Statements of one transaction. Not to be used after the work that was given it has settled. */
export type Transaction = Queryable;

/** Connections beyond the pool's, for an operator's psql and backups. */
const SPARE_CONNECTIONS = 10;
const CLOSE_WITHIN_MS = 5_000;

/** The database of this process, connected and migrated. */
@Injectable()
export class Database implements Queryable, OnApplicationShutdown {
  private closing: Promise<void> | null = null;
  private readonly writeProbe = new WriteProbe((sql) => this.pool.query(sql));

  private constructor(
    /** For TypeORM's repositories; everything else goes through query and transaction. */
    readonly dataSource: DataSource,
    private readonly pool: Pool,
    private readonly embedded: EmbeddedPostgres | null,
    /** Where the server listens, embedded or not. */
    readonly server: DatabaseServer,
    private readonly log: Log,
  ) {}

  /**
   * Starts the embedded server or connects to the one of DATABASE_URL, and migrates.
   * @throws DatabaseStartError with a sentence that says what to do
   */
  static async open(settings: Settings, log: Log): Promise<Database> {
    const poolSize = settings.databasePoolSize;
    const maxConnections = poolSize + SPARE_CONNECTIONS;
    const embedded =
      settings.databaseUrl === null
        ? await startEmbeddedPostgres({ dataDir: settings.dataDir, log, maxConnections })
        : null;
    try {
      const url = settings.databaseUrl ?? embedded?.url ?? '';
      const dataSource = await connect({ url, poolSize, log });
      const database = new Database(dataSource, poolOf(dataSource), embedded, serverOf(url), log);
      await migrate({ url: settings.databaseUrl ?? embedded?.url ?? '', log }).catch(async (error: unknown) => {
        await dataSource.destroy();
        throw error;
      });
      return database;
    } catch (error) {
      await embedded?.stop();
      throw error;
    }
  }

  /** Whether no other process can be writing: the embedded server has only this one client. */
  get exclusive(): boolean {
    return this.embedded !== null;
  }

  async query<Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pool.query(sql, [...params]);
    // The driver cannot know a statement's columns; the caller, who wrote the statement, does.
    return rows as Row[];
  }

  /**
   * Commits what the work wrote, or nothing when it throws.
   * @throws CommitInDoubt when the connection broke during the commit: it may have been done, or may yet be
   */
  async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    // The pool listens on idle connections only; without a listener a broken one would end the process.
    let broken: Error | undefined;
    const onError = (error: Error) => (broken = error);
    client.on('error', onError);
    const tx: Transaction = {
      query: async <Row>(sql: string, params: readonly unknown[] = []) => {
        const { rows } = await client.query(sql, [...params]);
        return rows as Row[];
      },
    };
    try {
      await client.query('BEGIN');
      const result = await work(tx);
      await client.query('COMMIT').catch((error: unknown) => {
        throw isConnectionError(error) ? new CommitInDoubt(error) : error;
      });
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: unknown) => {
        broken ??= failure instanceof Error ? failure : new Error('The rollback failed.', { cause: failure });
      });
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  /** Resolves when the server answers. */
  async ping(): Promise<void> {
    await this.pool.query('SELECT 1');
  }

  /** Resolves when the server answers, and took a write a few seconds ago at most. Ask `explain` about what it rejects with. */
  async probe(): Promise<void> {
    await Promise.all([this.ping(), this.writeProbe.check()]);
  }

  /** Why the server cannot serve now, in a sentence for an operator. */
  explain(error: unknown): string {
    // On a full disk the server may have ended itself, and does not come back before there is room.
    const isDiskFull = this.embedded?.isDiskFull() === true;
    return sentenceAbout(isDiskFull ? 'disk_full' : (troubleOf(error) ?? 'unreachable'));
  }

  isConnectionError(error: unknown): boolean {
    return isConnectionError(error);
  }

  /** Whether the same statement may succeed later: the server is out of reach, stopping, full or read-only. */
  isUnavailable(error: unknown): boolean {
    return isUnavailable(error);
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Closes the connections and stops the embedded server. Idempotent. */
  close(): Promise<void> {
    this.closing ??= this.closeOnce();
    return this.closing;
  }

  private async closeOnce(): Promise<void> {
    const giveUp = new AbortController();
    const closed = this.dataSource.destroy().catch((error: unknown) => {
      this.log.warn('The database connections did not close cleanly', { error });
    });
    // A statement that hangs must not keep the process from ending.
    await Promise.race([closed, sleep(CLOSE_WITHIN_MS, undefined, { signal: giveUp.signal }).catch(() => undefined)]);
    giveUp.abort();
    await this.embedded?.stop();
  }
}

/** As the driver reads the address, with its defaults and what its query part may override. */
function serverOf(url: string): DatabaseServer {
  const { host, port } = new Client({ connectionString: url });
  // A socket in the file system belongs to a server of this machine, which may listen to its port too.
  return { host: host.startsWith('/') ? 'localhost' : host, port };
}

/** TypeORM's own pool, so that all of the process shares one. */
function poolOf({ driver }: DataSource): Pool {
  const pool: unknown = driver instanceof PostgresDriver ? driver.master : null;
  if (!(pool instanceof Pool)) throw new Error('The data source has no PostgreSQL pool.');
  return pool;
}
