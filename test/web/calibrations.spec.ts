import { Database } from '../../src/platform/database/database';
import { readJudgePrompt, startFakeAnthropic, type FakeAnthropic } from '../fakes/anthropic-server';
import { ApiClient, type Answer } from '../setup/api-client';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { eventually } from '../setup/eventually';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { startTestService, type TestService } from '../setup/service';
import { everythingMet } from '../setup/inattentive-judge';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const HOSTILE = '<img src=x onerror="document.title=\'owned\'">';
const QUOTED = 'Please call an ambulance <b>now</b>.';
/** The judge finds the first done and the second not; the label says the opposite of both. */
const CONTRADICTED = {
  id: `call-1 ${HOSTILE}`,
  transcript: [
    { role: 'patient', content: 'My chest hurts.' },
    { role: 'agent', content: QUOTED },
  ],
  criteria: [
    { criterion: 'Tells the patient to call an ambulance', points: 8, decision: 'NOT MET' },
    { criterion: `Asks about allergies ${HOSTILE}`, points: 2, decision: 'MET' },
  ].map(({ decision, ...criterion }) => ({ ...criterion, tags: [], labels: [{ rater: `Dr. ${HOSTILE}`, decision }] })),
};

describeWithBrowser('Somebody who wants to know what the judge is worth', () => {
  let database: TestDatabase;
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  let run: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startTestService({}, { database, pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    const store = service.app.get(Database);
    const [scenario = ''] = await storeScenarios(store, ['Chest pain']);
    run = await storeGradedRun(store, [{ id: scenario, name: 'Chest pain', outcomes: ['passed'] }]);
    visitor = await PageVisitor.open(service.url);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await database?.drop();
  });

  const button = (name: string) => visitor.page.getByRole('button', { name, exact: true });
  const linesOf = async (table: string) =>
    (await visitor.page.locator(`table.${table} tbody tr`).allInnerTexts()).map((row) => row.split(/\s*\t\s*/));
  const untilOver = async (id: string): Promise<Answer['body']> => {
    let body: Answer['body'];
    await eventually(async () => {
      ({ body } = await api.get(`/api/v1/calibrations/${id}`));
      expect(['completed', 'failed', 'canceled']).toContain(body.status);
    }, 60_000);
    return body;
  };
  const fitsAPhone = async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('calibration-phone', { fullPage: false });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 800 });
  };

  it('is led from a run to calibrations, and told what one is while there is none', async () => {
    const { page } = visitor;
    await visitor.go(`/runs/${run}`);
    await page.getByText('The judge has not been calibrated').waitFor();
    await page.getByRole('link', { name: 'Calibrate the judge' }).click();
    await page.getByRole('heading', { name: 'The judge has not been calibrated yet' }).waitFor();
    expect(await page.locator('main').innerText()).toMatch(/smoke test of the judge, not its validation/);
    expect(await page.locator('main').innerText()).toContain('osce calibrate labels.jsonl');
    const here = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Judge' });
    expect(await here.getAttribute('aria-current')).toBe('page');
    expect(await visitor.findings()).toEqual([]);
    await fitsAPhone();
    await visitor.picture('calibrations-empty');
  });

  it('starts one with the starter set by a double click, and reads what it comes to', async () => {
    const { page } = visitor;
    await button('Calibrate the judge with the starter set').dblclick();
    await page.locator('table.measures').waitFor();
    const { body: list } = await api.get('/api/v1/calibrations');
    expect(list).toMatchObject({
      total: 1,
      calibrations: [{ source: 'starter_set', repeats: 3, status: 'completed' }],
    });
    const [{ id }] = list.calibrations;
    expect(new URL(page.url()).pathname).toBe(`/calibrations/${id}`);
    const { result } = (await api.get(`/api/v1/calibrations/${id}`)).body;

    const measures = await linesOf('measures');
    expect(measures.map(([name]) => name)).toEqual([
      'Same decision',
      'Cohen’s κ',
      'Gwet’s AC1',
      'Macro-F1 of MET and NOT MET',
      'Faults found (sensitivity)',
      'No fault found where there is none (specificity)',
    ]);
    const { kappa, raw } = result.agreement;
    expect(measures[1]?.[1]).toBe(
      `${kappa.value.toFixed(2)} (${kappa.low.toFixed(2)} to ${kappa.high.toFixed(2)})`.replaceAll('-', '−'),
    );
    expect(Number.parseFloat(measures[0]?.[1] ?? '')).toBeCloseTo(raw.value * 100, 1);
    expect(await linesOf('confusion')).toEqual(
      ['MET', 'PARTIALLY MET', 'NOT MET'].map((decision, row) => [
        decision,
        ...result.agreement.confusion[row].map(String),
      ]),
    );

    const text = await page.locator('main').innerText();
    expect(text).toMatch(/offline judge.*no clinical meaning/);
    expect(text).toMatch(/starter set is a smoke test/);
    expect(text).toMatch(/Criteria in the same order\s+100\s%\s+the same \(120 of 120 pairs of marks\)/);
    expect(text).toMatch(/Criteria in another order\s+100\s%\s+the same \(240 of 240 pairs of marks\)/);
    expect(text).toMatch(/Control questions answered wrong\s+None were asked\./);
    expect(text).toContain('None of 120 examinations ended in an error.');
    await eventually(async () => expect(await page.locator('.contradiction').count()).toBe(result.disagreements_total));
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('calibration', { fullPage: false });
    await page.locator('.told').first().scrollIntoViewIfNeeded();
    await visitor.picture('calibration-differences', { fullPage: false });
    await fitsAPhone();
  });

  it('finds it in the list with κ and AC1, and beside the pass rate of a run', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Calibrations', exact: true }).click();
    const row = page.getByRole('row', { name: /Starter set/ });
    await row.waitFor();
    const [{ kappa, ac1, id }] = (await api.get('/api/v1/calibrations')).body.calibrations;
    const shown = async (): Promise<string> => (await row.innerText()).replaceAll('−', '-');
    // The list looks again while a calibration in it is under way.
    await eventually(async () => expect(await shown()).toContain(`${kappa.value.toFixed(2)} (`));
    const text = await shown();
    expect(text).toContain(`${ac1.value.toFixed(2)} (`);
    expect(text).not.toContain('stale');
    expect(await visitor.findings()).toEqual([]);
    await fitsAPhone();
    await visitor.picture('calibrations');
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page
      .getByRole('row', { name: `run_${run}` })
      .getByRole('link')
      .first()
      .click();
    await page
      .locator('.sure')
      .getByText(/no clinical meaning/)
      .waitFor();
    expect((await page.locator('.sure').innerText()).replaceAll('−', '-')).toContain(`κ ${kappa.value.toFixed(2)}`);
    await page.locator('.sure').getByRole('link', { name: 'Starter set' }).click();
    await page.waitForURL(`**/calibrations/${id}`);
  });

  it('reads where judge and labels differ as text, whatever the labels and the transcripts hold', async () => {
    const { page } = visitor;
    const { body } = await api.post('/api/v1/calibrations', { name: HOSTILE, items: [CONTRADICTED] });
    await untilOver(body.id);
    await visitor.go(`/calibrations/${body.id}`);
    await page.locator('.contradiction').first().waitFor();
    const [found = '', missed = ''] = await page.locator('.contradiction').allInnerTexts();
    expect(found).toMatch(/Tells the patient to call an ambulance[\s\S]*NOT MET[\s\S]*Judge\s+MET/);
    expect(await page.locator('.contradiction blockquote').innerText()).toContain(QUOTED);
    expect(missed).toContain(`Asks about allergies ${HOSTILE}`);
    expect(missed).toContain(`Dr. ${HOSTILE}`);
    expect(await page.locator('main').locator('img, b').count()).toBe(0);
    expect(await page.title()).toBe(`${HOSTILE} · Agent OSCE`);
    expect(await visitor.findings()).toEqual([]);
    await fitsAPhone();
    expect(visitor.complaints).toEqual([]);
  });

  describe('once a language model judges', () => {
    let model: FakeAnthropic;
    let answers: 'never' | 'met' = 'never';

    beforeAll(async () => {
      model = await startFakeAnthropic({
        answer: (request) => {
          if (request.purpose !== 'judge') return undefined;
          return answers === 'never'
            ? { kind: 'hang' }
            : { kind: 'json', value: everythingMet(readJudgePrompt(request)) };
        },
      });
      await visitor.close();
      await service.close();
      service = await startTestService(
        { ANTHROPIC_API_KEY: 'sk-ant-secret', ANTHROPIC_BASE_URL: model.url, JUDGE_MODEL: 'claude-opus-4-5' },
        { database, pageFolder: await builtPage() },
      );
      api = new ApiClient(service.url);
      visitor = await PageVisitor.open(service.url);
    });

    afterAll(() => model?.close());

    it('sees that the calibration before is stale, in words', async () => {
      const { page } = visitor;
      await visitor.go('/calibrations');
      await page
        .getByRole('row', { name: /Starter set.*stale: another model now/ })
        .getByRole('link')
        .click();
      await page.getByText('This calibration is stale: the judge marks with another model now.').waitFor();
    });

    it('sees how far one is, and cancels it', async () => {
      const { page } = visitor;
      const { body } = await api.post('/api/v1/calibrations', { name: 'Ours', items: [CONTRADICTED], repeats: 2 });
      await visitor.go(`/calibrations/${body.id}`);
      await page.getByText('0 of 2 examinations done').waitFor();
      expect(await page.locator('.facts').innerText()).toMatch(
        /anthropic\/claude-opus-4-5[\s\S]*Judge prompt\s+[0-9a-f]{10}/,
      );
      expect(await visitor.findings()).toEqual([]);
      await button('Cancel the calibration').click();
      await button('Yes, cancel the calibration').click();
      await page.getByText('this one has no numbers').waitFor();
      expect((await api.get(`/api/v1/calibrations/${body.id}`)).body.status).toBe('canceled');
      await button('Delete').click();
      await button('Yes, delete').click();
      await page.getByRole('row', { name: /Starter set/ }).waitFor();
      expect((await api.get(`/api/v1/calibrations/${body.id}`)).status).toBe(404);
    });

    it('is told of examinations that failed, why, and how many control questions were answered wrong', async () => {
      answers = 'met';
      const { page } = visitor;
      const { body } = await api.post('/api/v1/calibrations', { name: 'Yes to all', items: [CONTRADICTED] });
      const { result } = await untilOver(body.id);
      await visitor.go(`/calibrations/${body.id}`);
      await page.getByText('Nothing could be marked:').waitFor();
      const text = await page.locator('main').innerText();
      expect(text).toContain(`1 of 1, ${result.failed[0].kind}: ${result.failed[0].message}`);
      expect(text).toContain(`(${result.controls.wrong} of ${result.controls.asked})`);
      expect(result.controls.wrong).toBeGreaterThan(0);
      expect(await visitor.findings()).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    });
  });
});
