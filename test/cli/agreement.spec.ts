import { Database } from '../../src/platform/database/database';
import { ApiClient } from '../setup/api-client';
import { OFFLINE, storeGradedRun, storeScenarios } from '../setup/graded-run';
import { osce } from '../setup/osce-command';
import { conversationsOf, review } from '../setup/reviewed-runs';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let run: string;
beforeAll(async () => {
  service = await startTestService();
  const api = new ApiClient(service.url);
  const database = service.app.get(Database);
  const names = ['Chest pain', 'Fever', 'Cough', 'Rash'];
  const ids = await storeScenarios(database, names);
  run = await storeGradedRun(
    database,
    names.map((name, place) => ({ id: ids[place] ?? '', name, outcomes: [name === 'Rash' ? 'failed' : 'passed'] })),
    {
      metadata: OFFLINE,
      criteria: ({ name }) => [
        {
          criterion: 'Sends for help',
          tags: ['must_pass'],
          decision: name === 'Rash' ? 'NOT MET' : 'MET',
          max_points: 5,
        },
        { criterion: 'Asks since when', tags: [], decision: 'MET', max_points: 1 },
      ],
    },
  );
  for (const [place, id] of (await conversationsOf(database, run)).entries()) {
    await review(api, id, place === 1 ? ['NOT MET', 'MET'] : ['MET', 'NOT MET']);
  }
});
afterAll(() => service.close());

const command = (...args: string[]) => osce(['agreement', ...args], { url: service.url });

test('osce agreement prints the measures, the confusion matrix and the corrected pass rate, or why there is none', async () => {
  const { code, stdout } = await command(run);
  expect(code).toBe(0);
  expect(stdout).toContain('8 criteria in 4 conversations, by 1 reviewer; judge: offline.');
  expect(stdout).toMatch(/same decision +│ 37\.5 % \(/);
  expect(stdout).toMatch(/Cohen’s κ +│ -0\.\d\d \(/);
  expect(stdout).toMatch(/Gwet’s AC1 +│ /);
  expect(stdout).toMatch(/MET +│ +3 │ +0 │ +1 /);
  expect(stdout).toContain('There is no fault among what was rated.');
  expect(stdout).toContain('Pass rate without the judge’s errors: not known.');
});

test('--json shows what the service said, of one tag', async () => {
  const { code, stdout } = await command(run, '--tag', 'must_pass', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ tag: 'must_pass', criteria: 4, with_judge: { raw: { value: 50 } } });
});

test('says so where nobody has reviewed, and refuses a run that there is not', async () => {
  expect((await command('--judge', 'nobody')).stdout).toContain('No such conversation was reviewed');
  expect((await command('run_unknown')).code).toBe(2);
});
