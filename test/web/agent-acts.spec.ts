import { sendJson, startHttpStub, type HttpStub } from '../fakes/http-stub';
import { completion } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { GOOD_REPLY, createAgent, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const EVIL = '<img src=x onerror=alert(1)>\u202e';

describeWithBrowser('What an agent did', () => {
  let agent: HttpStub;
  let service: TestService;
  let visitor: PageVisitor;
  let scenarioId: string;
  let id: string;

  beforeAll(async () => {
    agent = await startHttpStub((response) => {
      const calls = [
        { id: 'a', function: { name: EVIL, arguments: `{"q":"${EVIL}"}` }, result: `found ${EVIL}` },
        { id: 'b', function: { name: 'book_visit', arguments: '{"day":"Monday"}' } },
      ];
      sendJson(response, 200, completion(GOOD_REPLY, 'c', { tool_calls: calls }));
    });
    service = await startTestService(
      { TRACE_URL_TEMPLATE: 'https://traces.example/t/{trace_id}' },
      { pageFolder: await builtPage() },
    );
    const api = new ApiClient(service.url);
    [scenarioId = ''] = await createScenarios(api, 1, {
      rubric_criteria: [{ criterion: 'Books a visit', points: 5, check: { kind: 'tool_call', name: 'book_visit' } }],
    });
    const agent_id = await createAgent(api, `${agent.origin}/v1`);
    const { body } = await api.post('/start-run', { agent_id, max_turns: 5 });
    await untilFinal(api, body.id);
    const [scenarioRun] = await scenarioRunsOf(api, body.id);
    id = scenarioRun?.id;
    visitor = await PageVisitor.open(service.url);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await agent?.close();
  });

  it('is folded under the reply, and hostile text in it is text', async () => {
    await visitor.go(`/scenario-runs/${id}`);
    const reply = visitor.page.locator('#turn-1-agent');
    const acts = reply.locator('details.acts');
    await acts.getByText('2 tool calls · 18 tokens').click();
    const [first, second] = await acts.locator('.tool-call').allInnerTexts();
    expect(first).toContain('<img src=x onerror=alert(1)>');
    expect(first).toContain('answered found <img');
    expect(second).toContain('book_visit({"day":"Monday"})');
    expect(await acts.locator('img').count()).toBe(0);
    // What turns the direction of a line is shown by its name.
    expect(await acts.locator('.hidden-character').count()).toBeGreaterThan(0);
    expect(await visitor.findings()).toEqual([]);
  });

  it('links each reply to its trace, which learns nothing of this page', async () => {
    const link = visitor.page.locator('#turn-1-agent a.trace');
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/traces\.example\/t\/[0-9a-f]{32}$/);
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(await visitor.page.locator('.message.patient a.trace').count()).toBe(0);
  });

  it('is opened and marked where a criterion rests on it', async () => {
    await visitor.go(`/scenario-runs/${id}`);
    const { page } = visitor;
    await page.locator('.checklist, #checklist').getByText('turn 1, called').waitFor();
    await page.getByRole('button', { name: 'Books a visit' }).click();
    const lit = page.locator('#turn-1-agent .tool-call.lit');
    await lit.waitFor();
    expect(await lit.innerText()).toContain('book_visit');
    expect(await page.locator('#turn-1-agent .tool-call.lit').count()).toBe(1);
  });

  it('is asked for by a rule of the form', async () => {
    const { page } = visitor;
    await visitor.go(`/scenarios/${scenarioId}`);
    await page.locator('details.criterion-more > summary').first().click();
    await page.getByLabel('Tool of criterion 1').fill('call_ambulance');
    await page.getByLabel('Words in its arguments, criterion 1').fill('chest pain\n\nnow');
    await page.getByLabel('How many times, criterion 1').fill('1');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const api = new ApiClient(service.url);
    const check = {
      kind: 'tool_call',
      name: 'call_ambulance',
      arguments: { contains: ['chest pain', 'now'] },
      times: 1,
    };
    await page.getByText('Saved.').waitFor();
    expect((await api.get(`/api/v1/scenarios/${scenarioId}`)).body.rubric_criteria).toMatchObject([{ check }]);
  });

  it('brings no request to anywhere else, and no error', () => {
    expect(visitor.complaints).toEqual([]);
  });
});
