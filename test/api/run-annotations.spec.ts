import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { Database } from '../../src/platform/database/database';
import { ApiClient } from '../setup/api-client';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { keyVariables, KEYS } from '../setup/role-keys';
import { eventually } from '../setup/eventually';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let scenarioId: string;
beforeAll(async () => {
  service = await startTestService(keyVariables());
  [scenarioId = ''] = await storeScenarios(service.app.get(Database), ['Stored']);
});
afterAll(() => service.close());

const as = (role: keyof typeof KEYS): ApiClient => new ApiClient(service.url, { 'x-api-key': KEYS[role] });
const storedRun = () =>
  storeGradedRun(service.app.get(Database), [{ id: scenarioId, name: 'Stored', outcomes: ['passed'] }]);
const say = (id: string, body: object) => as('runner').patch(`/api/v1/tests/${id}`, body);
const read = async (id: string) => (await as('viewer').get(`/api/v1/tests/${id}`)).body;

describe('annotations of a run', () => {
  test('are changed field by field, and answered with the run', async () => {
    const id = await storedRun();
    const before = await read(id);
    expect(before).toMatchObject({ note: null, tags: [] });
    const named = await say(id, { name: 'Release 4.2' });
    expect(named).toMatchObject({ status: 200, body: { id, name: 'Release 4.2', tags: [] } });
    const { body: tagged } = await say(before.test_run_id, { tags: ['release gate', 'triage'] });
    expect(tagged).toEqual({ ...before, name: 'Release 4.2', tags: ['release gate', 'triage'] });
    expect(await read(id)).toEqual(tagged);
    const { runs } = (await as('viewer').get('/api/v1/tests')).body;
    expect(runs.find((run: { id: string }) => run.id === id)).toMatchObject({ tags: ['release gate', 'triage'] });
    expect((await say(id, { note: 'Two lines,\nof a colleague.' })).body).toEqual({
      ...tagged,
      note: 'Two lines,\nof a colleague.',
    });
    expect((await say(id, { name: null, note: null, tags: [] })).body).toEqual({ ...before, name: null });
    expect((await say(id, {})).body).toEqual({ ...before, name: null });
  });

  test('are in the report and in every export, where a spreadsheet runs nothing of it', async () => {
    const id = await storedRun();
    await say(id, { name: '=1+1', note: '@SUM(1)', tags: ['<b>gate</b>', 'café'] });
    const file = async (path: string) => (await as('viewer').get(`/api/v1/tests/${id}/${path}`)).body;
    const text = async (path: string) =>
      (await fetch(`${service.url}/api/v1/tests/${id}/${path}`, { headers: { 'x-api-key': KEYS.viewer } })).text();
    expect(parse(await text('export?format=csv'), { columns: true })).toMatchObject([
      { test_run_name: "'=1+1", test_run_note: "'@SUM(1)", test_run_tags: '<b>gate</b>, café' },
    ]);
    expect(await text('export?format=junit')).toContain('<property name="tags" value="&lt;b>gate&lt;/b>, café"/>');
    expect((await file('export?format=json')).run).toMatchObject({ note: '@SUM(1)', tags: ['<b>gate</b>', 'café'] });
    expect((await file('report?format=json')).report.examined.run).toMatchObject({
      note: '@SUM(1)',
      tags: ['<b>gate</b>', 'café'],
    });
    const page = await text('report');
    expect(page).toContain('&lt;b&gt;gate&lt;/b&gt;, café');
    expect(page).not.toContain('<b>gate</b>');
  });

  test.each([
    [{ name: '' }, /name: must not be empty/],
    [{ name: 'x'.repeat(501) }, /name/],
    [{ note: 'x'.repeat(2_001) }, /note/],
    [{ tags: 'gate' }, /tags/],
    [{ tags: Array.from({ length: 101 }, (_, at) => `tag ${at}`) }, /tags/],
  ])('%j is refused in a sentence that names the field', async (body, words) => {
    expect(await say(await storedRun(), body)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(words) },
    });
  });

  test('take a key that may run, and a run that there is', async () => {
    const id = await storedRun();
    expect(await as('viewer').patch(`/api/v1/tests/${id}`, { name: 'Mine' })).toMatchObject({ status: 403 });
    expect(await read(id)).toMatchObject({ name: null });
    expect(await say(randomUUID(), { name: 'None' })).toMatchObject({ status: 404 });
    expect(await say('run_20260101000000_00000000', {})).toMatchObject({ status: 404 });
  });

  test('hold any characters but NUL', async () => {
    const id = await storedRun();
    expect(await say(id, { name: 'a\u0000b' })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/name/) },
    });
    expect(await say(id, { tags: ['toString', '__proto__', '{a,"b"}', 'NULL'] })).toMatchObject({ status: 200 });
    expect(await read(id)).toMatchObject({ name: null, tags: ['toString', '__proto__', '{a,"b"}', 'NULL'] });
  });

  test('are recorded in the audit trail when they change', async () => {
    const id = await storedRun();
    await say(id, { name: 'Recorded', tags: [] });
    // The outcome is written beside the answer, not before it.
    await eventually(async () => {
      const { records } = (await as('admin').get(`/api/v1/audit?resource_id=${id}`)).body;
      expect(records).toMatchObject([{ method: 'PATCH', status: 200 }]);
    });
  });
});
