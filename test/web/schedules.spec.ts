import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { setClock } from '../fakes/schedule-clock';
import { ApiClient, type Answer } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { eventually } from '../setup/eventually';
import { createAgent, createScenarios, GOOD_REPLY } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const clock = setClock('2031-03-29T12:00:00Z');

describeWithBrowser('Somebody who has an agent examined every night', () => {
  let agent: FakeAgent;
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  let agentId: string;

  beforeAll(async () => {
    agent = await startFakeOpenAi({ reply: () => GOOD_REPLY });
    service = await startTestService({}, { pageFolder: await builtPage(), scheduleClock: clock.type });
    api = new ApiClient(service.url);
    agentId = await createAgent(api, agent.baseUrl);
    await createScenarios(api, 2);
    visitor = await PageVisitor.open(service.url);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await agent?.close();
    expect(visitor.complaints).toEqual([]);
  });

  const stored = async (): Promise<Answer['body'][]> => (await api.get('/api/v1/schedules')).body.schedules;
  const button = (name: string) => visitor.page.getByRole('button', { name, exact: true });
  const nextStarts = () => visitor.page.locator('.next-starts tbody tr').allInnerTexts();

  it('finds schedules in the navigation, and is told what they are for while there is none', async () => {
    await visitor.go('/');
    await visitor.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Schedules' }).click();
    await visitor.page.getByRole('heading', { name: 'No schedules yet' }).waitFor();
    expect(await visitor.findings()).toEqual([]);
  });

  it('sees the next three starts, in their own time zone and in that of the schedule, before anything is saved', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Create a schedule' }).first().click();
    await page.getByLabel('Cron expression').fill('30 2 * * *');
    await page.getByLabel('Time zone').fill('America/New_York');
    // The reader is in Zurich, where clocks change that night.
    await eventually(async () => {
      expect((await nextStarts()).map((row) => row.replace(/\s+/g, ' '))).toEqual([
        expect.stringMatching(/30 Mar 2031, 08:30.* 30 Mar 2031, 02:30/),
        expect.stringMatching(/31 Mar 2031, 08:30.* 31 Mar 2031, 02:30/),
        expect.stringMatching(/1 Apr 2031, 08:30.* 1 Apr 2031, 02:30/),
      ]);
    });
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('new-schedule-filled');
  });

  it('is told what is wrong with an expression while it is typed', async () => {
    const { page } = visitor;
    await page.getByLabel('Cron expression').fill('*/5 * * * *');
    await page.getByText('at least 15 minutes must lie between two').waitFor();
    await page.getByLabel('Cron expression').fill('30 2 * * *');
    await page.getByText('at least 15 minutes must lie between two').waitFor({ state: 'detached' });
  });

  it('creates it by a double click, with a gate', async () => {
    const { page } = visitor;
    await page.getByLabel('Name', { exact: true }).fill('Nightly');
    await page.getByLabel('Agent', { exact: true }).selectOption(agentId);
    await page.getByLabel('Required pass rate, %').fill('85');
    await page.getByLabel('Against the agent’s baseline').selectOption('violation');
    await button('Create the schedule').dblclick();
    await page.getByRole('heading', { name: 'Nightly' }).waitFor();
    expect(await stored()).toEqual([
      expect.objectContaining({
        name: 'Nightly',
        cron: '30 2 * * *',
        time_zone: 'America/New_York',
        overlap: 'skip',
        gate: { fail_under: 85, fail_on: 'violation', min_coverage: null },
        next_start: '2031-03-30T06:30:00.000Z',
      }),
    ]);
    await page.getByText('Nothing was due yet.').waitFor();
    expect(await visitor.findings()).toEqual([]);
  });

  it('runs it now, once for a double click, and finds the run in the history', async () => {
    const { page } = visitor;
    await button('Run now').dblclick();
    await page.locator('.history').getByText('started').waitFor();
    await page.locator('.history').getByText('completed').waitFor();
    await page.locator('.history').getByText('gate undecided').waitFor();
    const [{ id }] = await stored();
    expect((await api.get(`/api/v1/schedules/${id}/starts`)).body.total).toBe(1);
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('schedule-history');
  });

  it('pauses and resumes it without saving the form', async () => {
    const { page } = visitor;
    await page.getByLabel('Name', { exact: true }).fill('Not saved');
    await button('Pause').click();
    await page.getByText('This schedule is paused').waitFor();
    expect(await stored()).toMatchObject([{ name: 'Nightly', is_enabled: false, next_start: null }]);
    await button('Resume').click();
    await page.getByText('This schedule is paused').waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject([{ is_enabled: true, next_start: '2031-03-30T06:30:00.000Z' }]);
  });

  it('changes it, and what the form does not show stays', async () => {
    const { page } = visitor;
    const [{ id, run }] = await stored();
    const patients = [{ style: 'cooperative', language: 'en' }];
    await api.patch(`/api/v1/schedules/${id}`, { run: { ...run, patients } });
    await page.reload();
    await page.getByLabel('Name', { exact: true }).fill('Every night');
    await page.getByLabel('Required pass rate, %').fill('');
    await button('Save').click();
    await page.getByText('Saved.').waitFor();
    expect(await stored()).toMatchObject([
      { name: 'Every night', gate: { fail_under: null, fail_on: 'violation' }, run: { patients } },
    ]);
  });

  it('sees it in the list, with its last start', async () => {
    await visitor.go('/schedules');
    const row = visitor.page.locator('table.rows tbody tr').first();
    await row.waitFor();
    expect((await row.innerText()).replace(/\s+/g, ' ')).toMatch(
      /Every night 30 2 \* \* \* America\/New_York .*started by hand/,
    );
    expect(await visitor.findings()).toEqual([]);
  });

  it('deletes it after being asked', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Every night' }).click();
    await button('Delete').click();
    await button('Yes, delete').click();
    await page.getByRole('heading', { name: 'No schedules yet' }).waitFor();
    expect(await stored()).toEqual([]);
  });
});
