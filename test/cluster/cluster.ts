import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createTestDatabase } from '../setup/database';
import { findNatsBinaries, INSTALL_HINT, type NatsBinary, NatsServer } from '../setup/nats-server';
import { startTcpProxy, type TcpProxy } from '../setup/tcp-proxy';
import { OsceProcess } from './osce-process';
import { startOwnPostgres } from './own-postgres';

/** A process whose connections can be hurt. */
export interface Member {
  readonly process: OsceProcess;
  readonly toNats: TcpProxy;
  readonly toPostgres: TcpProxy;
}

/** Where the rows are, and what becomes of them at the end. */
export interface ClusterDatabase {
  readonly url: string;
  drop(): Promise<void>;
  /** Ends every connection and the server, as `pg_ctl stop --mode immediate` does; it starts again by itself. */
  crash?(): void;
}

export interface ClusterOptions {
  readonly processes: number;
  readonly variables?: Readonly<Record<string, string>>;
  /** A PostgreSQL server for this cluster alone, which can crash; else a database on the one of the whole test run. */
  readonly ownPostgres?: boolean;
  /** The newest NATS server of this machine by default, unless NATS_SERVER names a version. */
  readonly natsServer?: NatsBinary;
}

/** Several processes of the service on one NATS server and one database, all of this test's own. */
export class Cluster {
  readonly members: Member[] = [];

  private constructor(
    readonly nats: NatsServer,
    readonly database: ClusterDatabase,
    private readonly variables: Readonly<Record<string, string>>,
  ) {}

  static async start(options: ClusterOptions): Promise<Cluster> {
    const { processes, variables = {}, ownPostgres = false, natsServer = chooseNatsServer() } = options;
    const database = ownPostgres ? await startOwnPostgres() : await createTestDatabase();
    const cluster = new Cluster(await NatsServer.start(natsServer), database, variables);
    try {
      cluster.members.push(...(await Promise.all(Array.from({ length: processes }, () => cluster.startMember()))));
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  async addProcess(): Promise<void> {
    this.members.push(await this.startMember());
  }

  /** The process with this number, from 0. */
  process(number: number): OsceProcess {
    return this.member(number).process;
  }

  member(number: number): Member {
    const member = this.members[number];
    if (member === undefined) throw new Error(`The cluster has no process ${number}.`);
    return member;
  }

  /** Ends a process, if it still runs, and starts another one on its connections; answers the old one. */
  async replaceProcess(number: number, signal: 'SIGKILL' | 'SIGTERM', downMs = 0): Promise<OsceProcess> {
    const member = this.member(number);
    await member.process.end(signal);
    await sleep(downMs);
    this.members[number] = { ...member, process: await this.startProcess(member) };
    return member.process;
  }

  /** Looks at the rows, past the service. */
  async query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: this.database.url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(sql, [...parameters])).rows as Row[];
    } finally {
      await client.end();
    }
  }

  /** What every process logged, for a failed test. */
  get output(): string {
    return this.members.map(({ process }, number) => `--- process ${number}\n${process.output}`).join('\n');
  }

  async close(): Promise<void> {
    await Promise.all(this.members.map(({ process }) => process.end('SIGKILL')));
    await Promise.all(this.members.flatMap(({ toNats, toPostgres }) => [toNats.close(), toPostgres.close()]));
    await this.nats.close();
    await this.database.drop();
  }

  private async startMember(): Promise<Member> {
    const [toNats, toPostgres] = await Promise.all([startTcpProxy(this.nats.url), startTcpProxy(this.database.url)]);
    return { process: await this.startProcess({ toNats, toPostgres }), toNats, toPostgres };
  }

  private startProcess({ toNats, toPostgres }: Omit<Member, 'process'>): Promise<OsceProcess> {
    return OsceProcess.start({
      DATABASE_URL: toPostgres.url,
      NATS_URL: toNats.url,
      LOG_LEVEL: 'info',
      ...this.variables,
    });
  }
}

function chooseNatsServer(): NatsBinary {
  const binaries = findNatsBinaries();
  const wanted = process.env['NATS_SERVER'];
  const binary = wanted === undefined ? binaries.at(-1) : binaries.find(({ version }) => version === wanted);
  if (binary === undefined) throw new Error(`There is no such nats-server: ${INSTALL_HINT}.`);
  return binary;
}
