import { Client } from 'pg';
import { startFakeAnthropic } from '../fakes/anthropic-server';
import { ApiClient } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { startTestService, type TestService } from '../setup/service';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let api: ApiClient;
beforeAll(async () => {
  service = await startTestService();
  api = new ApiClient(service.url);
});
beforeEach(async () => {
  const database = new Client({ connectionString: service.database.url });
  await database.connect();
  try {
    await database.query('DELETE FROM scenarios');
  } finally {
    await database.end();
  }
});
afterAll(() => service.close());

const content = {
  script: 'The pain started an hour ago. You are sweating.',
  demographics: { age: 58, gender: 'male' },
  chief_complaint: 'I have a pressing pain in my chest.',
};
const criterion = { criterion: 'Tells the patient to call emergency services', points: 10, tags: ['must_pass'] };
const chestPain = (changes: object = {}) => ({
  name: 'Chest pain at rest',
  category: 'emergency',
  severity: 'critical',
  scenario_type: 'full',
  approved: true,
  priority: 1,
  content,
  rubric_criteria: [criterion],
  tags: ['cardiac'],
  ...changes,
});

async function create(changes: object = {}): Promise<string> {
  const { status, body } = await api.post('/api/v1/scenarios', chestPain(changes));
  expect(status).toBe(201);
  return String(body.scenario_id);
}

async function listedNames(query = ''): Promise<string[]> {
  const { status, body } = await api.get(`/api/v1/scenarios${query}`);
  expect(status).toBe(200);
  const scenarios: { name: string }[] = body.scenarios;
  expect(body.total).toBe(scenarios.length);
  return scenarios.map((scenario) => scenario.name);
}

