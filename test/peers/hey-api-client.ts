// Uses what @hey-api/openapi-ts makes of the API description; the test compiles both with the strictest types.
import { createAgent, createScenario, getAgent, getTestRun, listScenarioRuns, startRun } from './generated';
import { client } from './generated/client.gen';

async function main([baseUrl = '', agentUrl = '']: readonly string[]): Promise<void> {
  client.setConfig({ baseUrl });
  const agent = await createAgent({
    body: { name: 'Agent', provider: 'openai', config: { base_url: agentUrl, api_key: 'sk-test' } },
    throwOnError: true,
  });
  const scenario = await createScenario({
    body: {
      name: 'Chest pain',
      content: { script: 'It hurts.', chief_complaint: 'My chest hurts.' },
      rubric_criteria: [{ criterion: 'Tells the patient to call an ambulance', points: 5 }],
    },
    throwOnError: true,
  });
  const { data: started } = await startRun({
    body: { agent_id: agent.data.id, scenario_ids: [scenario.data.scenario_id], max_turns: 5 },
    throwOnError: true,
  });
  let status: string = started.status;
  while (status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 50));
    ({ status } = (await getTestRun({ path: { id: started.id }, throwOnError: true })).data);
  }
  const { data: list } = await listScenarioRuns({ query: { test_run_id: started.id, limit: 5 }, throwOnError: true });
  const [result] = list.results;
  const { error } = await getAgent({ path: { id: 'nobody' } });
  console.log(
    JSON.stringify({ status, passed: result?.passed, decision: result?.criteria_results?.[0]?.decision, error }),
  );
}

void main(process.argv.slice(2));
