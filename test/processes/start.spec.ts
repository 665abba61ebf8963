import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { eventually } from '../setup/eventually';
import { spawnService, startServiceProcess } from '../setup/service-process';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Starts the service and waits for its end. */
async function startAndEnd(variables: Record<string, string>): Promise<Ended> {
  const child = spawnService({ DATABASE_URL: database.url, LOG_LEVEL: 'error', ...variables });
  children.push(child);
  let output = '';
  let errors = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code]: (number | null)[] = await once(child, 'close');
  return { code: code ?? null, output, errors };
}

describe('a service that cannot start', () => {
  it('says which port is taken and what to do', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { code, output, errors } = await startAndEnd({ PORT: String(port) });
    taken.close();
    expect(code).toBe(1);
    expect(errors).toBe(
      `Port ${port} on 127.0.0.1 is taken: stop the program that uses it, or set PORT to a free one (0 picks one).\n`,
    );
    expect(output).toBe('');
  });

  it('leaves no embedded database behind', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const dataDir = await mkdtemp(join(tmpdir(), 'agent-osce-start-'));
    const { code, errors } = await startAndEnd({ PORT: String(port), DATABASE_URL: '', DATA_DIR: dataDir });
    taken.close();
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringMatching(/^Port \d+ on 127\.0\.0\.1 is taken: /),
    });
    const pidFiles = (await readdir(dataDir, { recursive: true })).filter((file) => file.endsWith('postmaster.pid'));
    expect(pidFiles).toEqual([]);
    await rm(dataDir, { recursive: true, force: true });
  });

  it('says which setting is wrong', async () => {
    const { code, output, errors } = await startAndEnd({ PORT: 'eighty' });
    expect(code).toBe(1);
    expect(errors).toMatch(/^PORT must be a whole number from 0 to 65535; it is "eighty"\.\n$/);
    expect(output).toBe('');
  });

  it('says that the database does not accept it, without the password', async () => {
    const wrong = new URL(database.url);
    wrong.pathname = '/no_such_database';
    wrong.password = 'not-the-password';
    const { code, output, errors } = await startAndEnd({ PORT: '0', DATABASE_URL: wrong.toString() });
    expect(code).toBe(1);
    expect(errors).toMatch(/^The database at .* correct DATABASE_URL .*\n$/);
    expect(errors).not.toContain('not-the-password');
    expect(output).toBe('');
  });

  it('says what to do before others can reach it without a key', async () => {
    const { code, output, errors } = await startAndEnd({ PORT: '0', HOST: '0.0.0.0' });
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(
      /^HOST is 0\.0\.0\.0 and no service key is set, .* set SERVICE_API_KEY .*, or ALLOW_OPEN=true .*\n$/,
    );
  });

  it('says that HOST is not an address of this machine', async () => {
    const { code, errors } = await startAndEnd({ PORT: '0', HOST: '192.0.2.1', ALLOW_OPEN: 'true' });
    expect(code).toBe(1);
    expect(errors).toMatch(/^HOST 192\.0\.2\.1 is not an address of this machine: set HOST to .*\n$/);
  });
});

describe('a service that starts', () => {
  it('says where it listens and that no key guards it, and ends with 0 on SIGTERM', async () => {
    const service = await startServiceProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'error' });
    children.push(service.process);
    expect(service.output()).toMatch(/^Agent OSCE \d+\.\d+\.\d+ listens on http:\/\/127\.0\.0\.1:\d+; .*\/docs\.\n/);
    expect(service.output()).toMatch(/No SERVICE_API_KEY is set, and it is reached from this machine only; .*\n$/);
    expect(service.output()).toContain(service.url);
    expect(await service.end('SIGTERM')).toBe(0);
  });

  it('starts with as few connections as it may have', async () => {
    const service = await startServiceProcess({
      DATABASE_URL: database.url,
      LOG_LEVEL: 'error',
      DATABASE_POOL_SIZE: '3',
    });
    children.push(service.process);
    const answer = await fetch(`${service.url}/api/v1/scenarios`);
    // What is not read keeps the connection.
    await answer.text();
    expect(answer.status).toBe(200);
    expect(await service.end('SIGTERM')).toBe(0);
  });

  it('warns when no key guards it and others can reach it', async () => {
    const service = await startServiceProcess({
      DATABASE_URL: database.url,
      LOG_LEVEL: 'error',
      HOST: '0.0.0.0',
      ALLOW_OPEN: 'true',
    });
    children.push(service.process);
    expect(service.output()).toMatch(/\nWARNING: ALLOW_OPEN is set and no SERVICE_API_KEY, .*0\.0\.0\.0:\d+ .*\n$/);
    expect(await service.end('SIGINT')).toBe(0);
  });

  it('says, with a key, that it is still reached from this machine only', async () => {
    const service = await startServiceProcess({
      DATABASE_URL: database.url,
      LOG_LEVEL: 'error',
      SERVICE_VIEWER_KEY: 'a-service-key-of-the-clinic',
    });
    children.push(service.process);
    expect(service.output()).toMatch(/ listens on http:\/\/127\.0\.0\.1:\d+; .*\n.* HOST=0\.0\.0\.0 opens it .*\n$/);
    expect(await service.end('SIGTERM')).toBe(0);
  });

  it('listens to others with HOST and a key, and says nothing of keys', async () => {
    const service = await startServiceProcess({
      DATABASE_URL: database.url,
      LOG_LEVEL: 'error',
      HOST: '0.0.0.0',
      SERVICE_API_KEY: 'a-service-key-of-the-clinic',
    });
    children.push(service.process);
    expect(service.output()).toMatch(/^Agent OSCE .* listens on http:\/\/localhost:\d+; .*\n$/);
    expect(await service.end('SIGTERM')).toBe(0);
  });

  it('stops while a client holds a connection open', async () => {
    const service = await startServiceProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'error' });
    children.push(service.process);
    const unknown = '00000000-0000-4000-8000-000000000000';
    const open = new AbortController();
    const stream = await fetch(`${service.url}/events?run_id=${unknown}`, { signal: open.signal });
    expect(stream.status).toBe(200);
    expect(await service.end('SIGTERM')).toBe(0);
    // What is not read keeps the connection, though the other side has left.
    open.abort();
  });

  it('answers the request it is reading before it stops', async () => {
    const service = await startServiceProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'error' });
    children.push(service.process);
    const body = JSON.stringify({ name: 'Late', provider: 'openai', config: {} });
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('utf8');
    let answer = '';
    socket.on('data', (chunk: string) => (answer += chunk));
    socket.write(
      'POST /api/v1/agents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
        `Expect: 100-continue\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    );
    await eventually(() => expect(answer).toContain('100 Continue'));
    const ended = service.end('SIGTERM');
    const look = async () => (await fetch(`${service.url}/health/live`)).text();
    await eventually(() => expect(look()).rejects.toThrow());
    socket.write(body);
    expect(await ended).toBe(0);
    socket.destroy();
    expect(answer).toContain('HTTP/1.1 201 Created');
  });
});
