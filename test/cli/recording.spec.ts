import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWav } from '../../src/engine/audio';
import { Database } from '../../src/platform/database/database';
import { osce } from '../setup/osce-command';
import { constructedVoice, storeSpokenRun } from '../setup/stored-spoken-run';
import { startTestService, type TestService } from '../setup/service';

const VOICE = constructedVoice(3_000, 5);

let service: TestService;
let folder: string;
let run: string;
let scenarioRun: string;
beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), 'osce-recording-'));
  const spoken = { from_ms: 0, to_ms: 1_000, agent: [{ from_ms: 1_700, to_ms: 2_500 }], heard_by_agent: 'It hurts' };
  const { id, scenarioRunIds } = await storeSpokenRun(service.app.get(Database), [
    {
      turns: [{ said: 'It hurts.', replied: 'Where?\u001b[2J', spoken }],
      recording: { patient: VOICE, agent: VOICE },
    },
  ]);
  run = id;
  scenarioRun = scenarioRunIds[0] ?? '';
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const command = (...args: string[]) => osce(args, { url: service.url });

describe('osce recording', () => {
  test('saves both sides, or a part of one', async () => {
    const path = join(folder, 'call.wav');
    expect(await command('recording', scenarioRun, '-o', path)).toMatchObject({
      code: 0,
      stderr: `Written: ${path}\n`,
    });
    expect(readWav(await readFile(path), 10).channels).toEqual([VOICE, VOICE]);
    const part = join(folder, 'part.wav');
    const asked = ['--track', 'agent', '--from', '0.5', '--to', '1.25'];
    expect(await command('recording', scenarioRun, '-o', part, ...asked)).toMatchObject({ code: 0 });
    expect(readWav(await readFile(part), 10).channels).toEqual([VOICE.subarray(8_000, 20_000)]);
  });

  test('says why there is none, and what is wrong with an option', async () => {
    const path = join(folder, 'none.wav');
    expect(await command('recording', run, '-o', path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Scenario run not found'),
    });
    await expect(readFile(path)).rejects.toThrow(/ENOENT/);
    expect(await command('recording', scenarioRun, '-o', path, '--from', 'soon')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('seconds since the call began'),
    });
  });
});

describe('osce runs speech', () => {
  test('shows the measures as a table, and what is not known', async () => {
    const { code, stdout } = await command('runs', 'speech', run);
    expect(code).toBe(0);
    expect(stdout).toMatch(/1 of 1 conversations were spoken, in 1 turns/);
    expect(stdout).toMatch(/Times are right within 20 ms/);
    expect(stdout).toMatch(/Response latency, longest.*0\.70 s/);
    expect(stdout).toMatch(/fewer than 10 timed answers/);
  });

  test('gives the answer of the service as JSON', async () => {
    const { stdout } = await command('runs', 'speech', run, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ metrics_version: 1, response_latency: { events: 1, max_ms: 700 } });
  });
});
