import { randomUUID } from 'node:crypto';
import { silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { AgentsStore, type NewAgent } from '../../../src/features/agents/agents.store';
import { Database } from '../../../src/platform/database/database';
import { ScenarioSelectionStore } from '../../../src/features/scenarios/scenario-selection.store';
import { ScenariosStore, type NewScenario } from '../../../src/features/scenarios/scenarios.store';
import { TestSuitesStore, UnknownScenariosError } from '../../../src/features/suites/test-suites.store';
import { createTestDatabase, type TestDatabase } from '../../setup/database';

let testDatabase: TestDatabase;
let database: Database;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.open(settingsFrom({ DATABASE_URL: testDatabase.url }), silentLog);
});

afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const anAgent = (changes: Partial<NewAgent> = {}): NewAgent => ({
  name: 'Clinic',
  provider: 'openai',
  description: null,
  config: {},
  ...changes,
});

const aScenario = (changes: Partial<NewScenario> = {}): NewScenario => ({
  name: 'Chest pain',
  category: 'emergency',
  scenarioType: 'custom',
  severity: 'medium',
  isActive: true,
  approved: false,
  priority: null,
  content: { script: 'It hurts.', demographics: { age: 58 }, chief_complaint: 'My chest hurts.' },
  rubricCriteria: [{ criterion: 'Tells to call an ambulance', points: 5, tags: ['must_pass'] }],
  tags: [],
  ...changes,
});

async function storeRun(agentId: string, status: string): Promise<string> {
  const id = randomUUID();
  await database.query(
    `INSERT INTO test_runs (id, label, status, agent_id, agent_name, agent_provider, total_scenarios, max_turns,
       concurrency_limit, pass_threshold) VALUES ($1, $2, $3, $4, 'Clinic', 'openai', 0, 6, 6, 50)`,
    [id, `run_${id}`, status, agentId],
  );
  return id;
}

