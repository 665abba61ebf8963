import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { silentLog } from '../../src/platform/config/log';
import {
  copyBinaries,
  installedBinaries,
  linksMissing,
  makeLinks,
} from '../../src/platform/database/embedded-postgres/binaries';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres/embedded-postgres';
import { canEnter } from '../../src/platform/database/embedded-postgres/server-user';
import { EmbeddedFixture, isRoot, query, serverPid } from '../setup/embedded-postgres';

let fixture: EmbeddedFixture;
beforeEach(() => {
  fixture = new EmbeddedFixture();
});
afterEach(() => fixture.close());

describe('a folder that cannot be used is refused with what to do', () => {
  it('made by another major version', async () => {
    const dataDir = fixture.newFolder();
    await (await fixture.start(dataDir)).stop();
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    expect(await fixture.refusal(dataDir)).toBe(
      `The data folder ${dataDir} was made by PostgreSQL 17 and this version runs PostgreSQL 18: back it up with the version that made it (osce backup) and restore it into an empty folder with this one, or set DATA_DIR to another folder.`,
    );
  });

  it('holding something else', async () => {
    const dataDir = fixture.newFolder();
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres', 'letter.txt'), 'Dear Sir');
    expect(await fixture.refusal(dataDir)).toContain('holds something other than a database');
    expect(readFileSync(join(dataDir, 'postgres', 'letter.txt'), 'utf8')).toBe('Dear Sir');
  });

  it('that is a file', async () => {
    const file = join(fixture.newFolder(), 'file');
    writeFileSync(file, '');
    expect(await fixture.refusal(file)).toBe(`The data folder ${file} is not a folder: set DATA_DIR to a folder.`);
    expect(await fixture.refusal(join(file, 'below'))).toContain('is not a folder');
  });

  it('whose database was damaged', async () => {
    const dataDir = fixture.newFolder();
    await (await fixture.start(dataDir)).stop();
    rmSync(join(dataDir, 'postgres', 'global', 'pg_control'));
    expect(await fixture.refusal(dataDir)).toMatch(
      /does not start \(.*pg_control.*\): see postgres\.log in that folder\.$/,
    );
  });
});

