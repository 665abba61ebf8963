import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { findNatsBinaries, INSTALL_HINT, NatsServer } from '../setup/nats-server';
import { startTcpProxy, type TcpProxy } from '../setup/tcp-proxy';
import { OsceProcess } from './osce-process';

/** A process whose connections can be hurt. */
export interface Member {
  readonly process: OsceProcess;
  readonly toNats: TcpProxy;
  readonly toPostgres: TcpProxy;
}

/** Several processes of the service on one NATS server and one database, all of this test's own. */
export class Cluster {
  readonly members: Member[] = [];

  private constructor(
    readonly nats: NatsServer,
    private readonly database: TestDatabase,
    private readonly client: Client,
  ) {}

  /** The newest NATS server on this machine, unless NATS_SERVER names a version. */
  static async start(processes: number, variables: Readonly<Record<string, string>> = {}): Promise<Cluster> {
    const binaries = findNatsBinaries();
    const wanted = process.env['NATS_SERVER'];
    const binary = wanted === undefined ? binaries.at(-1) : binaries.find(({ version }) => version === wanted);
    if (binary === undefined) throw new Error(`There is no such nats-server: ${INSTALL_HINT}.`);
    const database = await createTestDatabase();
    const client = new Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    const cluster = new Cluster(await NatsServer.start(binary), database, client);
    try {
      for (let number = 1; number <= processes; number += 1) await cluster.addProcess(variables);
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  async addProcess(variables: Readonly<Record<string, string>> = {}): Promise<Member> {
    const [toNats, toPostgres] = await Promise.all([startTcpProxy(this.nats.url), startTcpProxy(this.database.url)]);
    const process = await OsceProcess.start({
      DATABASE_URL: toPostgres.url,
      NATS_URL: toNats.url,
      LOG_LEVEL: 'info',
      ...variables,
    });
    const member = { process, toNats, toPostgres };
    this.members.push(member);
    return member;
  }

  /** The process with this number, from 0 in the order of their start. */
  process(number: number): OsceProcess {
    const member = this.members[number];
    if (member === undefined) throw new Error(`The cluster has no process ${number}.`);
    return member.process;
  }

  /** Looks at the rows, past the service. */
  async query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return (await this.client.query(sql, [...parameters])).rows as Row[];
  }

  /** What every process logged, for a failed test. */
  get output(): string {
    return this.members.map(({ process }, number) => `--- process ${number}\n${process.output}`).join('\n');
  }

  async close(): Promise<void> {
    await Promise.all(this.members.map(({ process }) => process.end('SIGKILL')));
    await Promise.all(this.members.flatMap(({ toNats, toPostgres }) => [toNats.close(), toPostgres.close()]));
    await this.nats.close();
    await this.client.end();
    await this.database.drop();
  }
}
