import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import type { Log } from '../config/log';
import type { Settings } from '../config/settings';
import { connect } from './connect';
import { Connections, type Queryable, type Transaction } from './connections';
import { createPool } from './data-source';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres/embedded-postgres';
import { migrate } from './migrate';
import { checkSecretsKey } from './encryption/check-secrets-key';
import { sealWith } from './encryption/sealed-entities';
import { Vault } from './encryption/vault';
import { SoundSessions } from './sound-sessions';
import { sentenceAbout, outageOf } from './outage';
import { isConnectionError, isUnavailable } from './unavailable';
import { WriteProbe } from './write-probe';

export { isConnectionError, isUnavailable } from './unavailable';
export type { Queryable, Transaction } from './connections';

/** How the connections of one pool are used now. */
export interface PoolUse {
  readonly pool: 'engine' | 'requests';
  readonly inUse: number;
  readonly idle: number;
  /** Statements for which there is no connection. */
  readonly waiting: number;
  readonly limit: number;
}

export interface DatabaseServer {
  readonly host: string;
  readonly port: number;
}

/** Connections beyond the pool's, for an operator's psql and backups. */
const SPARE_CONNECTIONS = 10;
const CLOSE_WITHIN_MS = 5_000;

/** The engine's part of the connections: beyond a few the one lock of a run makes more of them wait for each other. */
const ENGINE_SHARE = 0.4;
const MOST_OF_THE_ENGINE = 5;

/** The database of this process, connected and migrated. */
@Injectable()
export class Database implements Queryable, OnApplicationShutdown {
  private closing: Promise<void> | null = null;
  private readonly writeProbe = new WriteProbe((sql) => this.engine.query(sql));
  private readonly connections: Connections;
  /**
   * A few connections for what keeps actors alive and writes what they decide: however many clients ask for lists, leases are
   * renewed and turns stored. Only for statements that are short.
   */
  readonly engine: Connections;

  private constructor(
    /** For TypeORM's repositories; everything else goes through query and transaction. */
    readonly dataSource: DataSource,
    private readonly pool: Pool,
    private readonly enginePool: Pool,
    private readonly embedded: EmbeddedPostgres | null,
    /** Opens what a statement reads of sealed columns; the ORM's rows come opened. */
    readonly vault: Vault,
    /** Where the server listens, embedded or not. */
    readonly server: DatabaseServer,
    private readonly log: Log,
  ) {
    this.connections = new Connections(pool);
    this.engine = new Connections(enginePool);
  }

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
      const engineSize = Math.max(1, Math.min(MOST_OF_THE_ENGINE, Math.floor(poolSize * ENGINE_SHARE)));
      const dataSource = await connect({ url, poolSize: poolSize - engineSize, log });
      const onPoolError = (error: Error) => log.warn('An idle database connection broke', { error });
      const enginePool = createPool({ url, poolSize: engineSize, onPoolError });
      const sessions = new SoundSessions();
      for (const pool of [poolOf(dataSource), enginePool]) sessions.watch(pool);
      sessions.watchStatements(dataSource);
      const vault = Vault.of(settings.secretsKeys);
      sealWith(dataSource, vault);
      const database = new Database(dataSource, poolOf(dataSource), enginePool, embedded, vault, serverOf(url), log);
      // Nothing is changed before it is clear that what is there can be read.
      const prepared = checkSecretsKey(dataSource, vault).then(() => migrate({ url, log }));
      await prepared.catch(async (error: unknown) => {
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

  query<Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    return this.connections.query<Row>(sql, params);
  }

  /** As of Connections. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.connections.transaction(work);
  }

  pools(): readonly PoolUse[] {
    return [useOf('engine', this.enginePool), useOf('requests', this.pool)];
  }

  /** Resolves when the server answers. Requests that keep all of their connections busy are no outage of the server's. */
  async ping(): Promise<void> {
    await this.engine.query('SELECT 1');
  }

  /** Resolves when the server answers, and took a write a few seconds ago at most. Ask `explain` about what it rejects with. */
  async probe(): Promise<void> {
    await Promise.all([this.ping(), this.writeProbe.check()]);
  }

  /** Why the server cannot serve now, in a sentence for an operator. */
  explain(error: unknown): string {
    // On a full disk the server may have ended itself, and does not come back before there is room.
    const isDiskFull = this.embedded?.isDiskFull() === true;
    return sentenceAbout(isDiskFull ? 'disk_full' : (outageOf(error) ?? 'unreachable'));
  }

  isConnectionError(error: unknown): boolean {
    return isConnectionError(error);
  }

  /** Whether the same statement may succeed later: the server is out of reach, stopping, full, read-only or busy. */
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
    const closed = Promise.all([this.dataSource.destroy(), this.enginePool.end()]).catch((error: unknown) => {
      this.log.warn('The database connections did not close cleanly', { error });
    });
    // A statement that hangs must not keep the process from ending.
    await Promise.race([closed, sleep(CLOSE_WITHIN_MS, undefined, { signal: giveUp.signal }).catch(() => undefined)]);
    giveUp.abort();
    await this.embedded?.stop();
  }
}

function useOf(pool: PoolUse['pool'], { totalCount, idleCount, waitingCount, options }: Pool): PoolUse {
  // The driver puts each statement in line first, also one that gets an idle connection in the next moment; those that a scrape itself has
  // just sent among them.
  const free = idleCount + options.max - totalCount;
  const waiting = Math.max(0, waitingCount - free);
  return { pool, inUse: totalCount - idleCount, idle: idleCount, waiting, limit: options.max };
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