it('removes what a start that was killed left half made', async () => {
  const dataDir = fixture.newFolder();
  mkdirSync(join(dataDir, 'postgres.init-999999-abcd', 'base'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres.init-999999-abcd.password'), '');
  mkdirSync(join(dataDir, 'postgres'));
  const { url } = await fixture.start(dataDir);
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(readdirSync(dataDir).filter((name) => name.includes('init'))).toEqual([]);
});

// The kernel's own file system refuses new folders; asked to make one with its parents, Node 20 would try for ever.
if (existsSync('/proc/self')) {
  it('refuses a folder that cannot be made', async () => {
    expect(await fixture.refusal('/proc/agent-osce/data')).toContain(
      'The data folder /proc/agent-osce/data cannot be written',
    );
  });
}

it('says that there is no PostgreSQL, where none was installed, before anything of the folder', async () => {
  const path = join(fixture.newFolder(), 'without-postgres.cjs');
  writeFileSync(
    path,
    `const modules = require('node:module');
     const find = modules._resolveFilename;
     modules._resolveFilename = function (name, ...others) {
       if (name.startsWith('@embedded-postgres/')) throw new Error('It is not installed.');
       return find.call(this, name, ...others);
     };`,
  );
  const { answer } = await fixture.startOwner('/nowhere/data', {
    env: { ...process.env, NODE_OPTIONS: `--require "${path}"` },
  });
  expect(answer.error).toMatch(/^The embedded PostgreSQL for .* is not installed: .* or set DATABASE_URL/);
});

// Only root can become somebody else. Started by an ordinary user, every other test here runs as one; and in a home folder
// of root's nobody else can start anything.
if (isRoot && canEnter(__dirname, namedUser())) {
  it('runs as an ordinary user, and leaves a folder to the user who made it', async () => {
    const ordinary = namedUser();
    const dataDir = fixture.newFolder();
    chownSync(dataDir, ordinary.uid, ordinary.gid);
    const { child, answer } = await fixture.startOwner(dataDir, ordinary);
    expect(await query(answer.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const stranger = { uid: 23_456, gid: 23_456 };
    const closed = await fixture.startOwner(dataDir, stranger);
    expect(closed.answer.error).toBe(
      `The data folder ${dataDir} cannot be written: give it to the user the service runs as, or set DATA_DIR to another folder.`,
    );
    chmodSync(dataDir, 0o777);
    const open = await fixture.startOwner(dataDir, stranger);
    expect(open.answer.error).toContain(`belongs to another user (uid ${ordinary.uid})`);
    // Root runs the server as the folder's owner.
    const { url } = await fixture.start(dataDir);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('says why it does not run as a user without a name', async () => {
    const dataDir = fixture.newFolder();
    chmodSync(dataDir, 0o777);
    const { answer } = await fixture.startOwner(dataDir, { uid: 34_567, gid: 34_567 });
    expect(answer.error).toContain('and uid 34567 has none here: start the service as a user listed in /etc/passwd');
    // Root does not mind whose folder it is.
    chownSync(dataDir, 34_567, 34_567);
    chmodSync(dataDir, 0o700);
    const { url } = await fixture.start(dataDir);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
}

if (isRoot) {
  it('runs where programs and rows both lie below a folder that only root may enter, and starts there again', async () => {
    const home = fixture.newFolder();
    chmodSync(home, 0o700);
    const binaries = copyBinaries(installedBinaries(), home);
    const dataDir = join(home, 'checkout', 'data');
    const options = { dataDir, binaries, log: silentLog, durable: false };
    const first = await startEmbeddedPostgres(options);
    fixture.atEnd(() => first.stop());
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS one');
    await first.stop();
    const second = await startEmbeddedPostgres(options);
    fixture.atEnd(() => second.stop());
    expect(await query(second.url, 'TABLE kept')).toEqual([{ one: 1 }]);
    // Not a file of the server lies elsewhere, and the server is not root.
    expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true);
    expect(readdirSync(home).sort()).toEqual([basename(binaries.folder), 'checkout'].sort());
    expect(statSync(`/proc/${serverPid(dataDir)}`).uid).not.toBe(0);
    // Of root's powers it has the one to look into folders.
    const powers = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${serverPid(dataDir)}/status`, 'utf8'))?.[1];
    expect(['0000000000000002', '0000000000000004']).toContain(powers);
  });
}

it('makes the library links that an install without scripts leaves out, in place or in a copy', () => {
  const folder = fixture.newFolder();
  const installed = installedBinaries();
  const bare = { folder: join(folder, 'native'), initdb: '', postgres: join(folder, 'native', 'bin', 'postgres') };
  cpSync(installed.folder, bare.folder, { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3" }');
  const list = JSON.parse(readFileSync(join(bare.folder, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
  for (const { target } of list) rmSync(join(folder, target), { force: true });
  const runs = (program: string) => spawnSync(program, ['--version']).status === 0;

  expect(linksMissing(bare)).toHaveLength(list.length);
  const copy = copyBinaries(bare, folder);
  expect(copy.folder).toBe(join(folder, 'postgres-binaries-1.2.3'));
  expect(linksMissing(copy)).toEqual([]);
  expect(runs(copy.postgres)).toBe(true);
  expect(existsSync(join(copy.folder, 'lib', 'libpq.a'))).toBe(false);
  expect(copyBinaries(bare, folder)).toEqual(copy);

  expect(makeLinks(bare, linksMissing(bare))).toBe(true);
  expect(linksMissing(bare)).toEqual([]);
  expect(runs(bare.postgres)).toBe(true);
});

/** Some user of this system who is neither root nor the one that root's servers run as. */
function namedUser(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = users.find(([name, , uid]) => Number(uid) > 0 && name !== 'nobody');
  if (found === undefined) throw new Error('There is no ordinary user here.');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}