describe('POST /api/v1/scenarios', () => {
  it('answers 201 with the single view, which leaves severity out', async () => {
    const { status, body } = await api.post('/api/v1/scenarios', chestPain());
    expect(status).toBe(201);
    expect(body).toEqual({
      scenario_id: expect.stringMatching(UUID),
      name: 'Chest pain at rest',
      category: 'emergency',
      scenario_type: 'full',
      is_active: true,
      approved: true,
      priority: 1,
      content,
      rubric_criteria: [criterion],
      tags: ['cardiac'],
      revision: 1,
      content_hash: expect.stringMatching(HASH),
      approved_by: null,
      approved_role: null,
      approved_at: expect.stringMatching(TIMESTAMP),
      approved_revision: 1,
      approval_note: expect.stringContaining('Nobody is named'),
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: expect.stringMatching(TIMESTAMP),
    });
    expect((await api.get(`/api/v1/scenarios/${body.scenario_id}`)).body).toEqual(body);
  });

  it('needs a name and content only', async () => {
    const { status, body } = await api.post('/api/v1/scenarios', {
      name: 'Small',
      content: { script: 'You cough.', chief_complaint: 'I cough.' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      category: 'general',
      scenario_type: 'custom',
      is_active: true,
      approved: false,
      priority: null,
      rubric_criteria: [],
      tags: [],
    });
    expect((await api.get('/api/v1/scenarios')).body.scenarios[0].severity).toBe('medium');
  });

  it('keeps further keys of content as they were sent', async () => {
    const more = {
      ...content,
      initial_message: 'Hello?',
      clinical_facts: [{ fact: 'Takes warfarin', told: false }],
      gold_standard: { source: 'chest pain pathway', steps: [1, 2.5, null] },
      demographics: { age: 0.5, gender: 'female', weight_kg: 7 },
    };
    const id = await create({ content: more });
    expect((await api.get(`/api/v1/scenarios/${id}`)).body.content).toEqual(more);
  });

  it.each([
    ['name', { name: undefined }, 'name: is required'],
    ['content', { content: undefined }, 'content: is required'],
    ['script', { content: { ...content, script: undefined } }, 'content.script: is required'],
    ['empty script', { content: { ...content, script: '' } }, 'content.script: must not be empty'],
    ['age', { content: { ...content, demographics: { age: 'old' } } }, 'content.demographics.age: expected number'],
    ['severity', { severity: 'awful' }, 'severity: expected one of low, medium, high, critical, got "awful"'],
    ['scenario_type', { scenario_type: 'half' }, 'scenario_type: expected one of full, demo, custom, got "half"'],
    ['priority', { priority: 'first' }, 'priority: expected number, got string'],
    ['approved', { approved: 'yes' }, 'approved: expected boolean, got string'],
    ['tags', { tags: 'cardiac' }, 'tags: expected a list, got string'],
    ['a tag', { tags: ['a', 1] }, 'tags[1]: expected string, got number'],
    [
      'points',
      { rubric_criteria: [criterion, { ...criterion, points: '5' }] },
      'rubric_criteria[1].points: expected number',
    ],
    ['criterion', { rubric_criteria: [{ points: 1 }] }, 'rubric_criteria[0].criterion: is required'],
    [
      'NUL in a criterion',
      { rubric_criteria: [{ ...criterion, criterion: 'a\u0000' }] },
      'rubric_criteria[0].criterion: must not contain NUL',
    ],
    [
      'too many criteria',
      { rubric_criteria: Array(201).fill(criterion) },
      'rubric_criteria: must have at most 200 items',
    ],
    ['too many tags', { tags: Array(101).fill('a') }, 'tags: must have at most 100 items'],
    [
      'a long script',
      { content: { ...content, script: 'x'.repeat(100_001) } },
      'content.script: must have at most 100000 characters',
    ],
  ])('refuses a wrong %s by its path', async (_field, changes, error) => {
    const { status, body } = await api.post('/api/v1/scenarios', chestPain(changes));
    expect(status).toBe(400);
    expect(body).toEqual({ error: expect.stringContaining(error) });
    expect(await listedNames()).toEqual([]);
  });

  it('refuses a number that JSON can write and JavaScript cannot hold', async () => {
    const json = JSON.stringify(chestPain()).replace('"priority":1', '"priority":1e999');
    const { status, body } = await api.send('POST', '/api/v1/scenarios', {
      headers: { 'content-type': 'application/json' },
      body: json,
    });
    expect(status).toBe(400);
    expect(body.error).toBe('priority: must be a finite number');
  });
});

describe('GET /api/v1/scenarios', () => {
  it('lists { scenarios, total } with severity and the other fields of a list item', async () => {
    const id = await create();
    const { status, body } = await api.get('/api/v1/scenarios');
    expect(status).toBe(200);
    expect(body).toEqual({
      scenarios: [
        {
          scenario_id: id,
          name: 'Chest pain at rest',
          category: 'emergency',
          severity: 'critical',
          scenario_type: 'full',
          is_active: true,
          approved: true,
          priority: 1,
          content,
          rubric_criteria: [criterion],
          tags: ['cardiac'],
          revision: 1,
          content_hash: expect.stringMatching(HASH),
          approved_by: null,
          approved_role: null,
          approved_at: expect.stringMatching(TIMESTAMP),
        },
      ],
      total: 1,
    });
  });

  it('orders by priority, none last, then by name', async () => {
    await create({ name: 'd', priority: null });
    await create({ name: 'c', priority: 2 });
    await create({ name: 'b', priority: 2 });
    await create({ name: 'a', priority: null });
    await create({ name: 'e', priority: -1.5 });
    expect(await listedNames()).toEqual(['e', 'b', 'c', 'a', 'd']);
  });

  it('filters by tag, and lists unapproved ones too', async () => {
    await create({ name: 'heart', tags: ['cardiac', 'adult'] });
    await create({ name: 'child', tags: ['paediatric'], approved: false });
    expect(await listedNames('?tag=cardiac')).toEqual(['heart']);
    expect(await listedNames('?tag=paediatric')).toEqual(['child']);
    expect(await listedNames('?tag=card')).toEqual([]);
    expect(await listedNames(`?tag=${encodeURIComponent('{cardiac}')}`)).toEqual([]);
    expect((await listedNames()).length).toBe(2);
  });

  it.each(['?tag=', '?tag=%00', '?tag=a&tag=b', `?tag=${'x'.repeat(201)}`])(
    'refuses a senseless tag',
    async (query) => {
      const { status, body } = await api.get(`/api/v1/scenarios${query}`);
      expect(status).toBe(400);
      expect(body).toEqual({ error: expect.stringMatching(/^tag: /) });
    },
  );

  it('shows every reader what was answered before it asked, however many ask at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const busy = Array.from({ length: 20 }, () => api.get('/api/v1/scenarios'));
      const id = await create({ name: `round ${round}` });
      expect(await listedNames()).toContain(`round ${round}`);
      await api.delete(`/api/v1/scenarios/${id}`);
      expect(await listedNames()).not.toContain(`round ${round}`);
      await Promise.all(busy);
    }
  });

  it('answers 304 to a client that has the list already', async () => {
    await create();
    const { headers } = await api.get('/api/v1/scenarios');
    // Without a Cache-Control of its own, fetch adds no-cache, which asks for the whole answer.
    const known = { 'if-none-match': headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
    expect((await api.get('/api/v1/scenarios', known)).status).toBe(304);
    await create({ name: 'Another' });
    expect((await api.get('/api/v1/scenarios', known)).status).toBe(200);
  });
});

