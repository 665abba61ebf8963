import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/platform/database/database';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { osce } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let folder: string;
let id: string;
beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), 'osce-report-'));
  const database = service.app.get(Database);
  const [scenario = ''] = await storeScenarios(database, ['Chest pain']);
  id = await storeGradedRun(database, [{ id: scenario, name: 'Chest pain', outcomes: ['passed', 'failed'] }]);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => osce(args, { url: service.url });

describe('osce report', () => {
  test('writes the page to a file, or the JSON to a pipe', async () => {
    const path = join(folder, 'deep', 'report.html');
    expect(await run('report', id, '--out', path)).toMatchObject({ code: 0, stderr: `Written: ${path}\n` });
    const page = await readFile(path, 'utf8');
    expect(page).toMatch(/^<!doctype html>/i);
    expect(page).toContain('Chest pain');
    const { code, stdout } = await run('report', 'latest', '--format', 'json');
    expect(code).toBe(0);
    expect(page).toContain(JSON.parse(stdout).sha256);
  });

  test('verifies a report: 0 as written, 1 once a number is another, 2 for what is no report', async () => {
    const path = join(folder, 'report.json');
    await run('report', id, '--format', 'json', '--out', path);
    const whole = JSON.parse(await readFile(path, 'utf8'));
    expect(await run('report', '--verify', path)).toMatchObject({
      code: 0,
      stdout: `The report is as it was written: ${whole.sha256}\n`,
    });
    whole.report.statistics.passed = 2;
    await writeFile(path, JSON.stringify(whole));
    expect(await run('report', '--verify', path)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/was changed/),
    });
    // What a file says of itself reaches no terminal as it is.
    await writeFile(path, JSON.stringify({ ...whole, sha256: '\u001b[2Jright' }));
    expect((await run('report', '--verify', path)).stdout).not.toContain('\u001b');
    await writeFile(path, '{}');
    expect(await run('report', '--verify', path)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/not a report/),
    });
    expect(await run('report')).toMatchObject({ code: 2, stderr: expect.stringMatching(/Name the run/) });
  });
});
