import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from './api-client';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from './examination';
import { startTestService } from './service';

export interface Examined {
  readonly run: Answer['body'];
  readonly result: Answer['body'];
  readonly health: Answer['body'];
  /** The Authorization headers that the agent under test got. */
  readonly agentKeys: ReadonlySet<string | undefined>;
}

/** One scenario with a good agent, by a service with these settings. */
export async function examineWith(variables: Readonly<Record<string, string>>, start: object = {}): Promise<Examined> {
  const agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
  const service = await startTestService(variables);
  try {
    const api = new ApiClient(service.url);
    const agent_id = await createAgent(api, agent.baseUrl, { api_key: undefined });
    const scenario_ids = await createScenarios(api, 1);
    const { body } = await api.post('/start-run', { agent_id, scenario_ids, max_turns: 5, ...start });
    const run = await untilFinal(api, body.id, 60_000);
    const [listed] = await scenarioRunsOf(api, body.id);
    return {
      run,
      result: (await api.get(`/api/v1/scenario-runs/${listed.id}`)).body,
      health: (await api.get('/health')).body,
      agentKeys: new Set(agent.requests.map(({ headers }) => headers.authorization)),
    };
  } finally {
    await service.close();
    await agent.close();
  }
}
