import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { sendJson } from '../fakes/http-stub';
import { ApiClient, type Answer } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createAgent, createScenarios, GOOD_REPLY, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { eventually } from '../setup/eventually';
import { retryLabel } from '../../web/src/runs/retry-label';
import { continuingAgents, type Candidate } from '../../web/src/scenario-run/continuing';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const OTHER_WORDS = 'I forgot to say: I take warfarin.';

describe('what the button that runs errors again says', () => {
  it.each([
    [0, 0, null],
    [1, 0, 'Run the error again'],
    [3, 0, 'Run the 3 errors again'],
    [0, 1, 'Run the canceled scenario again'],
    [0, 12, 'Run the 12 canceled scenarios again'],
    [1, 2, 'Run the error and the 2 canceled scenarios again'],
  ])('%i errors and %i canceled', (error_count, canceled_count, label) => {
    expect(retryLabel({ error_count, canceled_count })).toBe(label);
  });
});

describe('who can go on from a turn', () => {
  const agent = (id: string, provider: string, changes: Partial<Candidate> = {}): Candidate => ({
    id,
    provider,
    name: id,
    config: {},
    is_active: true,
    ...changes,
  });
  const stateless = agent('stateless', 'http', { config: { body: { all: '{{messages}}' } } });
  const remembering = agent('remembering', 'http', { config: { url: 'http://a/{{session_id}}' } });
  const all = [
    agent('chat', 'openai'),
    agent('off', 'openai', { is_active: false }),
    stateless,
    remembering,
    agent('phone', 'vapi'),
    agent('other phone', 'vapi'),
    agent('room', 'livekit'),
  ];
  const told = (id: string) => {
    const { agents, isSamePossible, obstacle } = continuingAgents(all, { id, name: id });
    return { agents: agents.map(({ name }) => name), isSamePossible, obstacle };
  };

  it.each([
    ['chat', ['chat', 'stateless']],
    ['stateless', ['stateless', 'chat']],
    ['phone', ['phone', 'chat', 'stateless']],
  ])('%s itself, before the others that are sent the whole conversation', (id, agents) => {
    expect(told(id)).toEqual({ agents, isSamePossible: true, obstacle: null });
  });

  it.each([
    ['room', '(livekit) keeps its conversations to itself'],
    ['remembering', 'keeps its history under a session id'],
    ['off', 'is not active'],
    ['gone', 'is not registered here'],
  ])('not %s, and why', (id, why) => {
    expect(told(id)).toEqual({
      agents: ['chat', 'stateless'],
      isSamePossible: false,
      obstacle: expect.stringContaining(why),
    });
  });
});

