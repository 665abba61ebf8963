import { startHttpStub } from '../fakes/http-stub';
import { startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, untilFinal } from '../setup/examination';
import { startTestService } from '../setup/service';

/** A run of one scenario that fails, with what its webhook was told and its JUnit file. */
async function toldOfFailure(variables: Readonly<Record<string, string>>) {
  const service = await startTestService(variables);
  const agent = await startFakeOpenAi({ reply: () => 'No.' });
  const receiver = await startHttpStub((response) => response.writeHead(204).end());
  try {
    const api = new ApiClient(service.url);
    const { body: webhook } = await api.post('/api/v1/webhooks', { url: `${receiver.origin}/hook` });
    expect(webhook.url).toBeDefined();
    const scenario_ids = await createScenarios(api, 1);
    const { body: begun } = await api.post('/start-run', {
      agent_id: await createAgent(api, agent.baseUrl),
      scenario_ids,
    });
    const run = await untilFinal(api, begun.id);
    expect(run.failed_count).toBe(1);
    await eventually(() => expect(receiver.requests.length).toBe(1));
    const told: Answer['body'] = receiver.requests[0]?.body;
    const { links } = told.data;
    const [{ id: scenarioRun }] = (await api.get(`/api/v1/scenario-runs?test_run_id=${run.id}`)).body.results;
    const junit = await (await fetch(`${service.url}/api/v1/tests/${run.id}/export?format=junit`)).text();
    return { run: run.id, scenarioRun, links, junit };
  } finally {
    await receiver.close();
    await agent.close();
    await service.close();
  }
}

describe('links from elsewhere to the page', () => {
  test('name the run and the conversation that failed under PUBLIC_URL', async () => {
    const { run, scenarioRun, links, junit } = await toldOfFailure({ PUBLIC_URL: 'https://osce.example.org/' });
    expect(links).toEqual({
      test_run: `https://osce.example.org/api/v1/tests/${run}`,
      page: `https://osce.example.org/runs/${run}`,
      not_passed: [
        {
          scenario_name: expect.any(String),
          trial: 1,
          status: 'failed',
          page: `https://osce.example.org/scenario-runs/${scenarioRun}`,
        },
      ],
    });
    expect(junit).toContain(`<property name="page" value="https://osce.example.org/runs/${run}"/>`);
    expect(junit).toContain(`<property name="page" value="https://osce.example.org/scenario-runs/${scenarioRun}"/>`);
    expect(junit).toMatch(
      new RegExp(`\nThe conversation: https://osce\\.example\\.org/scenario-runs/${scenarioRun}</failure>`),
    );
  });

  test('have no host where PUBLIC_URL is not set, and a JUnit file has none of them', async () => {
    const { run, scenarioRun, links, junit } = await toldOfFailure({});
    expect(links).toMatchObject({ page: `/runs/${run}`, not_passed: [{ page: `/scenario-runs/${scenarioRun}` }] });
    expect(junit).not.toContain('name="page"');
    expect(junit).not.toContain('The conversation:');
  });
});
