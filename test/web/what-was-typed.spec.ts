import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { KEYS, keyVariables } from '../setup/role-keys';
import { Database } from '../../src/platform/database/database';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const PHONE = { width: 390, height: 844 };
const TURNED = { width: 844, height: 390 };

describeWithBrowser('What was typed', () => {
  let service: TestService;
  let visitor: PageVisitor;
  let runId: string;

  beforeAll(async () => {
    service = await startTestService(keyVariables(), { pageFolder: await builtPage() });
    const database = service.app.get(Database);
    const [scenario = ''] = await storeScenarios(database, ['Chest pain']);
    runId = await storeGradedRun(database, [{ id: scenario, name: 'Chest pain', outcomes: ['failed'] }]);
    visitor = await PageVisitor.open(service.url);
    await visitor.go('/agents');
    await visitor.page.getByLabel('Service key').fill(KEYS.admin);
    await visitor.page.getByRole('button', { name: 'Open' }).click();
    await visitor.page.getByText('(admin)').waitFor();
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
  });

  it('stays when a phone is turned, and when the page is printed', async () => {
    const { page } = visitor;
    await page.setViewportSize(PHONE);
    await visitor.go(`/runs/${runId}`);
    await page.getByText('What was examined, and how').click();
    await page.getByText('Edit name, note and tags').click();
    const note = page.getByLabel('Note (optional)');
    await note.fill('Half a sentence');
    await page.setViewportSize(TURNED);
    await page.getByText('What was examined, and how').waitFor({ state: 'hidden' });
    expect(await note.inputValue()).toBe('Half a sentence');
    await page.emulateMedia({ media: 'print' });
    await page.emulateMedia({ media: null });
    await page.setViewportSize(PHONE);
    await page.getByText('What was examined, and how').waitFor();
    expect(await note.inputValue()).toBe('Half a sentence');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('stays while the service key is entered again', async () => {
    const { page } = visitor;
    await visitor.go('/suites/new');
    await page.getByLabel('Name', { exact: true }).fill('Half a suite');
    // The service knows the key no longer.
    await page.route('**/api/v1/test-suites', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 401, contentType: 'application/json', body: '{"error":"Unknown key"}' })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Create the suite' }).click();
    await page.getByLabel('Service key').fill(KEYS.admin);
    await page.unroute('**/api/v1/test-suites');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByLabel('Service key').waitFor({ state: 'hidden' });
    await page.waitForLoadState('networkidle');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half a suite');
    const api = new ApiClient(service.url, { 'x-api-key': KEYS.admin });
    expect((await api.get('/api/v1/test-suites')).body.total).toBe(0);
  });
});