describeWithBrowser('A run that has ended', () => {
  let service: TestService;
  let agent: FakeAgent;
  let api: ApiClient;
  let visitor: PageVisitor;
  let source: Answer['body'];
  let retried: string;
  let scenarioIds: string[];

  beforeAll(async () => {
    const pageFolder = await builtPage();
    [service, agent] = await Promise.all([
      startTestService({}, { pageFolder }),
      startFakeOpenAi({ reply: () => GOOD_REPLY }),
    ]);
    api = new ApiClient(service.url);
    const agentId = await createAgent(api, agent.baseUrl);
    agent.next((response) => sendJson(response, 400, { error: { message: 'The model is overloaded.' } }));
    scenarioIds = await createScenarios(api, 3);
    source = await finished({
      agent_id: agentId,
      scenario_ids: scenarioIds,
      max_turns: 5,
      concurrency_limit: 1,
      name: 'Nightly',
    });
    expect(source).toMatchObject({ passed_count: 2, error_count: 1 });
    visitor = await PageVisitor.open(service.url);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await agent?.close();
    expect(visitor.complaints).toEqual([]);
  });

  const finished = async (request: object): Promise<Answer['body']> =>
    untilFinal(api, (await api.post('/start-run', request)).body.id);
  const button = (name: string | RegExp) => visitor.page.getByRole('button', { name });
  const text = (words: string | RegExp) => visitor.page.getByText(words).first();
  const derivedOf = async (id: string): Promise<Answer['body'][]> =>
    (await api.get(`/api/v1/tests?derived_from=${id}`)).body.runs;
  /** The run that a press led to, when it has ended and its page shows it. */
  const arrived = async (from: string): Promise<string> => {
    await visitor.page.waitForURL(
      (url) => /^\/runs\/[0-9a-f-]{36}$/.test(url.pathname) && !url.pathname.endsWith(from),
    );
    const id = new URL(visitor.page.url()).pathname.split('/').at(-1) ?? '';
    await untilFinal(api, id);
    await visitor.page.locator('.facts').getByText('completed').waitFor();
    return id;
  };
  const picture = async (name: string): Promise<void> => {
    const { page } = visitor;
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture(`derived-${name}-light`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await visitor.picture(`derived-${name}-dark`);
    expect(await visitor.findings()).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await visitor.picture(`derived-${name}-phone`);
    await page.setViewportSize({ width: 1_280, height: 800 });
  };

  it('has its error run again, once by a double click', async () => {
    await visitor.go(`/runs/${source.id}`);
    await button('Run the error again').waitFor();
    await picture('source');
    await button('Run the error again').dblclick();
    retried = await arrived(source.id);
    expect((await derivedOf(source.id)).map(({ derivation }) => derivation)).toEqual(['retry']);
    expect((await api.get(`/api/v1/tests/${retried}`)).body).toMatchObject({ passed_count: 3, error_count: 0 });
    // Nothing is left to run again.
    await button('Grade again with today’s rubric').waitFor();
    expect(await button(/^Run the/).count()).toBe(0);
  });

  it('says what it came from, and what of it is not its own', async () => {
    const { page } = visitor;
    await text('Run again from').waitFor();
    expect(await page.locator('.lineage').textContent()).toBe(
      'Run again from Nightly. 2 scenario runs of 3 are carried over unchanged.',
    );
    await eventually(async () => expect(await page.locator('.scenario-row .carried').count()).toBe(2));
    expect(await page.locator('.scenario-row .carried').first().getAttribute('title')).toContain('not examined again');
    await picture('retried');
    await page.locator('.scenario-row', { hasText: 'carried' }).first().getByRole('link').click();
    await text('Carried over unchanged').waitFor();
    await page.getByRole('link', { name: 'the verdict was given' }).click();
    await page.locator('.above', { hasText: 'Nightly' }).waitFor();
    const [given] = (await scenarioRunsOf(api, source.id)).filter(({ passed }) => passed !== null);
    await page.waitForURL(`**/scenario-runs/${given?.id}`);
  });

  it('is followed to what came from it, and graded again by today’s rubric', async () => {
    const { page } = visitor;
    await visitor.go(`/runs/${source.id}`);
    await page.locator('.derived').getByRole('link', { name: 'Run again' }).click();
    await page.waitForURL(`**/runs/${retried}`);
    const calls = agent.requests.length;
    await button('Grade again with today’s rubric').click();
    const graded = await arrived(retried);
    await text('Graded again from').waitFor();
    expect(agent.requests).toHaveLength(calls);
    await page.locator('.lineage').getByRole('link').click();
    await page.waitForURL(`**/runs/${retried}`);
    await page.locator(`.derived a[href="/runs/${graded}"]`, { hasText: 'Graded again' }).waitFor();
  });

  it('is graded again otherwise; a judge that may not mark is refused in words beside the button', async () => {
    const { page } = visitor;
    await visitor.go(`/runs/${source.id}`);
    await text('More ways to grade again').click();
    await page.getByLabel('Judge model').fill('nobody');
    await button('Grade again').last().click();
    await page.locator('.second-look [role=alert]', { hasText: 'judge_model' }).waitFor();
    await picture('otherwise');
    await page.getByLabel('Judge model').fill('');
    await page.getByLabel('Judge model').press('Enter');
    const graded = await arrived(source.id);
    expect((await api.get(`/api/v1/tests/${graded}`)).body).toMatchObject({ derivation: 'regrade', passed_count: 2 });
  });

  it('has a conversation that goes on with other words of the patient, by the keyboard alone', async () => {
    const { page } = visitor;
    const [held] = (await scenarioRunsOf(api, source.id)).filter(({ passed }) => passed !== null);
    await visitor.go(`/scenario-runs/${held?.id}`);
    const open = button(/^Go on from here differently.*turn 3/);
    await open.press('Enter');
    const words = page.getByLabel('The patient says');
    const { transcript } = (await api.get(`/api/v1/scenario-runs/${held?.id}`)).body;
    expect(await words.inputValue()).toBe(transcript[4].content);
    await picture('fork');
    await page.keyboard.press('Escape');
    expect(await open.evaluate((one) => one.ownerDocument.activeElement === one)).toBe(true);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(OTHER_WORDS);
    for (const stop of ['Agent', 'Trials']) {
      await page.keyboard.press('Tab');
      expect(await page.getByLabel(stop, { exact: true }).evaluate((one) => one.matches(':focus'))).toBe(true);
    }
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const forked = await arrived(source.id);
    await page.locator('.lineage', { hasText: 'Forked from turn 3 of' }).waitFor();
    await page.locator('.lineage').getByRole('link', { name: 'Nightly' }).waitFor();
    const [row] = await scenarioRunsOf(api, forked);
    expect(row).toMatchObject({ kept_turns: 2, given_message: OTHER_WORDS });
    await page.locator('.scenario-row').getByRole('link').first().click();
    await text('Forked at turn 3 from').waitFor();
    expect(await page.locator('.transcript .turn').allTextContents()).toEqual(
      [1, 1, 2, 2, 3, 3, 4, 4, 5, 5].map((turn) => `turn ${turn}${turn < 3 ? ', kept' : ''}`),
    );
    await picture('forked');
    await page.getByRole('link', { name: 'this conversation' }).click();
    await page.waitForURL(`**/scenario-runs/${held?.id}`);
  });

  it('says why an agent cannot go on, in place of a button', async () => {
    const { body: remembering } = await api.post('/api/v1/agents', {
      name: 'Line',
      provider: 'http',
      config: {
        url: `${agent.baseUrl}/chat/completions`,
        body: { messages: '{{messages}}', user: '{{session_id}}' },
        reply_path: 'choices[0].message.content',
      },
    });
    const run = await finished({ agent_id: remembering.id, scenario_ids: scenarioIds.slice(0, 1), max_turns: 5 });
    const [held] = await scenarioRunsOf(api, run.id);
    await api.patch(`/api/v1/agents/${source.agent_id}`, { is_active: false });
    await visitor.go(`/scenario-runs/${held?.id}`);
    await text('keeps its history under a session id').waitFor();
    await text('register an agent that is sent the whole conversation').waitFor();
    expect(await button(/^Go on from here/).count()).toBe(0);

    // As soon as another agent can go on, it is offered.
    await api.patch(`/api/v1/agents/${source.agent_id}`, { is_active: true });
    await visitor.page.reload();
    await text('Another agent can go on from any turn.').waitFor();
    await button(/^Go on from here.*turn 2/).click();
    await visitor.page.getByLabel('Agent', { exact: true }).selectOption(String(source.agent_id));
    await button('Go on from turn 2').dblclick();
    await arrived(run.id);
    expect(await derivedOf(run.id)).toMatchObject([{ derivation: 'fork', agent_id: source.agent_id, passed_count: 1 }]);
  });

  it('is said to be deleted when it is', async () => {
    await api.delete(`/api/v1/tests/${source.id}`);
    await visitor.go(`/runs/${retried}`);
    await text('Run again from a run that has since been deleted').waitFor();
    await visitor.page.locator('.scenario-row', { hasText: 'carried' }).first().getByRole('link').click();
    await text('the verdict was given in a run that has since been deleted').waitFor();
  });
});
