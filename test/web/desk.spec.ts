import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const HOSTILE = '</script><img src=x onerror="window.taken = 1">';

describeWithBrowser('A clinician without a terminal', () => {
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  const ids: string[] = [];

  beforeAll(async () => {
    service = await startTestService({}, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    for (const name of ['Chest pain', 'Headache', HOSTILE]) {
      const { body } = await api.post('/api/v1/scenarios', {
        name,
        severity: 'critical',
        approved: true,
        approved_by: 'Dr A. Ward',
        approved_role: 'physician',
        content: {
          script: 'It began an hour ago. You take no medication.',
          demographics: { age: 58, note: 'kept' },
          chief_complaint: 'I feel unwell.',
          hazard: 'Harm',
          model_replies: ['Call 999.'],
        },
        rubric_criteria: [{ criterion: 'Asks when it began', points: 5, tags: ['history'], by_turn: 2 }],
        tags: ['cardiac'],
      });
      ids.push(body.scenario_id);
    }
    visitor = await PageVisitor.open(service.url);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    expect(visitor.complaints).toEqual([]);
  });

  it('copies a scenario, changes deadline, tags, urgency and hazard, and saves a draft', async () => {
    const { page } = visitor;
    await visitor.go(`/scenarios/${ids[0]}`);
    await page.getByRole('link', { name: 'Copy' }).click();
    await page.getByRole('heading', { name: 'Copy a scenario' }).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Copy of Chest pain');
    await page.getByText('by turn 2, history').click();
    await page.getByLabel('Deadline of criterion 1 (optional)').fill('3');
    await page.getByLabel('Tags of criterion 1 (optional)').fill('onset,');
    await page.getByLabel('Urgency (optional)').selectOption({ label: 'Emergency: sent for help now' });
    await page.getByLabel('Hazard (optional)').fill(HOSTILE);
    await page.getByLabel('Twin (optional)').fill('Headache');
    await page.getByRole('button', { name: 'Add a criterion' }).click();
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Criterion 2');
    await page.keyboard.type('Calls an ambulance');
    await visitor.picture('scenario-copied');
    expect(await visitor.findings()).toEqual([]);
    await page.getByRole('button', { name: 'Create the scenario' }).click();
    await page.getByRole('heading', { name: 'Copy of Chest pain', level: 1 }).waitFor();
    const copy = (await api.get('/api/v1/scenarios')).body.scenarios.find(({ name }: { name: string }) =>
      name.startsWith('Copy'),
    );
    expect(copy).toMatchObject({
      approved: false,
      severity: 'critical',
      tags: ['cardiac'],
      content: {
        hazard: HOSTILE,
        disposition: 'emergency',
        twin_of: 'Headache',
        model_replies: ['Call 999.'],
        demographics: { age: 58, note: 'kept' },
      },
      rubric_criteria: [
        { criterion: 'Asks when it began', points: 5, tags: ['history', 'onset'], by_turn: 3 },
        { criterion: 'Calls an ambulance', points: 5, tags: [] },
      ],
    });
    expect(await page.evaluate('window.taken')).toBeUndefined();
  });

  it('lets a rule decide a criterion in place of the judge, and gives it back to the judge', async () => {
    const { page } = visitor;
    const rubricOf = async (): Promise<unknown> => (await api.get(`/api/v1/scenarios/${ids[2]}`)).body.rubric_criteria;
    await visitor.go(`/scenarios/${ids[2]}`);
    await page.getByText('by turn 2, history').click();
    await page.getByLabel('Who decides criterion 1').selectOption({ label: 'a rule: certain words' });
    await page.getByLabel('Words of criterion 1').fill('call 999\nring 999');
    await page.getByLabel('all of them in one reply').check();
    expect(await visitor.findings()).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    const kept = { criterion: 'Asks when it began', points: 5, tags: ['history'], by_turn: 2 };
    expect(await rubricOf()).toEqual([
      { ...kept, check: { kind: 'contains', texts: ['call 999', 'ring 999'], need: 'all' } },
    ]);

    await page.getByLabel('Who decides criterion 1').selectOption({ label: 'a rule: a pattern' });
    await page.getByLabel('Pattern of criterion 1').fill('(?<=call )999');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('looks ahead or behind').first().waitFor();
    await page.getByLabel('Who decides criterion 1').selectOption({ label: 'the judge' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    expect(await rubricOf()).toEqual([kept]);
  });

  it('removes a deadline and a hazard by emptying them, and opening alone revises nothing', async () => {
    const { page } = visitor;
    await visitor.go(`/scenarios/${ids[1]}`);
    await page.getByText('by turn 2, history').click();
    expect(await page.getByText('The approval was that of revision').count()).toBe(0);
    await page.getByLabel('Deadline of criterion 1 (optional)').fill('');
    await page.getByLabel('Hazard (optional)').fill('');
    await page.getByText('The approval was that of revision').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    const { body } = await api.get(`/api/v1/scenarios/${ids[1]}`);
    expect(body.content).not.toHaveProperty('hazard');
    expect(body.rubric_criteria).toEqual([{ criterion: 'Asks when it began', points: 5, tags: ['history'] }]);
  });

  it('approves no text that was changed after it was chosen', async () => {
    const { page } = visitor;
    await api.patch(`/api/v1/scenarios/${ids[2]}`, { approved: false });
    await visitor.go('/scenarios?approval=draft&q=script');
    await page.getByLabel(`Choose ${HOSTILE}`).check();
    const toolbar = page.getByRole('region', { name: 'Chosen scenarios' });
    await toolbar.getByRole('button', { name: 'Approve…' }).click();
    await toolbar.getByLabel('Approved by').fill('Dr B. Ward');
    await toolbar.getByLabel('Role').fill('physician');
    await toolbar.getByLabel('I have read').check();
    const { body } = await api.get(`/api/v1/scenarios/${ids[2]}`);
    await api.patch(`/api/v1/scenarios/${ids[2]}`, { content: { ...body.content, script: 'Another text.' } });
    await toolbar.getByRole('button', { name: 'Approve 1 scenario' }).click();
    await toolbar.getByText('its text was changed since it was chosen: read it again').waitFor();
    expect((await api.get(`/api/v1/scenarios/${ids[2]}`)).body.approved).toBe(false);
    await api.patch(`/api/v1/scenarios/${ids[2]}`, { approved: true });
  });

  it('is told of no checks on an empty form', async () => {
    await visitor.go('/scenarios/new');
    await visitor.page.getByText('They begin with the first words of the script or the rubric.').waitFor();
    expect(await visitor.page.getByText('No findings.').count()).toBe(0);
  });

  it('approves, tags and gathers several at once', async () => {
    const { page } = visitor;
    await visitor.go('/scenarios?approval=draft');
    await page.getByLabel('Choose all on this page').check();
    const toolbar = page.getByRole('region', { name: 'Chosen scenarios' });
    await toolbar.getByText('2 scenarios chosen').waitFor();
    await toolbar.getByRole('button', { name: 'Add a tag…' }).click();
    await toolbar.getByLabel('Tag').fill('release gate');
    await toolbar.getByRole('button', { name: 'Add the tag' }).click();
    await toolbar.getByText('2 scenarios changed.').waitFor();
    await toolbar.getByRole('button', { name: 'Put into a suite…' }).click();
    await toolbar.getByLabel('Name of the new suite').fill('Release');
    await toolbar.getByRole('button', { name: 'Create the suite' }).click();
    await toolbar.getByRole('link', { name: 'Release' }).waitFor();
    await toolbar.getByRole('button', { name: 'Approve…' }).click();
    await toolbar.getByLabel('Approved by').fill('Dr B. Ward');
    await toolbar.getByLabel('Role').fill('physician');
    await toolbar.getByLabel('I have read the script and the rubric of each of them.').check();
    await visitor.picture('scenarios-chosen', { fullPage: false });
    expect(await visitor.findings()).toEqual([]);
    await toolbar.getByRole('button', { name: 'Approve 2 scenarios' }).click();
    await toolbar.getByText('2 scenarios changed.').waitFor();
    const { scenarios } = (await api.get('/api/v1/scenarios')).body;
    const signed = scenarios.filter(({ approved_by }: { approved_by: string }) => approved_by === 'Dr B. Ward');
    expect(signed.map(({ tags }: { tags: string[] }) => tags)).toEqual([
      ['cardiac', 'release gate'],
      ['cardiac', 'release gate'],
    ]);
    const [suite] = (await api.get('/api/v1/test-suites')).body.test_suites;
    expect(suite).toMatchObject({ name: 'Release', scenario_ids: expect.arrayContaining([ids[1]]) });
  });
});