describe('agents', () => {
  let agents: AgentsStore;
  beforeEach(() => {
    agents = new AgentsStore(database);
  });

  it('gives a new agent its id, times and activity, and returns its config exactly as it was sent', async () => {
    const config = { z: 1.5, apiKey: 'k', a: { '': [null, true, 'é\u2028'] }, 10: 'ten', nothing: null };
    const created = await agents.create(anAgent({ config }));
    const found = await agents.find(created.id);
    expect(JSON.stringify(found?.config)).toBe(JSON.stringify(config));
    expect(found).toMatchObject({
      isActive: true,
      description: null,
      provider: 'openai',
      createdAt: created.createdAt,
    });
    expect(found?.updatedAt).toEqual(created.updatedAt);
  });

  it('lists by name, and the same names always in the same order', async () => {
    for (const name of ['b', 'a', 'B', 'a']) await agents.create(anAgent({ name }));
    const listed = await agents.list();
    expect(listed.map(({ name }) => name)).toEqual(['B', 'a', 'a', 'b']);
    expect(listed.map(({ id }) => id)).toEqual((await agents.list()).map(({ id }) => id));
  });

  it('makes the new config of the one that is stored', async () => {
    const { id } = await agents.create(anAgent({ config: { old: { deep: 1 } } }));
    const updated = await agents.update(id, { config: ({ config }) => ({ ...config, fresh: [2] }), name: 'New' });
    expect(updated).toMatchObject({ name: 'New', config: { old: { deep: 1 }, fresh: [2] } });
    expect((await agents.find(id))?.config).toEqual({ old: { deep: 1 }, fresh: [2] });
  });

  it('keeps a config as it is, whatever its keys are called', async () => {
    const config = {
      toString: { x: 1 },
      valueOf: [1],
      hasOwnProperty: 1,
      constructor: { y: { toString: { z: 2 } } },
      '': null,
    };
    const { id, config: stored } = await agents.create(anAgent({ config }));
    expect(JSON.stringify(stored)).toBe(JSON.stringify(config));
    const updated = await agents.update(id, {
      config: ({ config: before }) => ({ ...before, isPrototypeOf: { more: 1 } }),
    });
    expect(JSON.stringify(updated?.config)).toBe(JSON.stringify({ ...config, isPrototypeOf: { more: 1 } }));
    expect(JSON.stringify((await agents.find(id))?.config)).toBe(JSON.stringify(updated?.config));
  });

  it('moves updated_at with a change', async () => {
    const { id, updatedAt } = await agents.create(anAgent());
    await database.query(`UPDATE agents SET updated_at = updated_at - interval '1 hour'`);
    const updated = await agents.update(id, { isActive: false });
    expect(updated?.isActive).toBe(false);
    expect(updated?.updatedAt.getTime()).toBeGreaterThanOrEqual(updatedAt.getTime());
    expect((await agents.find(id))?.updatedAt).toEqual(updated?.updatedAt);
  });

  it('loses none of many changes made at the same time', async () => {
    const { id } = await agents.create(anAgent());
    const keys = Array.from({ length: 25 }, (_, n) => `key${n}`);
    await Promise.all(keys.map((key) => agents.update(id, { config: ({ config }) => ({ ...config, [key]: key }) })));
    expect(Object.keys((await agents.find(id))?.config ?? {}).sort()).toEqual([...keys].sort());
  });

  it('does not know an id that is not a UUID, nor one that nobody has', async () => {
    for (const id of ['nobody', '', randomUUID(), "'; DROP TABLE agents"]) {
      expect(await agents.find(id)).toBeNull();
      expect(await agents.findForRun(id)).toBeNull();
      expect(await agents.update(id, { name: 'x' })).toBeNull();
      expect(await agents.delete(id)).toBe(false);
    }
  });

  it('forgets a deleted agent everywhere but for the runs that still need it', async () => {
    const { id } = await agents.create(anAgent({ config: { api_key: 'secret' } }));
    expect(await agents.delete(id)).toBe(true);
    expect(await agents.find(id)).toBeNull();
    expect(await agents.list()).toEqual([]);
    expect(await agents.update(id, { name: 'x' })).toBeNull();
    expect(await agents.delete(id)).toBe(false);
    expect(await agents.findForRun(id)).toMatchObject({ config: { api_key: 'secret' } });
  });

  it.each(['scheduled', 'pending', 'running'])('keeps a deleted agent while a run of it is %s', async (status) => {
    const { id } = await agents.create(anAgent());
    const runId = await storeRun(id, status);
    await agents.delete(id);
    expect(await agents.eraseDeletedAgents(database, 0)).toBe(0);
    expect(await agents.findForRun(id)).not.toBeNull();
    await database.query(`UPDATE test_runs SET status = 'completed' WHERE id = $1`, [runId]);
    expect(await agents.eraseDeletedAgents(database, 0)).toBe(1);
    expect(await agents.findForRun(id)).toBeNull();
  });

  it('erases only deleted agents, and none in the moment after its deletion', async () => {
    const kept = await agents.create(anAgent());
    const deleted = await agents.create(anAgent());
    await agents.delete(deleted.id);
    expect(await agents.eraseDeletedAgents(database)).toBe(0);
    expect(await agents.eraseDeletedAgents(database, 0)).toBe(1);
    expect(await agents.find(kept.id)).not.toBeNull();
  });
});

