import { ScenariosStore } from '../../src/features/scenarios/scenarios.store';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

describeWithBrowser('A library of 1,500 scenarios', () => {
  let service: TestService;
  let visitor: PageVisitor;
  beforeAll(async () => {
    service = await startTestService({}, { pageFolder: await builtPage() });
    await service.app.get(ScenariosStore).createAll(
      Array.from({ length: 1_500 }, (_, index) => ({
        name: `Scenario ${String(index + 1).padStart(4, '0')}`,
        category: 'cough',
        scenarioType: 'full',
        severity: 'medium',
        isActive: true,
        approved: true,
        priority: null,
        content: { script: 'You cough.', demographics: {}, chief_complaint: 'I cough.' },
        rubricCriteria: [],
        tags: [],
      })),
    );
    visitor = await PageVisitor.open(service.url);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
  });

  it('is counted and searched whole', async () => {
    await visitor.go('/scenarios?q=Scenario');
    await visitor.page
      .getByRole('status')
      .filter({ hasText: /1[,.’]?500 scenarios/ })
      .waitFor();
    await visitor.go('/scenarios?q=Scenario+1500');
    await visitor.page.getByRole('link', { name: 'Scenario 1500' }).waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});
