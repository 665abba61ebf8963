import { startTestService, type TestService } from '../setup/service';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { ScenariosStore } from '../../src/features/scenarios/scenarios.store';
import { seedStarterLibrary } from '../../src/features/scenarios/starter-library';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

describeWithBrowser('What a scenario says for the approver', () => {
  let service: TestService;
  let visitor: PageVisitor;
  let idOf: (name: string) => string;

  beforeAll(async () => {
    service = await startTestService({}, { pageFolder: await builtPage() });
    await seedStarterLibrary(service.app.get(ScenariosStore));
    const { body } = await new ApiClient(service.url).get('/api/v1/scenarios');
    const ids = new Map<string, string>(
      body.scenarios.map(({ name, scenario_id }: { name: string; scenario_id: string }) => [name, scenario_id]),
    );
    idOf = (name) => ids.get(name) ?? '';
    visitor = await PageVisitor.open(service.url);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    expect(visitor.complaints).toEqual([]);
  });

  const approver = () => visitor.page.getByRole('region', { name: 'For the approver' });

  it('is its urgency, its hazard, and the published sources with the criteria that stand on them', async () => {
    await visitor.go(`/scenarios/${idOf('Crushing chest pain at rest')}`);
    const told = await approver().innerText();
    expect(told).toMatch(/Urgency\s+Emergency: sent for help now/i);
    expect(told).toMatch(/Hazard\s+\S/i);
    expect(told).toMatch(/NICE|ESC|AHA/);
    expect(told).toContain('Tells the patient to call emergency services now');
    await visitor.page.getByText('No clinician has signed this scenario').waitFor();
    await visitor.picture('station-emergency');
  });

  it('is what an ideal clinician says, when it is wanted', async () => {
    const replies = approver().locator('ol');
    expect(await replies.isVisible()).toBe(false);
    await approver().getByText('What an ideal clinician says').click();
    expect(await replies.isVisible()).toBe(true);
    expect(await replies.getByRole('listitem').count()).toBeGreaterThanOrEqual(5);
  });

  it('leads to the twin, who opens with the same words', async () => {
    const opening = () => visitor.page.getByLabel('Chief complaint').inputValue();
    const said = await opening();
    await approver().getByRole('link').first().click();
    await visitor.page.getByRole('heading', { name: 'Tender ribs after a cough', level: 1 }).waitFor();
    expect(await opening()).toBe(said);
    expect(await approver().innerText()).toMatch(/Self-care/);
  });

  it('is shown as text where it is anything else than a list of publications', async () => {
    const api = new ApiClient(service.url);
    const { body } = await api.post('/api/v1/scenarios', {
      name: 'Freely written',
      content: {
        script: 'You feel odd.',
        chief_complaint: 'I feel odd.',
        sources: ['Our own protocol 7', { publisher: 'NICE', title: '<b>CG95</b>' }, { page: 12 }],
        disposition: 'constructor',
        hazard: { text: 'Missed' },
        twin_of: 'Nobody',
      },
      rubric_criteria: [{ criterion: 'Asks how it feels', points: 1 }],
    });
    await visitor.go(`/scenarios/${body.scenario_id}`);
    const told = await approver().innerText();
    for (const words of [
      'Our own protocol 7',
      'NICE, <b>CG95</b>',
      '{"page":12}',
      '{"text":"Missed"}',
      'Nobody',
      'constructor',
    ]) {
      expect(told).toContain(words);
    }
  });
});
