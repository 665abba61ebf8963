import { Database } from '../../src/platform/database/database';
import type { FakeAgent } from '../fakes/fake-agent';
import type { HttpStub } from '../fakes/http-stub';
import { startFakeOpenAi } from '../fakes/openai-server';
import { startSpeechServer } from '../fakes/speech-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { spokenRun } from '../setup/spoken-run';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

describeWithBrowser('a run with twins', () => {
  let speech: HttpStub;
  let agent: FakeAgent;
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  /** A run that was held in text, and told to have been spoken: its twin is in text, which needs no room. */
  let spoken: Answer['body'];
  let waiting: string;
  let phone: string;

  beforeAll(async () => {
    const pageFolder = await builtPage();
    speech = await startSpeechServer();
    agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
    const settings = { SPEECH_URL: `${speech.origin}/v1`, SPEECH_MODEL: 'speech-1' };
    service = await startTestService(settings, { pageFolder });
    api = new ApiClient(service.url);
    const scenario_ids = await createScenarios(api, 2);
    const chat = await createAgent(api, agent.baseUrl);
    spoken = await untilFinal(api, (await api.post('/start-run', { agent_id: chat, scenario_ids })).body.id);
    const database = service.app.get(Database);
    await database.query(`UPDATE test_runs SET modality = 'spoken', spoken = $2 WHERE id = $1`, [
      spoken.id,
      JSON.stringify(spokenRun({ line: 'phone' })),
    ]);
    await database.query(
      `UPDATE scenario_runs SET status = 'failed', passed = false, score_percent = 0 WHERE test_run_id = $1 AND position = 1`,
      [spoken.id],
    );
    const config = { url: 'ws://127.0.0.1:9', api_key: 'k', api_secret: 's'.repeat(40), agent_name: 'phone' };
    const { body } = await api.post('/api/v1/agents', { name: 'phone', provider: 'livekit', config });
    phone = body.id;
    const later = { agent_id: phone, scenario_ids, scheduled_at: '9000-01-01T00:00:00Z' };
    waiting = (await api.post('/start-run', later)).body.id;
    visitor = await PageVisitor.open(service.url);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await agent?.close();
    await speech?.close();
    expect(visitor.complaints).toEqual([]);
  });

  const twins = () => visitor.page.getByRole('region', { name: 'In text and by voice' });
  const arrivedFrom = async (id: string): Promise<string> => {
    await visitor.page.waitForURL((url) => /^\/runs\/[0-9a-f-]{36}$/.test(url.pathname) && !url.pathname.endsWith(id));
    return new URL(visitor.page.url()).pathname.split('/').at(-1) ?? '';
  };

  test('is run as text too by a press, and leads to what voice costs', async () => {
    const { page } = visitor;
    await visitor.go(`/runs/${spoken.id}`);
    await twins().getByRole('button', { name: 'Run as text too' }).click();
    const id = await arrivedFrom(spoken.id);
    await untilFinal(api, id);
    await twins().getByRole('heading', { name: 'What voice costs' }).waitFor();
    await twins().getByText('100 %').first().waitFor();
    expect(await twins().getByRole('rowheader').allInnerTexts()).toEqual([
      'In text (this run)',
      expect.stringMatching(/^Spoken over phone\s+compare$/),
    ]);
    expect(await twins().getByRole('button', { name: 'Run as text too' }).count()).toBe(0);
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('twins-light');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await visitor.picture('twins-phone');
    await page.setViewportSize({ width: 1_280, height: 800 });
    await twins().getByRole('link', { name: 'compare' }).click();
    await page.getByRole('heading', { name: 'What voice costs' }).waitFor();
    const pairs = page.getByRole('table', { name: '2 pairs of conversations' });
    expect(await pairs.getByRole('cell').allInnerTexts()).toEqual(expect.arrayContaining(['1', '1', '0', '0']));
    await page.getByText('Spoken over phone against in text, the pass rate is 50 points lower').waitFor();
    const kinds = page.getByRole('table', { name: 'Criteria that were met, over the same pairs' });
    await kinds.getByRole('row', { name: /criteria of medium scenarios/ }).waitFor();
    await page.getByText('no other line of the family has ended').waitFor();
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('twins-compared-light');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1_280, height: 800 });
  });

  test('is run as spoken too, over the line that is chosen', async () => {
    await visitor.go(`/runs/${waiting}`);
    await twins().getByLabel('Line').selectOption('phone');
    await twins().getByLabel('Noise').fill('babble:10');
    await twins().getByRole('button', { name: 'Run as spoken too' }).click();
    const id = await arrivedFrom(waiting);
    expect((await api.get(`/api/v1/tests/${id}`)).body).toMatchObject({
      twin_of: waiting,
      modality: 'spoken',
      spoken: { line: 'phone', noise: 'babble:10' },
    });
    await twins().getByText('Spoken over phone with babble:10').waitFor();
    await visitor.go(`/runs/${id}`);
    await twins().getByLabel('Noise').fill('rain');
    await twins().getByRole('button', { name: 'Run over this line too' }).click();
    await twins()
      .getByText(/spoken\.noise: must be babble/)
      .waitFor();
  });

  test('is started in text as well, from the form of the spoken run', async () => {
    const { page } = visitor;
    await visitor.go(`/start?agent=${phone}`);
    expect(await page.getByLabel('Examine in text as well').count()).toBe(0);
    await page.getByLabel('Examine by voice').check();
    await page.getByLabel('Examine in text as well').check();
    await page.getByText('are held in text as well, in a run of its own').waitFor();
    await page.getByLabel('Name of the run').fill('By voice and in text');
    await page.getByLabel('Start later').fill('2199-01-01T00:00');
    expect(await visitor.findings()).toEqual([]);
    await page.getByRole('button', { name: 'Schedule the run' }).click();
    await page.waitForURL((url) => /^\/runs\/[0-9a-f-]{36}$/.test(url.pathname));
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const { runs } = (await api.get(`/api/v1/tests?twin_of=${id}`)).body;
    expect(runs).toEqual([
      expect.objectContaining({ twin_of: id, modality: 'text', name: 'By voice and in text', status: 'scheduled' }),
    ]);
    expect((await api.get(`/api/v1/tests/${id}`)).body).toMatchObject({ modality: 'spoken', status: 'scheduled' });
  });
});
