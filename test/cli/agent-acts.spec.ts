import { sendJson, startHttpStub, type HttpStub } from '../fakes/http-stub';
import { completion } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { osce } from '../setup/osce-command';
import { startTestService, type TestService } from '../setup/service';

const EVIL = '\u001b[31m\u202ered';

let agent: HttpStub;
let service: TestService;
let runLabel: string;

beforeAll(async () => {
  agent = await startHttpStub((response, { body }) => {
    const { messages } = body as { messages: { role: string }[] };
    const isLast = messages.filter(({ role }) => role === 'user').length === 2;
    const name = isLast ? 'transfer' : 'find_patient';
    const tool_calls = [{ id: 'a', function: { name, arguments: `{"q":"${EVIL}"}` }, result: `found ${EVIL}` }];
    sendJson(response, 200, completion(isLast ? null : GOOD_REPLY, 'c', { tool_calls }));
  });
  service = await startTestService();
  const api = new ApiClient(service.url);
  await createScenarios(api, 1, {
    rubric_criteria: [{ criterion: 'Transfers', points: 5, check: { kind: 'tool_call', name: 'transfer' } }],
  });
  const agent_id = await createAgent(api, `${agent.origin}/v1`, { end_tools: ['transfer'] });
  const { body } = await api.post('/start-run', { agent_id, max_turns: 5 });
  runLabel = (await untilFinal(api, body.id)).test_run_id;
});
afterAll(async () => {
  await service.close();
  await agent.close();
});

test('osce runs transcript shows what the agent did, and nothing that a terminal obeys', async () => {
  const { code, stdout } = await osce(['runs', 'transcript', runLabel, 'Scenario 001'], { url: service.url });
  expect(code).toBe(0);
  const lines = stdout.split('\n').map((line) => line.trim());
  expect(lines).toContain('1 tool call · 18 tokens');
  expect(lines).toContain('find_patient({"q":" red"}) → found red');
  // In place of a reply, after the sentence that says how the conversation ended.
  expect(lines.indexOf('transfer({"q":" red"}) → found red')).toBeGreaterThan(
    lines.indexOf('The agent ended the conversation after turn 1.'),
  );
  expect(lines).toContain('turn 2, called transfer({"q":" red"})');
  expect(stdout).not.toMatch(/[\u001b\u202e]/);
});

test('JUnit has the calls beside the words', async () => {
  const { code, stdout } = await osce(['export', runLabel, '--format', 'junit'], { url: service.url });
  expect(code).toBe(0);
  expect(stdout).toContain('[1] agent called find_patient(');
  expect(stdout).not.toContain('\u001b');
});
