import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHttpStub, sendJson, type HttpStub } from '../fakes/http-stub';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios } from '../setup/examination';
import { osce } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

let service: TestService;
let api: ApiClient;
let gate: HttpStub;
let folder: string;
/** What somebody else does just before the next PATCH arrives. */
let meanwhile: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
  folder = await mkdtemp(join(tmpdir(), 'agent-osce-cli-test-'));
  gate = await startHttpStub((response, { method, path, headers, body }) => {
    const ifMatch = headers['if-match'];
    const forwarded = { 'content-type': 'application/json', ...(ifMatch !== undefined && { 'if-match': ifMatch }) };
    const forward = async () => {
      if (method === 'PATCH') await meanwhile.shift()?.();
      const sent = method === 'GET' ? {} : { body: JSON.stringify(body) };
      const answer = await api.send(method, path, { headers: forwarded, ...sent });
      const etag = answer.headers.get('etag');
      sendJson(response, answer.status, answer.body, etag === null ? {} : { etag });
    };
    void forward();
  });
});
beforeEach(() => {
  meanwhile = [];
});
afterAll(async () => {
  await gate.close();
  await service.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => osce(args, { url: gate.origin });
const REFUSED = 'was changed by another client since it was read, and is left as it is. Look at it, then try again.';

describe('osce agents update', () => {
  let path: string;
  const read = async () => (await api.get(path)).body;
  beforeEach(async () => {
    path = `/api/v1/agents/${await createAgent(api, 'http://127.0.0.1:9/v1', { model: 'one', temperature: 0 })}`;
    await api.patch(path, { name: path });
  });

  test('leaves a config that somebody else has changed at that moment, and says so', async () => {
    meanwhile.push(() => api.patch(path, { config: { model: 'theirs' } }));
    const { code, stderr } = await run('agents', 'update', path, '--config', 'model=ours');
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(REFUSED) });
    expect((await read()).config).toMatchObject({ model: 'theirs' });
  });

  test('goes through beside a change of something else, and keeps that', async () => {
    meanwhile.push(() => api.patch(path, { description: 'Theirs' }));
    expect((await run('agents', 'update', path, '--config', 'model=ours', '--config', 'temperature=null')).code).toBe(
      0,
    );
    const { config, description } = await read();
    expect({ config, description }).toEqual({
      description: 'Theirs',
      config: { base_url: 'http://127.0.0.1:9/v1', api_key: 'sk-test', max_retries: 0, model: 'ours' },
    });
  });
});

describe('osce scenarios', () => {
  let id: string;
  const read = async () => (await api.get(`/api/v1/scenarios/${id}`)).body;
  beforeEach(async () => {
    [id = ''] = await createScenarios(api, 1, { approved: false });
  });
  const SIGNED = ['--by', 'Dr A. Ward', '--role', 'emergency physician'];
  const change = (fields: object) => api.patch(`/api/v1/scenarios/${id}`, fields);

  test('update leaves what somebody else has made of the same field', async () => {
    meanwhile.push(() => change({ category: 'theirs' }));
    const { code, stderr } = await run('scenarios', 'update', id, '--category', 'ours');
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(REFUSED) });
    expect((await read()).category).toBe('theirs');
  });

  test('approve approves no text that was written meanwhile', async () => {
    const { content } = await read();
    meanwhile.push(() => change({ content: { ...content, script: 'Theirs.' } }));
    const { code, stderr } = await run('scenarios', 'approve', id, ...SIGNED);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(REFUSED) });
    expect(await read()).toMatchObject({ approved: false, content: { script: 'Theirs.' } });
    expect((await run('scenarios', 'approve', id, ...SIGNED)).code).toBe(0);
    expect(await read()).toMatchObject({ approved: true });
  });

  test('approve and unapprove go through beside a change of something else, and twice', async () => {
    meanwhile.push(() => change({ category: 'theirs' }));
    expect((await run('scenarios', 'approve', id, ...SIGNED)).code).toBe(0);
    expect((await run('scenarios', 'approve', id, ...SIGNED)).code).toBe(0);
    expect(await read()).toMatchObject({ approved: true, category: 'theirs' });
    expect((await run('scenarios', 'unapprove', id)).code).toBe(0);
    expect(await read()).toMatchObject({ approved: false });
  });
});

test('osce import --suite leaves a suite that somebody else fills at that moment', async () => {
  const [theirs = ''] = await createScenarios(api, 1);
  const lines = ['A', 'B'].map((name) => ({
    name,
    content: { script: 'You are tired.', chief_complaint: 'I am tired.' },
    rubric_criteria: [{ criterion: 'Asks about sleep', points: 1 }],
  }));
  const file = join(folder, 'lines.jsonl');
  await writeFile(file, JSON.stringify(lines[0]));
  expect((await run('import', file, '--suite', 'Filled')).code).toBe(0);
  const suite = (await api.get('/api/v1/test-suites')).body.test_suites[0];
  meanwhile.push(() => api.patch(`/api/v1/test-suites/${suite.id}`, { scenario_ids: [theirs] }));
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const { code, stderr } = await run('import', file, '--suite', 'Filled');
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(`The suite "Filled" ${REFUSED}`) });
  expect((await api.get(`/api/v1/test-suites/${suite.id}`)).body.scenario_ids).toEqual([theirs]);
});
