import { describeWithBrowser } from '../setup/describe-with-browser';
import { startSeededService, type SeededService } from './seeded-service';
import { PageVisitor } from './page-visitor';

describeWithBrowser('Somebody who presses more than once', () => {
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

  const runsCalled = async (name: string): Promise<number> =>
    (await service.api.get('/api/v1/tests?limit=100')).body.runs.filter((run: { name: string }) => run.name === name)
      .length;
  const fill = async (name: string) => {
    await visitor.go(`/start?agent=${service.ids.agent}&scenario=${service.ids.scenario}`);
    await visitor.page.getByLabel('Name of the run').fill(name);
  };
  const start = () => visitor.page.getByRole('button', { name: 'Start the run' });
  const shown = () => visitor.page.waitForURL(/\/runs\/[0-9a-f-]{36}/);

  it('starts one run by a double click', async () => {
    await fill('Double click');
    await start().dblclick();
    await shown();
    expect(await runsCalled('Double click')).toBe(1);
  });

  it('starts one run by three Enters, and goes there once', async () => {
    await fill('Three Enters');
    // Three presses before anything is drawn, as a bouncing key makes them.
    await visitor.page.evaluate(
      `for (let press = 0; press < 3; press += 1) document.querySelector('form.start').requestSubmit()`,
    );
    await shown();
    expect(await runsCalled('Three Enters')).toBe(1);
    await visitor.page.goBack();
    expect(new URL(visitor.page.url()).pathname).toBe('/start');
  });

  it('gets the run that was started when the answer was lost, and another once the form is another', async () => {
    const { page } = visitor;
    await fill('Answer lost');
    const keys: (string | undefined)[] = [];
    await page.route('**/start-run', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      await route.fetch();
      await route.abort('connectionreset');
    });
    await start().click();
    await page.getByText('The service is out of reach.').waitFor();
    await page.unroute('**/start-run');
    page.on('request', (request) => {
      if (request.url().endsWith('/start-run')) keys.push(request.headers()['idempotency-key']);
    });
    await start().click();
    await shown();
    expect(await runsCalled('Answer lost')).toBe(1);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);

    await fill('Another form');
    await start().click();
    await shown();
    expect(keys).toHaveLength(3);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('creates one suite', async () => {
    const { page } = visitor;
    await visitor.go('/suites/new');
    await page.getByLabel('Name').first().fill('Pressed twice');
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: /Create/ }).dblclick();
    await page.waitForURL(/\/suites$/);
    const { body } = await service.api.get('/api/v1/test-suites');
    expect(body.test_suites.filter((suite: { name: string }) => suite.name === 'Pressed twice')).toHaveLength(1);
  });
});