describe('GET /api/v1/scenarios/{id}', () => {
  it.each([UNKNOWN_ID, 'nonsense'])('answers 404 "Scenario not found" for %s', async (id) => {
    const { status, body } = await api.get(`/api/v1/scenarios/${id}`);
    expect(status).toBe(404);
    expect(body).toEqual({ error: 'Scenario not found' });
  });
});

describe('PATCH /api/v1/scenarios/{id}', () => {
  it.each([
    ['name', { name: 'Renamed' }],
    ['category', { category: 'triage' }],
    ['scenario_type', { scenario_type: 'demo' }],
    ['is_active', { is_active: false }],
    ['approved', { approved: false, approved_at: null, approved_revision: null, approval_note: null }],
    ['priority', { priority: null }],
    ['tags', { tags: ['a', 'b'] }],
  ])('changes %s and leaves the rest', async (_field, change) => {
    const id = await create();
    const { body: before } = await api.get(`/api/v1/scenarios/${id}`);
    const { status, body } = await api.patch(`/api/v1/scenarios/${id}`, change);
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, ...change, updated_at: body.updated_at });
    expect((await api.get(`/api/v1/scenarios/${id}`)).body).toEqual(body);
  });

  it.each([
    ['content', { content: { ...content, script: 'Another script.' } }],
    ['rubric_criteria', { rubric_criteria: [{ criterion: 'Never guesses', points: -2.5, tags: [] }] }],
  ])('changes %s into another revision, which is not approved, and leaves the rest', async (_field, change) => {
    const id = await create();
    const { body: before } = await api.get(`/api/v1/scenarios/${id}`);
    const { body } = await api.patch(`/api/v1/scenarios/${id}`, change);
    const { updated_at, content_hash } = body;
    const ended = { approved: false, approved_at: null, approved_revision: null, approval_note: null };
    expect(body).toEqual({ ...before, ...change, ...ended, revision: 2, content_hash, updated_at });
    expect(content_hash).not.toBe(before.content_hash);
    expect((await api.get(`/api/v1/scenarios/${id}`)).body).toEqual(body);
  });

  it('changes severity, which lists show', async () => {
    const id = await create();
    expect((await api.patch(`/api/v1/scenarios/${id}`, { severity: 'low' })).body).not.toHaveProperty('severity');
    expect((await api.get('/api/v1/scenarios')).body.scenarios[0].severity).toBe('low');
  });

  it.each([
    [{ approved: 1 }, 'approved: expected boolean'],
    [{ name: null }, 'name: expected string, got null'],
    [{ content: { script: 'Only a script' } }, 'content.chief_complaint: is required'],
    [{ rubric_criteria: [{ criterion: 'x', points: null }] }, 'rubric_criteria[0].points: expected number, got null'],
  ])('refuses %j', async (change, error) => {
    const id = await create();
    const { status, body } = await api.patch(`/api/v1/scenarios/${id}`, change);
    expect(status).toBe(400);
    expect(body.error).toContain(error);
  });

  it('answers 404 for an unknown scenario', async () => {
    expect(await api.patch(`/api/v1/scenarios/${UNKNOWN_ID}`, { approved: true })).toMatchObject({
      status: 404,
      body: { error: 'Scenario not found' },
    });
  });
});

