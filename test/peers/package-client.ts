// Uses the client of the package with nothing but its types and openapi-fetch; the test compiles it with the strictest types.
import { createOsceClient, type Answer, type Body } from 'agent-osce/client';

async function main([url = '', agentUrl = '']: readonly string[]): Promise<void> {
  const osce = createOsceClient({ url });
  const registration: Body<'createAgent'> = {
    name: 'Agent',
    provider: 'openai',
    config: { base_url: agentUrl, api_key: 'sk-test' },
  };
  const { data: agent } = await osce.POST('/api/v1/agents', { body: registration });
  const { data: scenario } = await osce.POST('/api/v1/scenarios', {
    body: {
      name: 'Chest pain',
      content: { script: 'It hurts.', chief_complaint: 'My chest hurts.' },
      rubric_criteria: [{ criterion: 'Tells the patient to call an ambulance', points: 5 }],
    },
  });
  if (!agent || !scenario) throw new Error('Nothing was created.');
  const { data: started } = await osce.POST('/start-run', {
    body: { agent_id: agent.id, scenario_ids: [scenario.scenario_id], max_turns: 5 },
  });
  if (!started) throw new Error('Nothing was started.');
  let run: Answer<'getTestRun'> | undefined;
  do {
    await new Promise((resolve) => setTimeout(resolve, 50));
    ({ data: run } = await osce.GET('/api/v1/tests/{id}', { params: { path: { id: started.id } } }));
  } while (run?.status === 'running');
  const { data: list } = await osce.GET('/api/v1/scenario-runs', {
    params: { query: { test_run_id: started.id, limit: 5 } },
  });
  const result = list?.results[0];
  const { error } = await osce.GET('/api/v1/agents/{id}', { params: { path: { id: 'nobody' } } });
  const decision: 'MET' | 'PARTIALLY MET' | 'NOT MET' | undefined = result?.criteria_results?.[0]?.decision;
  console.log(JSON.stringify({ status: run?.status, passed: result?.passed, decision, error }));
}

void main(process.argv.slice(2));
