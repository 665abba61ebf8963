import { ApiClient, type Answer } from '../setup/api-client';
import { CALLS_AMBULANCE, createScenarios } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';

const HEX = /^[0-9a-f]{64}$/;
const ASKS = { criterion: 'Asks about allergies', points: 2, tags: [] };

let service: TestService;
let api: ApiClient;
let id: string;

beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
});
afterAll(() => service.close());
beforeEach(async () => {
  [id = ''] = await createScenarios(api, 1, { approved_by: 'Dr A. Ward', approved_role: 'emergency physician' });
});

const stored = async (): Promise<Answer['body']> => (await api.get(`/api/v1/scenarios/${id}`)).body;
const change = (fields: object): Promise<Answer> => api.patch(`/api/v1/scenarios/${id}`, fields);
const revisions = async (query = ''): Promise<Answer['body']> =>
  (await api.get(`/api/v1/scenarios/${id}/revisions${query}`)).body;

const SIGNED = { approved: true, approved_by: 'Dr A. Ward', approved_role: 'emergency physician' };
const UNSIGNED = {
  approved: false,
  approved_by: null,
  approved_role: null,
  approved_at: null,
  approved_revision: null,
};

describe('a revision', () => {
  test('is the first when a scenario is made, and tells the hash of what it holds', async () => {
    expect(await stored()).toMatchObject({ revision: 1, content_hash: expect.stringMatching(HEX) });
    expect(await revisions()).toMatchObject({ revisions: [{ revision: 1 }], total: 1 });
  });

  test('is new when content or rubric change, and what was before is kept as it was', async () => {
    const before = await stored();
    await change({ rubric_criteria: [ASKS] });
    await change({ content: { ...before.content, script: 'You feel well.' } });
    expect(await stored()).toMatchObject({ revision: 3 });
    const { revisions: kept, total } = await revisions();
    expect(total).toBe(3);
    expect(
      kept.map(({ revision, content, rubric_criteria }: Answer['body']) => ({ revision, content, rubric_criteria })),
    ).toEqual([
      { revision: 3, content: { ...before.content, script: 'You feel well.' }, rubric_criteria: [ASKS] },
      { revision: 2, content: before.content, rubric_criteria: [ASKS] },
      { revision: 1, content: before.content, rubric_criteria: [CALLS_AMBULANCE] },
    ]);
    expect(kept[2]).toMatchObject({ content_hash: before.content_hash, approved_by: 'Dr A. Ward' });
    expect(new Set(kept.map(({ content_hash }: Answer['body']) => content_hash)).size).toBe(3);
  });

  test.each([
    ['the name', { name: 'Renamed' }],
    ['tags', { tags: ['other'] }],
    ['category, severity, type and priority', { category: 'x', severity: 'low', scenario_type: 'demo', priority: 7 }],
    ['the same rubric again', { rubric_criteria: [CALLS_AMBULANCE] }],
  ])('is not new for %s', async (_what, fields) => {
    const { content_hash, approved_at } = await stored();
    await change(fields);
    expect(await stored()).toMatchObject({ revision: 1, content_hash, ...SIGNED, approved_at });
    expect((await revisions()).total).toBe(1);
  });

  test('is not new for the same content in another order of its fields', async () => {
    const { content, content_hash } = await stored();
    await change({ content: Object.fromEntries(Object.entries(content).reverse()) });
    expect(await stored()).toMatchObject({ revision: 1, content_hash, approved: true });
  });

  test('has the hash of an earlier one when that is restored', async () => {
    const { content_hash } = await stored();
    await change({ rubric_criteria: [ASKS] });
    await change({ rubric_criteria: [CALLS_AMBULANCE] });
    expect(await stored()).toMatchObject({ revision: 3, content_hash, approved: false });
  });

  test('is on a page of the list, newest first', async () => {
    for (const points of [1, 2, 3]) await change({ rubric_criteria: [{ ...ASKS, points }] });
    const response = await fetch(`${service.url}/api/v1/scenarios/${id}/revisions?limit=2&offset=1`);
    const page = await response.json();
    expect(page).toMatchObject({ revisions: [{ revision: 3 }, { revision: 2 }], total: 4 });
    expect(response.headers.get('link')).toContain('offset=3');
    expect((await api.get(`/api/v1/scenarios/${id}/revisions?limit=0`)).status).toBe(400);
    expect((await api.get('/api/v1/scenarios/nonsense/revisions')).status).toBe(404);
  });

  test('shares a page with others only up to a megabyte of text', async () => {
    const { content } = await stored();
    for (const letter of ['a', 'b']) {
      await change({ content: { ...content, background: letter.repeat(600_000) } });
    }
    expect((await revisions()).revisions).toHaveLength(1);
    expect((await revisions('?offset=1')).revisions.map(({ revision }: Answer['body']) => revision)).toEqual([2, 1]);
  });
});

