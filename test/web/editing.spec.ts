import { Client } from 'pg';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createScenarios } from '../setup/examination';
import { storeScreenshot } from '../setup/stored-screenshot';
import { startSeededService, type SeededService } from './seeded-service';
import { PageVisitor } from './page-visitor';

describeWithBrowser('On the page', () => {
  let service: SeededService;
  let visitor: PageVisitor;

  beforeAll(async () => {
    service = await startSeededService();
    visitor = await PageVisitor.open(service.url);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('an agent keeps what the form does not know, and the spelling it was given', async () => {
    const { page } = visitor;
    const config = { apiKey: 'sk-secret', baseUrl: 'http://127.0.0.1:9/v1', temperature: 0.5, our_own: [1] };
    const { body: agent } = await service.api.post('/api/v1/agents', { name: 'Camel', provider: 'openai', config });
    await visitor.go(`/agents/${agent.id}/connection`);
    expect(await page.getByLabel('API key').inputValue()).toBe('sk-secret');
    expect(await page.getByLabel('API key').getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    expect(await page.getByLabel('API key').getAttribute('type')).toBe('text');
    await page.getByLabel('Address').fill('http://127.0.0.1:10/v1');
    await page.getByLabel('Temperature').fill('');
    await page.getByLabel('Retries').fill('two');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a number.').waitFor();
    await page.getByLabel('Retries').fill('2');
    await page.getByRole('button', { name: 'Save' }).click();
    // A stored key does not follow a moved address by itself; typed again, the same one does.
    await page.getByText('give config.apiKey again in the same change').waitFor();
    await page.getByLabel('API key').fill('');
    await page.getByLabel('API key').fill('sk-secret');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { body: saved } = await service.api.get(`/api/v1/agents/${agent.id}`);
    expect(saved.config).toEqual({
      apiKey: 'sk-secret',
      baseUrl: 'http://127.0.0.1:10/v1',
      our_own: [1],
      max_retries: 2,
    });
  });

  it('trying an agent that is out of reach shows its error', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.locator('.try .problem').waitFor();
    expect(await page.locator('.try .problem').innerText()).toContain('connect_failed');
  });

  it('stored headers are hidden until asked for', async () => {
    const { page } = visitor;
    await visitor.go(`/agents/${service.ids.agent}/connection`);
    await page.getByLabel('Headers').waitFor();
    expect(await page.evaluate('document.body.innerText')).not.toContain('X-Clinic');
    await page.getByRole('button', { name: 'Headers' }).click();
    expect(await page.getByLabel('Headers').inputValue()).toContain('X-Clinic');
  });

  it('an agent is deleted only after a second press', async () => {
    const { page } = visitor;
    const { body: agent } = await service.api.post('/api/v1/agents', { name: 'Gone', provider: 'openai', config: {} });
    await visitor.go(`/agents/${agent.id}/connection`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.keyboard.press('Escape');
    expect((await service.api.get(`/api/v1/agents/${agent.id}`)).status).toBe(200);
    await page.getByRole('button', { name: 'Delete' }).click();
    // The answer has the focus.
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    expect((await service.api.get(`/api/v1/agents/${agent.id}`)).status).toBe(404);
  });

  it('a scenario is deleted for good only while nothing refers to it, and only after a second press', async () => {
    const { page } = visitor;
    const purge = page.getByRole('button', { name: 'Delete for good', exact: true });
    const confirmed = page.getByRole('button', { name: 'Yes, delete for good' });
    const word = page.getByLabel('Type delete to confirm');
    await visitor.go(`/scenarios/${service.ids.scenario}`);
    await purge.click();
    await page.getByText('This cannot be undone.').waitFor();
    expect(await visitor.findings()).toEqual([]);
    expect(await confirmed.isEnabled()).toBe(false);
    await word.fill('delete');
    await confirmed.click();
    await page.getByRole('alert').waitFor();
    const refusal = await page.getByRole('alert').innerText();
    expect(refusal).toContain('referred to by 5 test runs, the suite “Release gate”');
    // In the words of the page's buttons: nobody has typed a parameter.
    expect(refusal).not.toContain('purge');
    expect(refusal).toContain('An ordinary deletion takes it out of lists and new runs.');
    expect((await service.api.get(`/api/v1/scenarios/${service.ids.scenario}`)).body.is_active).toBe(true);

    const [unused = ''] = await createScenarios(service.api, 1);
    await visitor.go(`/scenarios/${unused}`);
    await purge.click();
    await page.getByRole('button', { name: 'No', exact: true }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Yes, delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Scenarios', level: 1 }).waitFor();
    await visitor.go(`/scenarios/${unused}`);
    await page.getByText('This scenario was deleted').waitFor();
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
    await purge.click();
    await word.fill('Delete');
    await confirmed.click();
    await page.getByRole('heading', { name: 'Scenarios', level: 1 }).waitFor();
    expect((await service.api.get(`/api/v1/scenarios/${unused}`)).status).toBe(404);
  });

  it('a scenario’s script and rubric are edited, and the rest of it stays', async () => {
    const { page } = visitor;
    const { body: before } = await service.api.get(`/api/v1/scenarios/${service.ids.scenario}`);
    expect(before.content).toHaveProperty('gold_standard');
    await visitor.go(`/scenarios/${service.ids.scenario}`);
    await page.getByLabel('Script').fill('You have had chest pain for an hour.');
    await page.getByLabel('Points of criterion 1', { exact: true }).fill('12');
    await page.getByRole('button', { name: 'Remove criterion 2' }).click();
    await page.getByRole('button', { name: 'Add a criterion' }).click();
    await page.getByLabel(`Criterion ${before.rubric_criteria.length}`, { exact: true }).fill('Says goodbye');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { body: after } = await service.api.get(`/api/v1/scenarios/${service.ids.scenario}`);
    const [first, , ...others] = before.rubric_criteria;
    expect(after).toEqual({
      ...before,
      content: { ...before.content, script: 'You have had chest pain for an hour.' },
      rubric_criteria: [{ ...first, points: 12 }, ...others, { criterion: 'Says goodbye', points: 5, tags: [] }],
      // Another text is another revision, which somebody has to approve again.
      ...{ revision: 2, content_hash: after.content_hash, approved: false },
      ...{ approved_role: null, approved_revision: null, approval_note: null },
      updated_at: after.updated_at,
    });
    const { body: list } = await service.api.get('/api/v1/scenarios');
    const listed = list.scenarios.find(
      ({ scenario_id }: { scenario_id: string }) => scenario_id === service.ids.scenario,
    );
    expect(listed.severity).toBe('critical');
  });

  it('a scenario that was just written opens as it was written, its severity too', async () => {
    const { page } = visitor;
    // The list was read before, and does not hold it yet.
    await visitor.go('/scenarios');
    await page.locator('table.rows').waitFor();
    await page.getByRole('link', { name: 'Write a scenario' }).click();
    await page.getByLabel('Name').fill('Just written');
    await page.getByLabel('Severity').selectOption('critical');
    await page.getByLabel('Chief complaint').fill('It hurts.');
    await page.getByLabel('Script').fill('It hurts since yesterday.');
    await page.getByLabel('Criterion 1', { exact: true }).fill('Asks since when');
    await page.getByRole('button', { name: 'Create the scenario' }).click();
    await page.getByRole('heading', { name: 'Just written', level: 1 }).waitFor();
    expect(await page.getByLabel('Severity').inputValue()).toBe('critical');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    const { body } = await service.api.get('/api/v1/scenarios');
    const written = body.scenarios.find(({ name }: { name: string }) => name === 'Just written');
    expect(written.severity).toBe('critical');
    await service.api.delete(`/api/v1/scenarios/${written.scenario_id}`);
  });

  it('what the service refuses is shown in its own words', async () => {
    const { page } = visitor;
    await visitor.go('/scenarios/new');
    await page.getByLabel('Name').fill('A case');
    await page.getByLabel('Chief complaint').fill('It hurts.');
    await page.getByLabel('Script').fill('   ');
    await page.getByRole('button', { name: 'Create the scenario' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toBe('content.script: must not be empty');
  });

  it('scenarios are found by words and tags', async () => {
    const { page } = visitor;
    await visitor.go('/scenarios');
    await page.getByLabel('Search scenarios').fill('ibuprofen warfarin');
    await page.getByText('1 scenario', { exact: true }).waitFor();
    await page.getByLabel('Search scenarios').fill('');
    // Half of a tag finds what the whole would.
    await page.getByLabel('Tag').fill('strok');
    await page.getByText('3 scenarios', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('3 scenarios', { exact: true }).waitFor();
  });

  it('a suite is made of what was searched for, and starts a run', async () => {
    const { page } = visitor;
    await visitor.go('/suites/new');
    await page.getByLabel('Name', { exact: true }).fill('Emergencies');
    await page.getByLabel('Search scenarios').fill('emergency');
    await page.getByRole('button', { name: /^Choose all/ }).click();
    await page.getByRole('button', { name: 'Create the suite' }).click();
    await page.getByRole('link', { name: 'Emergencies' }).waitFor();
    const { body } = await service.api.get('/api/v1/test-suites');
    const made = body.test_suites.find(({ name }: { name: string }) => name === 'Emergencies');
    expect(made.scenario_ids.length).toBeGreaterThan(2);
    await page
      .getByRole('row', { name: /Emergencies/ })
      .getByRole('link', { name: 'Run this suite' })
      .click();
    await page.getByLabel('Agent', { exact: true }).selectOption(service.ids.agent);
    await page.getByText(`is examined with ${made.scenario_ids.length} scenarios`).waitFor();
  });

  it('a run is scheduled in the reader’s own time', async () => {
    const { page } = visitor;
    await visitor.go(`/start?agent=${service.ids.agent}`);
    await page.getByRole('radio', { name: /^By tag/ }).check();
    await page.getByText('Choose at least one tag.').waitFor();
    expect(await page.getByRole('button', { name: 'Start the run' }).isDisabled()).toBe(true);
    await page.getByRole('group', { name: 'Tags' }).getByRole('button').first().click();
    await page.getByLabel('Max scenarios').fill('1');
    await page.getByLabel('Turns per conversation').fill('5');
    await page.getByText('live in the United States, where emergency services are called on 911.').waitFor();
    await page.getByLabel('Region').selectOption('UK');
    await page.getByText('live in the United Kingdom, where emergency services are called on 999 or 112.').waitFor();
    await page.getByLabel('Start later').fill('2099-07-01T09:30');
    await page.getByText('is examined with 1 scenario,').waitFor();
    await page.getByText('the agent gets up to 5 messages').waitFor();
    await page.getByRole('button', { name: 'Schedule the run' }).click();
    await page.locator('.facts .status.scheduled').waitFor();
    const id = new URL(page.url()).pathname.split('/')[2];
    const { body } = await service.api.get(`/api/v1/tests/${id}`);
    // Half past nine of a summer day in Zurich.
    expect(body).toMatchObject({
      scheduled_at: '2099-07-01T07:30:00.000Z',
      total_scenarios: 1,
      max_turns: 5,
      region: 'UK',
    });
    expect(await page.locator('.facts').innerText()).toContain('1 Jul 2099, 09:30');
    expect(await page.locator('.facts').innerText()).toMatch(/region\s*UK/i);
  });

  it('a finished run is downloaded', async () => {
    const { page } = visitor;
    await visitor.go(`/runs/${service.ids.run}`);
    for (const [button, extension] of [
      ['Report', 'html'],
      ['CSV', 'csv'],
      ['JSON', 'json'],
      ['JUnit', 'xml'],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: button }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(new RegExp(`^run_\\w+\\.${extension}$`));
    }
  });

  it('a screenshot is there when one was kept, and fetched only when asked for', async () => {
    const { page } = visitor;
    await storeScreenshot(service.database, service.ids.erroredScenarioRun);
    const database = new Client({ connectionString: service.database.url });
    await database.connect();
    try {
      await database.query(
        `UPDATE scenario_runs SET metadata = (metadata::jsonb || '{"screenshot": true}')::json WHERE id = $1`,
        [service.ids.erroredScenarioRun],
      );
    } finally {
      await database.end();
    }
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await visitor.go(`/scenario-runs/${service.ids.erroredScenarioRun}`);
    await page.getByText('Screenshot of the agent’s page at the end').waitFor();
    const path = `/api/v1/scenario-runs/${service.ids.erroredScenarioRun}/screenshot`;
    expect(asked).not.toContain(path);
    await page.getByText('Screenshot of the agent’s page at the end').click();
    await page.locator('.screenshot img').waitFor({ state: 'attached' });
    expect(await page.locator('.screenshot img').getAttribute('src')).toMatch(/^blob:/);
    expect(asked).toContain(path);
  });

  it('everything is reached with the keyboard alone', async () => {
    const { page } = visitor;
    await visitor.go('/');
    await page.locator('table.rows').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    // Past the rail: the first filter.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('all');
    for (let tabs = 0; tabs < 24; tabs += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate('document.activeElement.closest("table.rows") !== null')) === true) break;
    }
    await page.keyboard.press('Enter');
    await page.locator('.facts').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });
});
