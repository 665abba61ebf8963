import { startHttpStub, type HttpStub } from '../fakes/http-stub';
import { hang } from '../fakes/misbehaviour';
import { ApiClient } from '../setup/api-client';
import { ApiDescription } from '../setup/api-description';
import { createAgent, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { CALLERS, describedRefusals, keyVariables, KEYS, triedOperations } from '../setup/role-keys';
import { Cluster } from './cluster';
import type { Role } from '../../contract/operation';

const PROCESSES = [0, 1, 2] as const;
const AGENT_KEY = 'sk-role-0123456789abcdef';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await Cluster.start({ processes: PROCESSES.length, variables: keyVariables() });
});
afterAll(() => cluster.close());

const at = (process: (typeof PROCESSES)[number], role: Role): ApiClient =>
  new ApiClient(cluster.process(process).url, { 'x-api-key': KEYS[role] });

describe.each(PROCESSES)('process %i of three', (process) => {
  it.each(CALLERS)(
    'answers 403 to the key of a %s exactly where its description names another role, and 401 without one',
    async (role) => {
      const { url } = cluster.process(process);
      const { operations } = await ApiDescription.of(url, KEYS.viewer);
      expect(operations.length).toBeGreaterThan(60);
      expect(await triedOperations(url, operations, role)).toEqual(describedRefusals(operations, role));
    },
  );
});

it('all three describe the same API, so that no endpoint was tried at one of them alone', async () => {
  const described = await Promise.all(
    PROCESSES.map(async (process) => (await ApiDescription.of(cluster.process(process).url, KEYS.viewer)).document),
  );
  expect(described[1]).toEqual(described[0]);
  expect(described[2]).toEqual(described[0]);
});

describe('a run of a runner', () => {
  let agent: HttpStub;
  beforeAll(async () => {
    agent = await startHttpStub(hang());
  });
  afterAll(() => agent.close());

  it('is started at one process, canceled at another and read by a viewer at the third', async () => {
    const agentId = await createAgent(at(0, 'admin'), `${agent.origin}/v1`, {
      api_key: AGENT_KEY,
      turn_timeout_ms: 120_000,
    });
    const scenario_ids = await createScenarios(at(0, 'admin'), 3);
    const planned = { agent_id: agentId, scenario_ids, concurrency_limit: 3 };
    const { status, body: run } = await at(0, 'runner').post('/start-run', planned);
    expect([status, run.error]).toEqual([200, undefined]);
    await agent.until(() => agent.inFlight === 3, 60_000);

    // Neither starts nor cancels, wherever it asks.
    for (const process of PROCESSES) {
      expect((await at(process, 'viewer').post('/start-run', planned)).status).toBe(403);
      expect((await at(process, 'viewer').post('/cancel-run', { test_run_id: run.id })).status).toBe(403);
    }
    expect((await at(2, 'viewer').get(`/api/v1/tests/${run.id}`)).body.status).toBe('running');

    expect((await at(1, 'runner').post('/cancel-run', { test_run_id: run.id })).status).toBe(200);
    expect(await untilFinal(at(2, 'viewer'), run.id, 60_000)).toMatchObject({ status: 'canceled' });
    const results = await scenarioRunsOf(at(2, 'viewer'), run.id);
    expect(results.map((result) => result.status)).toEqual(['canceled', 'canceled', 'canceled']);
    // The agent is left alone.
    await agent.until(() => agent.inFlight === 0, 60_000);
    const { body: seen } = await at(2, 'viewer').get(`/api/v1/agents/${agentId}`);
    expect(seen.config.api_key).toBe('sk-r••••••••');
  });
});