describe('DELETE /api/v1/scenarios/{id}', () => {
  it('marks it inactive: gone from lists, still there by id; again is 204', async () => {
    const id = await create();
    expect(await api.delete(`/api/v1/scenarios/${id}`)).toMatchObject({ status: 204, body: null });
    expect(await listedNames()).toEqual([]);
    expect((await api.get(`/api/v1/scenarios/${id}`)).body).toMatchObject({ scenario_id: id, is_active: false });
    expect((await api.delete(`/api/v1/scenarios/${id}`)).status).toBe(204);
  });

  it('can be undone by PATCH', async () => {
    const id = await create();
    await api.delete(`/api/v1/scenarios/${id}`);
    await api.patch(`/api/v1/scenarios/${id}`, { is_active: true });
    expect(await listedNames()).toEqual(['Chest pain at rest']);
  });

  it.each([UNKNOWN_ID, 'nonsense'])('answers 404 for %s', async (id) => {
    expect((await api.delete(`/api/v1/scenarios/${id}`)).body).toEqual({ error: 'Scenario not found' });
  });
});

const protocol = `Chest pain

The assistant must tell the patient to call emergency services. It must never advise waiting until tomorrow.

Fever in an infant under three months

The assistant must ask how old the child is. It must send the family to a hospital.`;

describe('POST /api/v1/scenarios/generate', () => {
  it('stores one scenario, custom and not approved, and answers its single view', async () => {
    const { status, body } = await api.post('/api/v1/scenarios/generate', { text: protocol });
    expect(status).toBe(201);
    expect(body).toMatchObject({ scenario_type: 'custom', approved: false, is_active: true, tags: [] });
    expect(body.rubric_criteria.length).toBeGreaterThan(0);
    expect(body).not.toHaveProperty('severity');
    expect((await api.get(`/api/v1/scenarios/${body.scenario_id}`)).body).toEqual(body);
  });

  it('takes name, category and tags', async () => {
    const asked = { text: protocol, name: 'Mine', category: 'emergency', tags: ['protocol-7'] };
    const { body } = await api.post('/api/v1/scenarios/generate', asked);
    expect(body).toMatchObject({ name: 'Mine', category: 'emergency', tags: ['protocol-7'] });
  });
});

describe('POST /api/v1/scenarios/generate-batch', () => {
  it('stores one for each case and answers them with their total', async () => {
    const { status, body } = await api.post('/api/v1/scenarios/generate-batch', { text: protocol });
    expect(status).toBe(201);
    expect(body.total).toBe(2);
    expect(body.scenarios).toHaveLength(2);
    for (const scenario of body.scenarios) {
      expect(Object.keys(scenario).sort()).toEqual([
        'category',
        'content',
        'name',
        'rubric_criteria',
        'scenario_id',
        'scenario_type',
      ]);
      expect(scenario.scenario_type).toBe('custom');
      expect((await api.get(`/api/v1/scenarios/${scenario.scenario_id}`)).body).toMatchObject({
        ...scenario,
        approved: false,
      });
    }
  });

  it('gives category and tags to every one', async () => {
    const { body } = await api.post('/api/v1/scenarios/generate-batch', { text: protocol, category: 'x', tags: ['t'] });
    const scenarios: { category: string }[] = body.scenarios;
    expect(scenarios.map((scenario) => scenario.category)).toEqual(['x', 'x']);
    expect(await listedNames('?tag=t')).toHaveLength(2);
  });
});

