import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Client } from 'pg';
import { silentLog } from '../../src/platform/config/log';
import { settingsFrom } from '../../src/platform/config/settings';
import { ourTables } from '../../src/platform/database/backup/contents';
import { reachUsedDatabase } from '../../src/platform/database/backup/reach';
import { writeBackup } from '../../src/platform/database/backup/write-backup';
import { Database } from '../../src/platform/database/database';
import { clusterFolder } from '../../src/platform/database/embedded-postgres/cluster';
import { SERVICE_ROLE } from '../../src/platform/database/embedded-postgres/server-addresses';
import { migrate } from '../../src/platform/database/migrate';
import { EmbeddedFixture, query, superuserUrl } from '../setup/embedded-postgres';

const WHO = `SELECT current_user AS name, rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls AS mighty
  FROM pg_roles WHERE rolname = current_user`;
/** What of the service's schema is not the service's own. */
const FOREIGN = `
  SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND pg_get_userbyid(relowner) <> $1
  UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND pg_get_userbyid(proowner) <> $1
  UNION ALL SELECT typname FROM pg_type WHERE typnamespace = 'public'::regnamespace AND pg_get_userbyid(typowner) <> $1
  UNION ALL SELECT datname FROM pg_database WHERE datname = current_database() AND pg_get_userbyid(datdba) <> $1`;

let fixture: EmbeddedFixture;
beforeEach(() => {
  fixture = new EmbeddedFixture();
});
afterEach(() => fixture.close());

async function open(dataDir: string): Promise<Database> {
  const database = await Database.open(settingsFrom({ DATA_DIR: dataDir }), silentLog);
  fixture.atEnd(() => database.close());
  return database;
}

async function expectItsOwn(database: Database): Promise<void> {
  expect(await database.query(WHO)).toEqual([{ name: SERVICE_ROLE, mighty: false }]);
  expect(await database.engine.query(WHO)).toEqual([{ name: SERVICE_ROLE, mighty: false }]);
  expect(await database.query(FOREIGN, [SERVICE_ROLE])).toEqual([]);
}

