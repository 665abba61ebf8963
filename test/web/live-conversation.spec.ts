import type { FakeAgent } from '../fakes/fake-agent';
import { sendJson, type Step } from '../fakes/http-stub';
import { completion, startFakeOpenAi } from '../fakes/openai-server';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { CALLS_AMBULANCE, createAgent, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { eventually } from '../setup/eventually';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const FORMATTED = `## What to do now

1. **Call an ambulance** at once.
2. Sit down and _rest_.

| Sign | Means |
| --- | --- |
| sweating | heart |

> Do not drive. Read [this](https://evil.example/read) and ![a picture](https://evil.example/pixel.png)

\`\`\`
112
\`\`\``;
const HOSTILE =
  '# Title\n\n<script>window.taken = 1</script> <img src="/x" onerror="window.taken = 1">\n\n' +
  '[press](javascript:window.taken=1) ![](https://evil.example/pixel.png) <https://evil.example/auto> \u202ereversed\n\n' +
  `${'['.repeat(2_000)}${'*'.repeat(2_000)}\n\nCall an ambulance.`;
const DEEP = `**Call an ambulance.**\n\n${'> '.repeat(500)}deep`;
const REPLIES = [FORMATTED, HOSTILE, DEEP];

describeWithBrowser('A conversation under way', () => {
  let agent: FakeAgent;
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  let run: string;
  let scenarioRun: string;
  let letGo: () => void;
  let complaint: string;

  beforeAll(async () => {
    agent = await startFakeOpenAi({
      reply: (messages) => REPLIES[messages.filter(({ role }) => role === 'assistant').length] ?? 'Goodbye.',
    });
    service = await startTestService({}, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    complaint = 'My chest hurts.';
    const [scenario = ''] = await createScenarios(api, 1, {
      rubric_criteria: [CALLS_AMBULANCE, { criterion: 'Asks when it began', points: 3, tags: ['must_pass'] }],
    });
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const hold: Step = (response) => void held.then(() => sendJson(response, 200, completion(FORMATTED)));
    agent.next(hold);
    const agent_id = await createAgent(api, agent.baseUrl, { turn_timeout_ms: 120_000 });
    run = (await api.post('/start-run', { agent_id, max_turns: 5 })).body.id;
    await agent.until(() => agent.requests.length === 1);
    // Edited meanwhile: it is marked on what it began with.
    await api.patch(`/api/v1/scenarios/${scenario}`, {
      rubric_criteria: [{ criterion: 'Written later', points: 1, tags: [] }],
    });
    scenarioRun = (await scenarioRunsOf(api, run))[0].id;
    visitor = await PageVisitor.open(service.url);
    await visitor.go(`/scenario-runs/${scenarioRun}`);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await agent?.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('shows from the start what it is going to be marked on', async () => {
    const checklist = visitor.page.getByRole('list', { name: 'What it is marked on' });
    await checklist.waitFor();
    expect(await checklist.locator('.criterion-text').allInnerTexts()).toEqual([
      CALLS_AMBULANCE.criterion,
      'Asks when it began',
    ]);
    await eventually(async () => expect(await checklist.locator('.criterion.unmarked').count()).toBe(2));
    await eventually(async () => expect(await checklist.locator('.must-pass').count()).toBe(1));
  });

  it('says who is awaited, and tells nothing that is not stored', async () => {
    const typing = visitor.page.locator('.message.typing');
    await typing.getByText('waiting for the agent’s reply').waitFor();
    expect(await visitor.page.locator('main').innerText()).not.toContain(complaint);
    await visitor.picture('live-conversation');
    expect(await visitor.findings()).toEqual([]);
  });

  it('shows both sides of a turn once it is stored, and marks in the end', async () => {
    const { page } = visitor;
    letGo();
    await page.locator('.message.patient .says').first().getByText(complaint).waitFor();
    await untilFinal(api, run);
    await page.getByRole('region', { name: 'Why' }).waitFor();
    expect(await page.locator('.message.typing').count()).toBe(0);
    await eventually(async () => expect(await page.locator('.criterion:not(.unmarked)').count()).toBe(2));
  });

  it('formats Markdown, whose links lead nowhere and whose images are not fetched', async () => {
    const { page } = visitor;
    const first = page.locator('.message.agent .formatted').first();
    await first.waitFor();
    expect(await first.locator('strong').innerText()).toBe('Call an ambulance');
    await eventually(async () => expect(await first.locator('ol li').count()).toBe(2));
    expect(await first.locator('td').allInnerTexts()).toEqual(['sweating', 'heart']);
    expect(await first.locator('pre').innerText()).toBe('112');
    expect(await first.innerText()).toContain('this (https://evil.example/read)');
    await eventually(async () => expect(await page.locator('.message.agent .formatted').count()).toBe(2));
    expect(await page.locator('.message.agent .untrusted').nth(2).innerText()).toBe(DEEP);
    expect(await page.locator('.message :is(a, img, script, iframe, [onerror])').count()).toBe(0);
    expect(await page.evaluate('window.taken')).toBeUndefined();
    expect(await page.evaluate('document.body.innerText')).not.toContain('\u202e');
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await visitor.picture('formatted-conversation');
    expect(await visitor.findings()).toEqual([]);
  });

  it('shows the text as it is on request, and wherever evidence is pointed at', async () => {
    const { page } = visitor;
    const first = page.locator('.message.agent').first();
    await page.locator('.criterion.good').first().hover();
    await page.locator('mark.lit').first().waitFor();
    expect(await first.locator('.formatted').count()).toBe(0);
    await page.getByRole('heading', { level: 1 }).hover();
    await first.locator('.formatted').waitFor();
    await page.getByRole('button', { name: 'Raw text' }).click();
    expect(await first.locator('.untrusted').innerText()).toBe(FORMATTED);
    expect(await page.locator('.formatted').count()).toBe(0);
  });
});