describe('scenarios', () => {
  let scenarios: ScenariosStore;
  beforeEach(() => {
    scenarios = new ScenariosStore(database);
  });

  it('lists active ones by priority, those without one last, then by name', async () => {
    await scenarios.createAll([
      aScenario({ name: 'a' }),
      aScenario({ name: 'c', priority: 1 }),
      aScenario({ name: 'b', priority: 1 }),
      aScenario({ name: 'd', priority: 0.5 }),
      aScenario({ name: 'e', priority: -1, isActive: false }),
    ]);
    expect((await scenarios.listActive()).map(({ name }) => name)).toEqual(['d', 'b', 'c', 'a']);
  });

  it('filters by a tag, whatever characters it has', async () => {
    const tag = `it's {a,"tag"} \\ NULL`;
    await scenarios.createAll([
      aScenario({ name: 'with', tags: ['x', tag] }),
      aScenario({ name: 'without', tags: ['x'] }),
    ]);
    expect((await scenarios.listActive(tag)).map(({ name, tags }) => ({ name, tags }))).toEqual([
      { name: 'with', tags: ['x', tag] },
    ]);
    expect(await scenarios.listActive('nothing has this')).toEqual([]);
  });

  it('stores content and rubric as they are', async () => {
    const content = { script: 's', clinical_facts: [{ b: 1, a: null }], initial_message: 'x'.repeat(200_000) };
    const { id } = await scenarios.create(aScenario({ content, priority: 2.5 }));
    const found = await scenarios.find(id.toUpperCase());
    expect(JSON.stringify(found?.content)).toBe(JSON.stringify(content));
    expect(found).toMatchObject({ id, priority: 2.5, rubricCriteria: aScenario().rubricCriteria });
  });

  it('stores all of a batch, in order, or none', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `scenario ${n}`);
    expect((await scenarios.createAll(names.map((name) => aScenario({ name })))).map(({ name }) => name)).toEqual(
      names,
    );
    // The second one of these cannot be stored: every scenario has a category.
    const batch = [aScenario({ name: 'fine' }), Object.assign(aScenario({ name: 'broken' }), { category: null })];
    await expect(scenarios.createAll(batch)).rejects.toThrow();
    expect(await scenarios.listActive()).toHaveLength(names.length);
  });

  it('changes what is named and nothing else', async () => {
    const { id } = await scenarios.create(aScenario({ tags: ['old'] }));
    const updated = await scenarios.update(id, { approved: true, tags: [], priority: 3 });
    expect(updated).toMatchObject({ ...aScenario(), approved: true, tags: [], priority: 3 });
    expect(await scenarios.find(id)).toEqual(updated);
    expect(await scenarios.update(randomUUID(), { approved: true })).toBeNull();
    expect(await scenarios.update('no-uuid', { approved: true })).toBeNull();
  });

  it('still answers for a deleted one, inactive, and may delete it again', async () => {
    const { id } = await scenarios.create(aScenario());
    expect(await scenarios.deactivate(id)).toBe(true);
    expect(await scenarios.deactivate(id)).toBe(true);
    expect(await scenarios.listActive()).toEqual([]);
    expect(await scenarios.find(id)).toMatchObject({ isActive: false });
    expect(await scenarios.deactivate(randomUUID())).toBe(false);
  });

  it('is filled once, by one of many who try, and never after a user has deleted what was there', async () => {
    const batch = [aScenario({ name: 'a' }), aScenario({ name: 'b' })];
    // Without open connections the first would be done before the others are connected.
    await Promise.all(Array.from({ length: 6 }, () => database.query('SELECT pg_sleep(0.05)')));
    const attempts = await Promise.all(Array.from({ length: 6 }, () => scenarios.createAllIfEmpty(batch)));
    expect(attempts.filter((stored) => stored)).toHaveLength(1);
    const listed = await scenarios.listActive();
    expect(listed).toHaveLength(2);
    for (const { id } of listed) await scenarios.deactivate(id);
    expect(await scenarios.createAllIfEmpty(batch)).toBe(false);
  });
});

describe('test suites', () => {
  let suites: TestSuitesStore;
  let scenarioIds: string[];
  beforeEach(async () => {
    suites = new TestSuitesStore(database, new ScenarioSelectionStore(database));
    const stored = await new ScenariosStore(database).createAll([
      aScenario(),
      aScenario(),
      aScenario({ isActive: false }),
    ]);
    scenarioIds = stored.map(({ id }) => id).reverse();
  });

  it('keeps its scenarios in the order given, inactive ones too', async () => {
    const { id } = await suites.create({ name: 'Suite', description: null, scenarioIds });
    expect(await suites.find(id)).toMatchObject({ name: 'Suite', description: null, scenarioIds });
    expect((await suites.list()).map((suite) => suite.id)).toEqual([id]);
  });

  it('names the scenarios that do not exist, and stores nothing', async () => {
    const unknown = [randomUUID(), 'no-uuid'];
    const refused = suites.create({ name: 'Suite', description: null, scenarioIds: [...scenarioIds, ...unknown] });
    await expect(refused).rejects.toEqual(new UnknownScenariosError(unknown));
    expect(await suites.list()).toEqual([]);
    const { id } = await suites.create({ name: 'Suite', description: null, scenarioIds });
    await expect(suites.update(id, { scenarioIds: unknown })).rejects.toThrow(UnknownScenariosError);
    expect(await suites.find(id)).toMatchObject({ scenarioIds });
  });

  it('changes and removes', async () => {
    const { id } = await suites.create({ name: 'Suite', description: 'text', scenarioIds });
    expect(await suites.update(id, { scenarioIds: [], description: null })).toMatchObject({
      name: 'Suite',
      scenarioIds: [],
      description: null,
    });
    expect(await suites.delete(id)).toBe(true);
    expect(await suites.delete(id)).toBe(false);
    expect(await suites.find(id)).toBeNull();
    expect(await suites.update(id, { scenarioIds: ['unknown'] })).toBeNull();
    expect(await suites.delete('no-uuid')).toBe(false);
  });
});
