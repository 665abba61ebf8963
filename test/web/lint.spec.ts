import { describeWithBrowser } from '../setup/describe-with-browser';
import { startTestService, type TestService } from '../setup/service';
import { ApiClient } from '../setup/api-client';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

describeWithBrowser('The lint on the page', () => {
  let service: TestService;
  let visitor: PageVisitor;

  beforeAll(async () => {
    service = await startTestService({}, { pageFolder: await builtPage() });
    visitor = await PageVisitor.open(service.url);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    expect(visitor.complaints).toEqual([]);
  });

  const state = () => visitor.page.getByRole('region', { name: 'Checks' }).getByRole('status');
  /** What a screen reader reads after the control. */
  const describedBy = async (label: string): Promise<string> => {
    const ids = await visitor.page.getByLabel(label, { exact: true }).getAttribute('aria-describedby');
    const texts = (ids ?? '').split(' ').map((id) => visitor.page.locator(`[id="${id}"]`).innerText());
    return (await Promise.all(texts)).join(' ');
  };

  it('says of a new scenario nothing before anything is written', async () => {
    await visitor.go('/scenarios/new');
    await state().getByText('They begin with the first words of the script or the rubric.').waitFor();
  });

  it('shows findings beside the fields while they are written, for readers and screen readers', async () => {
    const { page } = visitor;
    await page.getByLabel('Chief complaint').fill('I feel odd.');
    await page.getByLabel('Script').fill('Your blood sugar was 11 today.');
    await page.getByLabel('Criterion 1', { exact: true }).fill('Advises rest and water');
    await state()
      .getByText(/of which \d errors?/)
      .waitFor();
    expect(await describedBy('Script')).toContain('"blood sugar was 11" has no unit');
    expect(await describedBy('Criterion 1')).toContain('Names two acts');
    // What is found of the rubric as a whole stands at its end.
    await page.getByRole('region', { name: 'Checks' }).getByText('Advice alone passes').waitFor();
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('lint-of-a-scenario');
  });

  it('leads to the field with the keyboard, and leaves when it is mended', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Go to script' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.value')).toBe('Your blood sugar was 11 today.');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('If asked about sugar: your blood sugar was 11 mmol/l today.');
    await page.getByRole('button', { name: 'Go to script' }).waitFor({ state: 'detached' });
    expect(await describedBy('Script')).not.toContain('has no unit');
  });

  it('keeps nobody from saving, and the gold standard and by_turn are kept', async () => {
    const { page } = visitor;
    const api = new ApiClient(service.url);
    const { body: made } = await api.post('/api/v1/scenarios', {
      name: 'With a time',
      content: { script: 'You cough.', chief_complaint: 'I cough.', gold_standard: 'Asks about smoking.' },
      rubric_criteria: [{ criterion: 'Asks about smoking', points: 5, by_turn: 2 }],
    });
    await visitor.go(`/scenarios/${made.scenario_id}`);
    await page.getByRole('button', { name: 'Go to criterion 1' }).waitFor();
    await page.getByLabel('Gold standard').fill('Asks about smoking. Books a nurse.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    const { body } = await api.get(`/api/v1/scenarios/${made.scenario_id}`);
    expect(body.content.gold_standard).toBe('Asks about smoking. Books a nurse.');
    expect(body.rubric_criteria).toEqual([{ criterion: 'Asks about smoking', points: 5, tags: [], by_turn: 2 }]);
  });

  it('comes with a generated preview', async () => {
    const { page } = visitor;
    await visitor.go('/scenarios/generate');
    await page
      .getByLabel('Clinical text')
      .fill(
        'Chest pain\nThe assistant must tell the patient to call emergency services. The assistant must ask when the pain started.',
      );
    await page.getByRole('button', { name: 'Preview' }).click();
    await page
      .getByText(/findings? to fix/)
      .first()
      .click();
    await page.locator('.proposal .finding').first().waitFor();
    await page.getByRole('button', { name: /^Save 1 scenario/ }).click();
    await page.getByRole('heading', { name: 'Scenarios', level: 1 }).waitFor();
  });
});