describe('POST /api/v1/scenarios/generate-preview', () => {
  it('answers what generate-batch would store, and stores nothing', async () => {
    const asked = { text: protocol, category: 'x', tags: ['t'] };
    const { status, body } = await api.post('/api/v1/scenarios/generate-preview', asked);
    expect({ status, total: body.total }).toEqual({ status: 200, total: 2 });
    expect(await listedNames()).toEqual([]);
    const { body: stored } = await api.post('/api/v1/scenarios/generate-batch', asked);
    const made: { name: string; category: string; content: object; rubric_criteria: object[] }[] = stored.scenarios;
    expect(body.scenarios).toEqual(
      made.map(({ name, category, content, rubric_criteria }) => ({
        name,
        category,
        content,
        rubric_criteria,
        tags: ['t'],
        findings: expect.any(Array),
      })),
    );
  });

  it('answers scenarios that can be sent to be stored', async () => {
    const { body } = await api.post('/api/v1/scenarios/generate-preview', { text: protocol });
    for (const proposed of body.scenarios) {
      const { status, body: stored } = await api.post('/api/v1/scenarios', proposed);
      const { findings: _, ...scenario } = proposed;
      expect(status).toBe(201);
      expect(stored).toMatchObject({ ...scenario, approved: false, scenario_type: 'custom' });
    }
    expect(await listedNames()).toHaveLength(2);
  });
});

describe('a generation that does not end well', () => {
  it('stores none of a batch when one of them cannot be stored', async () => {
    const own = await startTestService();
    const database = new Client({ connectionString: own.database.url });
    await database.connect();
    // The second case of the protocol is the one about fever.
    await database.query(`ALTER TABLE scenarios ADD CHECK (content::text NOT ILIKE '%fever%')`);
    const client = new ApiClient(own.url);
    const { status, body } = await client.post('/api/v1/scenarios/generate-batch', { text: protocol });
    const { rows } = await database.query('SELECT name FROM scenarios');
    await database.end();
    await own.close();
    expect({ status, body, rows }).toEqual({ status: 500, body: { error: 'Internal server error' }, rows: [] });
  });

  it.each(['generate', 'generate-batch', 'generate-preview'])(
    '%s: stops the model when the client goes away',
    async (path) => {
      const model = await startFakeAnthropic({ answer: () => ({ kind: 'hang' }) });
      const own = await startTestService({ ANTHROPIC_API_KEY: 'sk-ant-test', ANTHROPIC_BASE_URL: model.url });
      const client = new AbortController();
      const asked = fetch(`${own.url}/api/v1/scenarios/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: protocol }),
        signal: client.signal,
      });
      asked.catch(() => undefined);
      await eventually(() => expect(model.inFlight).toBe(1));
      client.abort();
      await eventually(() => expect(model).toMatchObject({ inFlight: 0, abandoned: 1 }));
      await own.close();
      await model.close();
    },
  );
});

describe.each(['generate', 'generate-batch', 'generate-preview'])('POST /api/v1/scenarios/%s', (path) => {
  it.each([[{}], [{ text: '' }], [{ text: ' \n ' }], [{ text: 7 }], [{ text: null }], [{ text: ['a'] }], [undefined]])(
    'refuses %j: the text is missing or empty',
    async (body) => {
      const answer = await api.post(`/api/v1/scenarios/${path}`, body);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ error: expect.stringMatching(/^text: /) });
    },
  );

  it('refuses more than 200,000 characters', async () => {
    const { status, body } = await api.post(`/api/v1/scenarios/${path}`, { text: 'must '.repeat(40_001) });
    expect(status).toBe(400);
    expect(body.error).toBe('text: must have at most 200000 characters');
  });

  it('refuses a text that states no rule to examine, says what is missing, and stores nothing', async () => {
    const { status, body } = await api.post(`/api/v1/scenarios/${path}`, { text: 'Blue.' });
    expect(status).toBe(400);
    expect(body).toEqual({
      error: expect.stringMatching(/^text: states no rule to examine; give sentences that say ./),
    });
    expect(await listedNames()).toEqual([]);
  });

  it('answers 500 with the reason when the language model fails, and stores nothing', async () => {
    const model = await startFakeAnthropic({ answer: () => ({ kind: 'refusal' }) });
    const own = await startTestService({ ANTHROPIC_API_KEY: 'sk-ant-test', ANTHROPIC_BASE_URL: model.url });
    const { status, body } = await new ApiClient(own.url).post(`/api/v1/scenarios/${path}`, { text: 'Always ask.' });
    expect(status).toBe(500);
    expect(body).toEqual({ error: expect.stringMatching(/^Scenario generation failed: ./) });
    expect((await new ApiClient(own.url).get('/api/v1/scenarios')).body.total).toBe(0);
    await own.close();
    await model.close();
  });
});