describe('the service in its embedded database', () => {
  it('is no superuser, owns what it has made, and reaches nothing beyond', async () => {
    const dataDir = fixture.newFolder();
    const database = await open(dataDir);
    await expectItsOwn(database);
    for (const beyond of [
      `SELECT pg_read_file('postgresql.conf')`,
      `COPY (SELECT 1) TO PROGRAM 'cat'`,
      `CREATE DATABASE another`,
      `CREATE ROLE another`,
      `SELECT rolpassword FROM pg_authid`,
      `ALTER SYSTEM SET fsync = off`,
      `SET ROLE agent_osce`,
    ]) {
      await expect(database.query(beyond)).rejects.toThrow(/permission denied/);
    }
    const { mode } = statSync(join(clusterFolder(dataDir), 'agent-osce.service.password'));
    expect(mode & 0o077).toBe(0);
  });

  it('takes over a folder in which everything is the superuser’s', async () => {
    const dataDir = fixture.newFolder();
    await makeAsSuperuser(dataDir);
    const database = await open(dataDir);
    await expectItsOwn(database);
    expect(await database.query('SELECT name FROM agents')).toEqual([{ name: 'of before' }]);
    expect(
      await database.query('SELECT kind, next::int FROM beside, (SELECT nextval($1) AS next) n', ['counter']),
    ).toEqual([{ kind: 'one', next: 1 }]);
  });

  it('takes over again what the superuser has made in between', async () => {
    const dataDir = fixture.newFolder();
    await (await open(dataDir)).close();
    const server = await fixture.start(dataDir);
    const superuser = superuserUrl(dataDir, server.url);
    await query(superuser, 'CREATE TABLE made_meanwhile (id int)');
    await query(superuser, `ALTER ROLE ${SERVICE_ROLE} SUPERUSER`);
    await server.stop();
    await expectItsOwn(await open(dataDir));
  });

  // Empty: as a full disk leaves it, or a kill between making and writing it.
  it.each(['lost', 'changed', 'empty'])('starts when the file with its password is %s', async (what) => {
    const dataDir = fixture.newFolder();
    await (await open(dataDir)).close();
    const file = join(clusterFolder(dataDir), 'agent-osce.service.password');
    if (what === 'lost') rmSync(file);
    else writeFileSync(file, what === 'empty' ? '' : 'something-else');
    await expectItsOwn(await open(dataDir));
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('has nothing of its own run by the superuser at the next start', async () => {
    const dataDir = fixture.newFolder();
    const server = await fixture.start(dataDir);
    await query(server.url, temptation(`ALTER ROLE ${SERVICE_ROLE} SUPERUSER`));
    await server.stop();
    await expectItsOwn(await open(dataDir));
  });

  it.each(['there', 'lost'])(
    'has nothing of its own run by a superuser who makes a backup, its password %s',
    async (what) => {
      const dataDir = fixture.newFolder();
      const server = await fixture.start(dataDir);
      await migrate({ url: server.url, log: silentLog });
      await query(server.url, temptation(`ALTER ROLE ${SERVICE_ROLE} CREATEDB`));
      if (what === 'lost') rmSync(join(clusterFolder(dataDir), 'agent-osce.service.password'));
      const reached = await reachUsedDatabase(settingsFrom({ DATA_DIR: dataDir }), silentLog);
      fixture.atEnd(() => reached.release());
      const sink = new PassThrough();
      const [written] = await Promise.all([
        writeBackup({ url: reached.url, sink, withRecordings: true }),
        buffer(sink),
      ]);
      expect(written.tables).toBe(ourTables().length);
      expect(await query(server.url, WHO)).toEqual([{ name: SERVICE_ROLE, mighty: false }]);
    },
  );
});

/** What would be called, were `public` looked into, by whoever asks for the tables in it; the superuser would do the rest. */
const temptation = (statement: string): string => `
  CREATE FUNCTION public.tempt(a oid, b regnamespace) RETURNS bool LANGUAGE plpgsql AS $$
    BEGIN
      IF current_user = 'agent_osce' THEN EXECUTE '${statement}'; END IF;
      RETURN a = b::oid;
    END $$;
  CREATE OPERATOR public.= (LEFTARG = oid, RIGHTARG = regnamespace, FUNCTION = public.tempt)`;

/** The tables of today, and kinds of objects that the migrations may one day make, all of them the superuser's: there is no other role. */
async function makeAsSuperuser(dataDir: string): Promise<void> {
  const server = await fixture.start(dataDir);
  const url = superuserUrl(dataDir, server.url);
  const superuser = new Client({ connectionString: url });
  await superuser.connect();
  await superuser.query(`ALTER DATABASE postgres OWNER TO agent_osce`);
  await superuser.query(`DROP ROLE ${SERVICE_ROLE}`);
  rmSync(join(clusterFolder(dataDir), 'agent-osce.service.password'));
  await migrate({ url, log: silentLog });
  await superuser.query(`
    INSERT INTO agents (provider, name, config) VALUES ('openai', 'of before', '{}');
    CREATE TYPE kind AS ENUM ('one'); CREATE DOMAIN small AS int CHECK (VALUE < 10); CREATE TYPE pair AS (a int, b int);
    CREATE SEQUENCE counter; CREATE TABLE beside (id serial, kind kind, small small); INSERT INTO beside (kind) VALUES ('one');
    CREATE VIEW seen AS SELECT * FROM beside; CREATE MATERIALIZED VIEW kept AS SELECT * FROM beside;
    CREATE TABLE months (id int) PARTITION BY RANGE (id); CREATE TABLE january PARTITION OF months FOR VALUES FROM (1) TO (2);
    CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql AS 'SELECT 2 * n'`);
  await superuser.end();
  await server.stop();
}