describe('an approval', () => {
  test('keeps who, in which role, when, and which revision', async () => {
    const scenario = await stored();
    expect(scenario).toMatchObject({ ...SIGNED, approved_revision: 1, approval_note: null });
    expect(Date.parse(scenario.approved_at)).toBeLessThanOrEqual(Date.now());
  });

  test.each([
    ['content', (content: object) => ({ content: { ...content, script: 'Other.' } })],
    ['rubric', () => ({ rubric_criteria: [] })],
  ])('ends with another %s', async (_what, fields) => {
    const { content } = await stored();
    expect((await change(fields(content))).body).toMatchObject({ revision: 2, ...UNSIGNED });
  });

  test('stands when the request that changes the rubric approves it', async () => {
    const { body } = await change({ rubric_criteria: [ASKS], approved: true, approved_by: 'Dr B. Lane' });
    expect(body).toMatchObject({
      revision: 2,
      approved: true,
      approved_by: 'Dr B. Lane',
      approved_role: null,
      approved_revision: 2,
    });
    expect((await revisions()).revisions[0]).toMatchObject({ revision: 2, approved_by: 'Dr B. Lane' });
  });

  test('does not take the name of who approved an earlier revision', async () => {
    expect((await change({ rubric_criteria: [ASKS], approved: true })).body).toMatchObject({
      approved: true,
      approved_by: null,
      approval_note: expect.stringContaining('Nobody is named'),
    });
  });

  test('is as old as it is when it is repeated, and new in another name', async () => {
    const { approved_at } = await stored();
    await change({ approved: true });
    await change(SIGNED);
    expect(await stored()).toMatchObject({ ...SIGNED, approved_at });
    const { body } = await change({ approved: true, approved_by: 'Dr B. Lane' });
    expect(body).toMatchObject({ approved_by: 'Dr B. Lane', approved_role: null });
    expect((await revisions()).revisions).toMatchObject([{ revision: 1, approved_by: 'Dr B. Lane' }]);
  });

  test('is withdrawn by a request, and its revision remembers it', async () => {
    expect((await change({ approved: false })).body).toMatchObject({ revision: 1, ...UNSIGNED });
    expect((await revisions()).revisions).toMatchObject([{ revision: 1, approved_by: 'Dr A. Ward' }]);
  });

  test.each([
    ['approved_by', { approved_by: 'Dr A. Ward' }],
    ['approved_role', { approved: false, approved_role: 'nurse' }],
    ['approved_by', { approved: true, approved_by: ' ' }],
    ['approved_by', { approved: true, approved_by: 'x'.repeat(201) }],
  ])('is refused when %s says something else', async (field, fields) => {
    expect(await change(fields)).toMatchObject({ status: 400, body: { error: expect.stringContaining(field) } });
  });

  test('of what the generator makes is missing', async () => {
    const { body } = await api.post('/api/v1/scenarios/generate', {
      text: 'Chest pain: the assistant must tell the patient to call emergency services.',
    });
    expect(body).toMatchObject({ revision: 1, content_hash: expect.stringMatching(HEX), ...UNSIGNED });
  });
});
