import { ScenariosStore } from '../../src/features/scenarios/scenarios.store';
import { seedStarterLibrary } from '../../src/features/scenarios/starter-library';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createAgent, createScenarios } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

describeWithBrowser('An approval', () => {
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  let agent: string;
  const made: Record<string, string> = {};

  beforeAll(async () => {
    service = await startTestService({}, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    await seedStarterLibrary(service.app.get(ScenariosStore));
    for (const [name, fields] of Object.entries({
      Zdraft: { approved: false },
      Zunsigned: { approved: true },
      Zsigned: { approved: true, approved_by: 'Dr A. Ward', approved_role: 'emergency physician' },
    })) {
      made[name] = (await createScenarios(api, 1, { name, ...fields }))[0] ?? '';
    }
    agent = await createAgent(api, 'http://127.0.0.1:9');
    visitor = await PageVisitor.open(service.url);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    expect(visitor.complaints).toEqual([]);
  });

  const stored = async (name: string) => (await api.get(`/api/v1/scenarios/${made[name]}`)).body;
  const approvals = async () =>
    (await visitor.page.locator('td[data-label="Approval"]').allInnerTexts()).map((text) => text.trim());
  const approving = () => visitor.page.getByRole('group', { name: 'Approval' });
  const save = () => visitor.page.getByRole('button', { name: 'Save', exact: true }).click();

  it('is told in the list for what it is: none, one that nobody signed, or one of somebody', async () => {
    const { page } = visitor;
    await visitor.go('/scenarios?q=chest');
    await page.getByRole('row', { name: /Zdraft/ }).waitFor();
    const texts = await approvals();
    expect(texts.filter((text) => text === 'starter, not signed').length).toBeGreaterThan(0);
    expect(texts.join('\n')).not.toContain('yes');
    await visitor.go('/scenarios?q=Z&tag=test');
    await page.getByText('3 scenarios', { exact: true }).waitFor();
    const [draft, signed, unsigned] = await approvals();
    expect(draft).toMatch(/^draft\s+Read and approve$/);
    expect(signed).toMatch(/^✓ approved by Dr A\. Ward \(emergency physician\), \d/);
    expect(unsigned).toBe('approved, not signed');
    await visitor.picture('approvals');
    expect(await visitor.findings()).toEqual([]);
  });

  it.each([
    ['draft', ['Zdraft']],
    ['not signed', ['Zunsigned']],
    ['signed', ['Zsigned']],
  ])('is searched for by its state: %s', async (state, names) => {
    const { page } = visitor;
    await visitor.go('/scenarios?tag=test');
    await page.getByText('3 scenarios', { exact: true }).waitFor();
    await page.getByRole('button', { name: state, exact: true }).click();
    await page.getByText('1 scenario', { exact: true }).waitFor();
    const listed = await page.locator('tbody th[scope="row"] a').allInnerTexts();
    expect(listed.map((name) => name.trim())).toEqual(names);
  });

  it('is told where scenarios are chosen for a run, and in the first steps', async () => {
    const { page } = visitor;
    await visitor.go(`/start?scenario=${made['Zdraft']}`);
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    expect(await row('Zdraft').innerText()).toContain('draft');
    expect(await row('Zunsigned').innerText()).toContain('approved, not signed');
    expect(await row('Zsigned').innerText()).toContain('approved by Dr A. Ward (emergency physician)');
    expect(await row('Crushing chest pain at rest').innerText()).toContain('starter, not signed');
    await visitor.go('/');
    await page.getByText('62 scenarios to choose from').waitFor();
    await page.getByText('No clinician has signed 61 of them').waitFor();
  });

  it('asks for name and role, and the browser remembers them', async () => {
    await visitor.go(`/scenarios/${made['Zdraft']}`);
    await approving().getByText('Revision 1 is a draft').waitFor();
    await approving().getByLabel('Approve this text').check();
    const [by, role] = [approving().getByLabel('Approved by'), approving().getByLabel('Role')];
    await save();
    expect(await by.evaluate((input) => input.matches(':invalid'))).toBe(true);
    await by.fill('Dr B. Lane');
    await save();
    expect(await role.evaluate((input) => input.matches(':invalid'))).toBe(true);
    expect(await stored('Zdraft')).toMatchObject({ approved: false });
    expect(await visitor.findings()).toEqual([]);
    await role.fill('general practitioner');
    await save();
    await approving().getByText('Revision 1: ✓ approved by Dr B. Lane (general practitioner)').waitFor();
    expect(await stored('Zdraft')).toMatchObject({
      ...{ approved: true, approved_by: 'Dr B. Lane', approved_role: 'general practitioner' },
    });
    await visitor.go(`/scenarios/${made['Zunsigned']}`);
    await approving().getByText('Nobody is named who approved this scenario').waitFor();
    await approving().getByLabel('Approve this text').check();
    expect([await by.inputValue(), await role.inputValue()]).toEqual(['Dr B. Lane', 'general practitioner']);
    await visitor.picture('approving');
    await save();
    await approving().getByText('Revision 1: ✓ approved by Dr B. Lane').waitFor();
    expect(await stored('Zunsigned')).toMatchObject({ approved: true, approved_by: 'Dr B. Lane' });
  });

  it('is withdrawn without a name, and ends with another text', async () => {
    const { page } = visitor;
    await visitor.go(`/scenarios/${made['Zunsigned']}`);
    await approving().getByLabel('Withdraw the approval').check();
    await save();
    await approving().getByText('Revision 1 is a draft').waitFor();
    expect(await stored('Zunsigned')).toMatchObject({ approved: false, approved_by: null });
    await visitor.go(`/scenarios/${made['Zsigned']}`);
    await page.getByLabel('Script').fill('You have had chest pain for an hour.');
    await approving().getByText('Saving this text makes it a draft').waitFor();
    await save();
    await approving().getByText('Revision 2 is a draft').waitFor();
    expect(await stored('Zsigned')).toMatchObject({ revision: 2, approved: false, approved_by: null });
  });

  it('is not confused with marks: must-pass is told as it is marked', async () => {
    const { page } = visitor;
    await visitor.go(`/scenarios/${made['Zsigned']}`);
    const rule = /one with points is violated when NOT MET, one with negative points when MET or PARTIALLY MET/;
    expect(await page.getByRole('group', { name: 'Rubric' }).innerText()).toMatch(rule);
    await visitor.go(`/start?agent=${agent}`);
    await page.getByText('A scenario passes with').waitFor();
    const plan = await page.getByText('A scenario passes with').innerText();
    expect(plan).toMatch(rule);
    expect(plan).not.toContain('every must-pass criterion met');
  });
});
