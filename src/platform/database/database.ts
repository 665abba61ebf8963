import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Client, Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import type { Log } from '../config/log';
import type { Settings } from '../config/settings';
import { connect, createPool } from './data-source';
import { Connections, type Queryable, type Transaction } from './connections';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres/embedded-postgres';
import { checkSecretsKey } from './encryption/check-secrets-key';
import { sealWith } from './encryption/sealed-columns';
import { Vault } from './encryption/vault';
import { migrate } from './migrate';
import { sentenceAbout, outageOf } from './postgres-errors';
import { isConnectionError, isUnavailable } from './unavailable';

/** SQLSTATE: the server takes no writes. */
const READ_ONLY = '25006';

/**
 * Keeps in the pools only sessions that the next user can work with. The driver's pool forgets one whose connection broke, or
 * whose single statement failed; the ORM gives all of them back as sound ones. These go too:
 *
 * - Those in the middle of a transaction, or of a statement that no caller waits for any more, as when the network stood still
 *   for longer than we wait: what the next user writes would be part of a transaction that is never committed.
 * - Those with a server that has turned out to take no writes. After a failover a name may lead to the standby for a while
 *   longer: a session that was opened then never breaks, and every write that it is given would fail for as long as the process
 *   lives. When one session says so, all that are open in any pool go with it: they lead to the same server.
 */
class SoundSessions {
  private readonly pools: Pool[] = [];
  private readonly opened = new WeakMap<object, number>();
  private readonly givenUp = new WeakSet<object>();
  private leaveThoseBefore = -Infinity;

  watch(pool: Pool): void {
    this.pools.push(pool);
    // Not `connect`: a session may be older than this watch.
    pool.on('acquire', (session) => {
      if (this.opened.has(session) || !(session instanceof Client)) return;
      this.opened.set(session, performance.now());
      // Whatever sent the statement, also the ORM.
      session.connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
        if (code === READ_ONLY) this.leave();
      });
    });
    // The pool looks right after this whether the session is ending, and then forgets it.
    pool.on('release', (_error, session) => {
      if (session instanceof Client && !this.isSound(session)) void session.end();
    });
  }

  /** The pool does not hear how a statement of the ORM failed: the ORM is asked to report it. */
  watchStatements({ subscribers }: DataSource): void {
    subscribers.push({
      afterQuery: async ({ success, error, queryRunner }) => {
        if (success || !isConnectionError(error)) return;
        const session: unknown = await queryRunner.connect();
        if (session instanceof Client) this.givenUp.add(session);
      },
    });
  }

  private isSound(session: Client): boolean {
    const status = session.getTransactionStatus();
    const isInTransaction = status === 'T' || status === 'E';
    return !isInTransaction && !this.givenUp.has(session) && (this.opened.get(session) ?? 0) > this.leaveThoseBefore;
  }

  /** Sessions in use leave when they are given back, idle ones at once. */
  private leave(): void {
    this.leaveThoseBefore = performance.now();
    for (const pool of this.pools) {
      for (let left = pool.idleCount; left > 0; left -= 1) {
        pool.connect().then(
          (session) => session.release(),
          () => undefined,
        );
      }
    }
  }
}

/**
 * Writes as the service's own work does: a row, and with it the log that has to be on the disk before a commit is answered.
 * Both may find room in files that are there already, so half a megabyte is spilled into a temporary file too: on a
 * full disk that fails, and it leaves nothing behind. One implicit transaction, one round trip.
 */
const WRITE = `
  SELECT set_config('statement_timeout', '1500', true), set_config('work_mem', '64kB', true);
  WITH filler AS MATERIALIZED (SELECT repeat('x', 8192) AS page FROM generate_series(1, 64))
  SELECT count(*) FROM filler WHERE length(page) > 0;
  INSERT INTO write_probe (written_at) VALUES (clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at;`;

/** A success is believed for so long: health is asked often, and by many clients. */
const FRESH_MS = 5_000;
const FAILURE_FRESH_MS = 1_000;

interface Outcome {
  readonly written: Promise<unknown>;
  /** `performance.now()` until which it counts; while it is under way it always does. */
  validUntil: number;
}

/** Whether PostgreSQL really takes writes, asked at most every few seconds, and never twice at a time. */
class WriteProbe {
  private latest: Outcome | null = null;

  constructor(private readonly run: (sql: string) => Promise<unknown>) {}

  /** @throws the database's error, again for a second after it was seen */
  async check(): Promise<void> {
    if (this.latest === null || this.latest.validUntil < performance.now()) this.latest = this.write();
    await this.latest.written;
  }

  private write(): Outcome {
    const written = this.run(WRITE);
    const outcome: Outcome = { written, validUntil: Infinity };
    written.then(
      () => (outcome.validUntil = performance.now() + FRESH_MS),
      () => (outcome.validUntil = performance.now() + FAILURE_FRESH_MS),
    );
    return outcome;
  }
}

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

/** The embedded server, with room for the connections of as many processes. @throws DatabaseStartError */
export function startEmbeddedServer(settings: Settings, log: Log, processes = 1): Promise<EmbeddedPostgres> {
  const maxConnections = processes * (settings.databasePoolSize + SPARE_CONNECTIONS);
  return startEmbeddedPostgres({ dataDir: settings.dataDir, log, maxConnections });
}
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
    const embedded = settings.databaseUrl === null ? await startEmbeddedServer(settings, log) : null;
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

  /** As Connections.transaction. */
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
