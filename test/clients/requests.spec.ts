import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OsceProcess } from '../cluster/osce-process';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { peerProgram } from './peer-program';

const CONFIG = join(__dirname, '..', 'peers', 'schemathesis.toml');
const KEY = 'key-of-the-many-requests';
/** The limit of what hangs; a machine that does nothing else takes less than half of it. */
const WITHIN_MS = 540_000;

let database: TestDatabase;
let service: OsceProcess;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  // Nothing leaves this machine, whatever address an agent is given.
  const targets = { TARGETS: 'list', ALLOWED_TARGETS: '127.0.0.1:9' };
  service = await OsceProcess.start({
    DATABASE_URL: database.url,
    LOG_LEVEL: 'warn',
    SERVICE_API_KEY: KEY,
    ...targets,
  });
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-requests-'));
});
afterAll(async () => {
  await service?.end('SIGTERM');
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

test(
  'requests of every kind that the description allows or forbids are answered as it promises',
  async () => {
    const child = spawn(
      peerProgram('schemathesis'),
      [
        ...['--config-file', CONFIG, 'run', `${service.url}/docs/openapi.json`, '--header', `X-API-Key: ${KEY}`],
        ...['--workers', '2', '--request-timeout', '20', '--continue-on-failure', '--no-color'],
      ],
      { cwd: folder, env: { PATH: process.env['PATH'] ?? '', HOME: folder, NO_PROXY: '127.0.0.1,localhost' } },
    );
    let printed = '';
    const keep = (chunk: Buffer): void => void (printed += chunk.toString());
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const tooLong = setTimeout(() => child.kill('SIGKILL'), WITHIN_MS);
    const [code]: unknown[] = await once(child, 'close');
    clearTimeout(tooLong);
    const { failures = '' } = /=+ FAILURES =+\n(?<failures>[^]*)/.exec(printed)?.groups ?? {};
    expect({ failures: failures.slice(0, 6_000), code, printed: code === 0 ? '' : printed.slice(-2_000) }).toEqual({
      failures: '',
      code: 0,
      printed: '',
    });
    // That it asked at all, of everything but the two streams.
    const { tested = '0', total = '0' } = /(?<tested>\d+) selected \/ (?<total>\d+) total/.exec(printed)?.groups ?? {};
    expect(Number(total)).toBeGreaterThan(40);
    expect(Number(total) - Number(tested)).toBe(2);
    expect(Number(/(\d+) generated/.exec(printed)?.[1])).toBeGreaterThan(500);
    expect(service.output).not.toContain('"level":"error"');
  },
  WITHIN_MS + 60_000,
);
