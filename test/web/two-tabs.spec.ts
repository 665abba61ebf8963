import { describeWithBrowser } from '../setup/describe-with-browser';
import { createScenarios } from '../setup/examination';
import { startSeededService, type SeededService } from './seeded-service';
import { PageVisitor } from './page-visitor';

describeWithBrowser('Somebody who edits what somebody else edits', () => {
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

  const save = () => visitor.page.getByRole('button', { name: 'Save', exact: true }).click();
  const conflict = () => visitor.page.getByRole('alert', { name: 'Changed while you were editing' });
  const makeScenario = async (): Promise<string> =>
    (await createScenarios(service.api, 1, { approved_by: 'Dr A. Ward', tags: ['cardiac'] }))[0] ?? '';
  const stored = async (id: string) => (await service.api.get(`/api/v1/scenarios/${id}`)).body;

  it('reads what changed meanwhile, and saves on top of it', async () => {
    const { page } = visitor;
    const id = await makeScenario();
    await visitor.go(`/scenarios/${id}`);
    await page.getByLabel('Script').fill('Mine: it hurts since noon.');
    const { content } = await stored(id);
    await service.api.patch(`/api/v1/scenarios/${id}`, {
      name: 'Theirs',
      content: { ...content, script: 'Theirs: it hurts since ten.', chief_complaint: 'Theirs hurts.' },
    });
    await save();
    await conflict().waitFor();
    const rows = await conflict().locator('tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split(/\s*\t\s*/).map((cell) => cell.trim())).sort()).toEqual(
      [
        ['name', 'Theirs', 'not changed by you'],
        ['chief complaint', 'Theirs hurts.', 'not changed by you'],
        ['script', 'Theirs: it hurts since ten.', 'Mine: it hurts since noon.'],
        ['approved', 'false', 'not changed by you'],
        ['approved by', '(nothing)', 'not changed by you'],
      ].sort(),
    );
    expect((await stored(id)).content.script).toBe('Theirs: it hurts since ten.');
    await visitor.picture('changed-meanwhile');
    expect(await visitor.findings()).toEqual([]);
    await page.getByRole('button', { name: 'Save my changes on top of theirs' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await stored(id)).toMatchObject({
      name: 'Theirs',
      approved: false,
      content: { script: 'Mine: it hurts since noon.', chief_complaint: 'Theirs hurts.' },
    });
    expect(await page.getByLabel('Chief complaint').inputValue()).toBe('Theirs hurts.');
  });

  it('drops the own changes for theirs', async () => {
    const { page } = visitor;
    const id = await makeScenario();
    await visitor.go(`/scenarios/${id}`);
    await page.getByLabel('Name').fill('Mine');
    await service.api.patch(`/api/v1/scenarios/${id}`, { name: 'Theirs' });
    await save();
    await conflict().waitFor();
    await page.getByRole('button', { name: 'Discard my changes and show theirs' }).click();
    await conflict().waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('Theirs');
    await page.getByLabel('Name').fill('Mine after all');
    await save();
    await page.getByText('Saved.').waitFor();
    expect((await stored(id)).name).toBe('Mine after all');
  });

  it('approves nothing that was rewritten unread', async () => {
    const { page } = visitor;
    const [id = ''] = await createScenarios(service.api, 1, { approved: false });
    await visitor.go(`/scenarios/${id}`);
    await page.getByLabel('Approve this text').check();
    await page.getByLabel('Approved by').fill('Dr B. Lane');
    await page.getByLabel('Role').fill('emergency physician');
    await service.api.patch(`/api/v1/scenarios/${id}`, {
      rubric_criteria: [{ criterion: 'Anything goes', points: 1 }],
    });
    await save();
    await conflict().waitFor();
    await page.getByText('the scenario stays a draft').waitFor();
    await page.getByRole('button', { name: 'Save my changes on top of theirs' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await stored(id)).toMatchObject({ approved: false, rubric_criteria: [{ criterion: 'Anything goes' }] });
  });

  it('of an agent sees that a secret was changed, not which it is', async () => {
    const { page } = visitor;
    const config = { base_url: 'http://127.0.0.1:9/v1', api_key: 'sk-0123456789' };
    const { body: agent } = await service.api.post('/api/v1/agents', { name: 'Two tabs', provider: 'openai', config });
    await visitor.go(`/agents/${agent.id}/connection`);
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await service.api.patch(`/api/v1/agents/${agent.id}`, { config: { api_key: 'sk-9876543210' } });
    await save();
    await conflict().waitFor();
    expect(await conflict().innerText()).not.toContain('sk-9876543210');
    await page.getByRole('button', { name: 'Save my changes on top of theirs' }).click();
    await page.getByText('Saved.').waitFor();
    const { body: saved } = await service.api.get(`/api/v1/agents/${agent.id}`);
    expect(saved).toMatchObject({ name: 'Mine', config: { api_key: 'sk-9876543210' } });
  });
});

describeWithBrowser('Whoever approves a scenario', () => {
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

  it('sees gold standard, sources and tags, and that no clinician has signed a starter; then signs it', async () => {
    const { page } = visitor;
    const path = `/api/v1/scenarios/${service.ids.scenario}`;
    const { body: starter } = await service.api.get(path);
    await visitor.go(`/scenarios/${service.ids.scenario}`);
    await page.getByText('No clinician has signed this scenario').waitFor();
    const shown = await page.getByRole('region', { name: 'For the approver' }).innerText();
    const sources: { title: string; says: string }[] = starter.content.sources;
    expect(sources.length).toBeGreaterThan(0);
    for (const text of [
      starter.content.gold_standard,
      ...sources.flatMap(({ title, says }) => [title, says]),
      ...starter.tags,
    ]) {
      expect(shown).toContain(text);
    }
    await visitor.picture('scenario-approval');
    await page.getByLabel('Approve this text').check();
    await page.getByLabel('Approved by').fill('Dr A. Ward');
    await page.getByLabel('Role').fill('emergency physician');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Revision 1: ✓ approved by Dr A. Ward').waitFor();
    expect((await service.api.get(path)).body).toMatchObject({
      revision: 1,
      approved: true,
      approved_by: 'Dr A. Ward',
      approved_role: 'emergency physician',
      approved_revision: 1,
    });
  });

  it('is asked again once the text was edited, and finds the earlier revision', async () => {
    const { page } = visitor;
    const path = `/api/v1/scenarios/${service.ids.scenario}`;
    await visitor.go(`/scenarios/${service.ids.scenario}`);
    await page.getByLabel('Script').fill('You have had chest pain for an hour.');
    await page.getByText('Saving this text makes it a draft').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    expect((await service.api.get(path)).body).toMatchObject({ revision: 2, approved: false, approved_by: null });
    await page.getByText('Revision 1', { exact: true }).waitFor();
    await visitor.picture('scenario-revisions');
    expect(await visitor.findings()).toEqual([]);
  });
});
