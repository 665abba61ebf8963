import { createServer } from 'node:http';
import { once } from 'node:events';
import { silentLog } from '../../src/platform/config/log';
import { settingsFrom } from '../../src/platform/config/settings';
import { seedDemo, type DemoAgentHost } from '../../src/demo/seed-demo';
import { AgentsStore } from '../../src/features/agents/agents.store';
import { Database } from '../../src/platform/database/database';
import { FirstStartStore } from '../../src/demo/first-start.store';
import { ScenariosStore } from '../../src/features/scenarios/scenarios.store';
import { ApiClient } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { startTestService } from '../setup/service';

describe('a first start', () => {
  let made: TestDatabase;
  let database: Database;
  let agents: AgentsStore;
  let scenarios: ScenariosStore;
  let hosts: DemoAgentHost[];

  beforeEach(async () => {
    made = await createTestDatabase();
    database = await Database.open(settingsFrom({ DATABASE_URL: made.url }), silentLog);
    agents = new AgentsStore(database);
    scenarios = new ScenariosStore(database);
    hosts = [];
  });
  afterEach(async () => {
    await Promise.all(hosts.map((host) => host.close()));
    await database.close();
    await made.drop();
  });

  const start = async (): Promise<DemoAgentHost> => {
    const host = await seedDemo({ firstStart: new FirstStartStore(database), agents, scenarios });
    hosts.push(host);
    return host;
  };
  const addressOfDemoAgent = async (): Promise<string> => {
    const [agent] = await agents.list();
    return String(agent?.config['base_url']);
  };
  const answers = async (baseUrl: string): Promise<boolean> =>
    fetch(`${baseUrl}/models`).then(
      (response) => response.ok,
      () => false,
    );

  it('registers the demo clinic agent, which answers, and stores the starter library', async () => {
    await start();
    expect(await agents.list()).toMatchObject([
      { name: 'Demo clinic agent', provider: 'openai', isActive: true, config: { model: 'demo-clinic-agent' } },
    ]);
    expect(await scenarios.listActive()).toHaveLength(60);
    const reply = await fetch(`${await addressOfDemoAgent()}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }),
    });
    expect(reply.status).toBe(200);
  });

  it('happens once when several processes start together, and they share the agent', async () => {
    const processes = await Promise.all([start(), start(), start()]);
    expect(await agents.list()).toHaveLength(1);
    expect(await scenarios.listActive()).toHaveLength(60);
    expect(processes).toHaveLength(3);
    expect(await answers(await addressOfDemoAgent())).toBe(true);
  });

  it('is made up for when it was cut short after the agent', async () => {
    await (await start()).close();
    await database.query('DELETE FROM scenarios');
    await start();
    expect(await agents.list()).toHaveLength(1);
    expect(await scenarios.listActive()).toHaveLength(60);
  });

  it('keeps the address of the agent at the next start', async () => {
    await (await start()).close();
    const address = await addressOfDemoAgent();
    expect(await answers(address)).toBe(false);
    await start();
    expect(await addressOfDemoAgent()).toBe(address);
    expect(await answers(address)).toBe(true);
  });

  it('serves the agent again that was set to one of known quality, and none that was set to anything else', async () => {
    await (await start()).close();
    const [agent] = await agents.list();
    const address = await addressOfDemoAgent();
    const setModel = (model: string) =>
      agents.update(agent?.id ?? '', { config: ({ config }) => ({ ...config, model }) });
    await setModel('gpt-elsewhere');
    await start();
    expect(await answers(address)).toBe(false);
    await setModel('reference/ideal-clinician');
    await start();
    expect(await answers(address)).toBe(true);
  });

  it('moves the agent when a stranger has taken its port', async () => {
    await (await start()).close();
    const address = await addressOfDemoAgent();
    const stranger = createServer((_request, response) => response.end('{}'));
    await once(stranger.listen(Number(new URL(address).port), '127.0.0.1'), 'listening');
    try {
      await start();
      const moved = await addressOfDemoAgent();
      expect(moved).not.toBe(address);
      expect(await answers(moved)).toBe(true);
    } finally {
      stranger.close();
    }
  });

  it('brings nothing back that was deleted for good, down to the last scenario', async () => {
    await (await start()).close();
    const [last] = await scenarios.listActive();
    await database.query('DELETE FROM scenarios WHERE id <> $1', [last?.id]);
    const service = await startTestService({}, { database: made });
    try {
      const api = new ApiClient(service.url);
      for (const { id } of await agents.list())
        expect(await api.delete(`/api/v1/agents/${id}`)).toMatchObject({ status: 204 });
      expect(await api.delete(`/api/v1/scenarios/${last?.id}?purge=true`)).toMatchObject({ status: 204 });
    } finally {
      await service.close();
    }
    await start();
    expect(await agents.list()).toEqual([]);
    expect(await scenarios.listActive()).toEqual([]);
  });

  it('brings nothing back that was deleted', async () => {
    await (await start()).close();
    const address = await addressOfDemoAgent();
    for (const { id } of await agents.list()) await agents.delete(id);
    for (const { id } of await scenarios.listActive()) await scenarios.deactivate(id);
    await start();
    expect(await agents.list()).toEqual([]);
    expect(await scenarios.listActive()).toEqual([]);
    expect(await answers(address)).toBe(false);
  });

  it('leaves an agent alone that a user pointed elsewhere', async () => {
    await (await start()).close();
    const [agent] = await agents.list();
    await agents.update(agent?.id ?? '', {
      config: ({ config }) => ({ ...config, base_url: 'https://clinic.example/v1' }),
    });
    await start();
    expect(await addressOfDemoAgent()).toBe('https://clinic.example/v1');
  });
});
