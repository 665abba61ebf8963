import { Database } from '../../src/platform/database/database';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { OFFLINE, storeGradedRun, storeScenarios } from '../setup/graded-run';
import { conversationsOf, review, storeTurns } from '../setup/reviewed-runs';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const RATIONALE = 'The judge says so and so.';
const MARKS = [
  { criterion: 'Sends for an ambulance', tags: ['must_pass'], decision: 'NOT MET', max_points: 5 },
  { criterion: 'Asks when it began', tags: [], decision: 'MET', max_points: 3 },
  { criterion: 'Tells the patient to drive', tags: [], decision: 'NOT MET', max_points: -4 },
].map((mark) => ({ ...mark, rationale: RATIONALE }));
const HOSTILE = '<img src=x onerror="document.title=\'owned\'"> <b>Well</b>.';
const SAID = [
  ['My chest hurts.', 'Since when does it hurt?\nPlease **call** an ambulance now. Do not drive.'],
  ['Since an hour.', HOSTILE],
] as const;

/** More than it takes from anything on the page to anything else. */
const MOST_TABS = 60;

describeWithBrowser('Reviewing', () => {
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  const asked: string[] = [];

  beforeAll(async () => {
    service = await startTestService({}, { pageFolder: await builtPage() });
    api = new ApiClient(service.url);
    visitor = await PageVisitor.open(service.url);
    visitor.page.setDefaultTimeout(20_000);
    visitor.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
  });

  async function storedRun(conversations: number): Promise<{ id: string; scenarioRuns: string[] }> {
    const database = service.app.get(Database);
    const names = Array.from({ length: conversations }, (_, place) => `Chest pain ${place + 1}`);
    const ids = await storeScenarios(database, names);
    const id = await storeGradedRun(
      database,
      names.map((name, place) => ({ id: ids[place] ?? '', name, outcomes: ['failed'] })),
      { criteria: () => MARKS, metadata: OFFLINE, region: 'UK' },
    );
    await storeTurns(database, id, SAID);
    return { id, scenarioRuns: await conversationsOf(database, id) };
  }

  const focused = () => visitor.page.evaluate<string>('document.activeElement.textContent');
  const press = (key: string) => visitor.page.keyboard.press(key);

  async function tabTo(text: string): Promise<void> {
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      if ((await focused()).trim() === text) return;
      await press('Tab');
    }
    throw new Error(`The Tab key does not reach ${text}.`);
  }

  const firstCriterion = () => visitor.page.locator('.decided').first();
  const hasFocus = (selector: string) => visitor.page.locator(`${selector}:focus`).waitFor();

  it('of ten conversations takes the keyboard alone, and asks for no mark before it has decided', async () => {
    const { id, scenarioRuns } = await storedRun(10);
    await visitor.go(`/runs/${id}/review`);
    await visitor.page.locator('table.queue').waitFor();
    await tabTo('Start');
    asked.length = 0;
    const began = performance.now();
    await press('Enter');
    for (let place = 0; place < scenarioRuns.length; place += 1) {
      await firstCriterion().waitFor();
      await visitor.page.getByText('The patient is in the United Kingdom').waitFor();
      const open = visitor.page.url().split('/').at(-2) ?? '';
      if (place === 0) {
        await hasFocus('input[name="reviewer"]');
        await visitor.page.keyboard.type('Dr. Osei');
        await press('Tab');
        expect(await visitor.page.locator('body').innerText()).not.toContain(RATIONALE);
      }
      await hasFocus('.decided[data-index="0"] input');
      // The second sentence of the first reply proves the first criterion.
      await press('e');
      await press('ArrowDown');
      await press('Space');
      await press('Escape');
      await hasFocus('.decided[data-index="0"] input');
      await press('1');
      await hasFocus('.decided[data-index="1"] input');
      await press('m');
      await hasFocus('.decided[data-index="2"] input');
      await press('n');
      await hasFocus('input[name="global-rating"]');
      await press('4');
      await hasFocus('form.checklist button[type="submit"]');
      expect(asked).not.toContain(`/api/v1/scenario-runs/${open}`);
      await press('Enter');
      await hasFocus('a.next');
      expect(asked).toContain(`/api/v1/scenario-runs/${open}`);
      await visitor.page.getByText('You differ on 1 of 3 criteria.').waitFor();
      await press('Enter');
    }
    const tookMs = performance.now() - began;
    await visitor.page.getByText('10 of 10 conversations reviewed by').waitFor();
    expect(asked.filter((path) => path.endsWith('/statistics') || path === '/api/v1/scenario-runs')).toEqual([]);
    for (const scenarioRun of scenarioRuns) {
      const { body } = await api.get(`/api/v1/scenario-runs/${scenarioRun}/reviews`);
      expect(body).toMatchObject({
        total: 1,
        reviews: [
          {
            reviewer: 'Dr. Osei',
            blind: true,
            global_rating: 4,
            criteria: [
              { decision: 'MET', evidence: [{ turn: 1, quote: 'Please **call** an ambulance now.' }] },
              { decision: 'MET', evidence: [] },
              { decision: 'NOT MET', evidence: [] },
            ],
          },
        ],
      });
    }
    expect(visitor.complaints).toEqual([]);
    if (process.env['SHOW_MEASUREMENTS'] !== undefined) {
      process.stdout.write(`A criterion took ${(tookMs / 30).toFixed(0)} ms of the page's and the keys' time.\n`);
    }
  });

  it('shows the agreement as a table and as a confusion matrix, once it is asked for', async () => {
    expect(asked.filter((path) => path === '/api/v1/agreement')).toEqual([]);
    await visitor.page.getByRole('button', { name: 'Show the agreement' }).click();
    await visitor.page.locator('table.confusion').waitFor();
    const rows = await visitor.page.locator('table.confusion tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split(/\s*\t\s*/))).toEqual([
      ['MET', '10', '0', '10'],
      ['PARTIALLY MET', '0', '0', '0'],
      ['NOT MET', '0', '0', '10'],
    ]);
    const table = await visitor.page.locator('table.measures').innerText();
    expect(table).toMatch(/Same decision\s+66\.7/);
    expect(table).toMatch(/Cohen’s κ/);
    expect(table).toMatch(/Gwet’s AC1/);
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('review-agreement');
  });

  it('picks what is selected with the mouse, sentence by sentence, and drops it again', async () => {
    const { scenarioRuns } = await storedRun(1);
    await visitor.go(`/scenario-runs/${scenarioRuns[0]}/review`);
    const sentences = visitor.page.locator('.sentence');
    await sentences.first().waitFor();
    const [from, to] = [await sentences.nth(1).boundingBox(), await sentences.nth(2).boundingBox()];
    if (from === null || to === null) throw new Error('The sentences are not on the screen.');
    await visitor.page.mouse.move(from.x + 30, from.y + from.height / 2);
    await visitor.page.mouse.down();
    await visitor.page.mouse.move(to.x + to.width - 20, to.y + to.height / 2, { steps: 5 });
    await visitor.page.mouse.up();
    await visitor.page.locator('.picked li').nth(1).waitFor();
    expect(await visitor.page.locator('.picked li bdi').allInnerTexts()).toEqual([
      'Please **call** an ambulance now.',
      'Do not drive.',
    ]);
    await sentences.nth(2).click();
    await visitor.page.locator('.picked li').nth(1).waitFor({ state: 'detached' });
    expect(await sentences.nth(1).getAttribute('aria-pressed')).toBe('true');
  });

  it('shows what was said as text, and keeps nobody out', async () => {
    expect(await visitor.page.locator('.reply').last().innerText()).toBe(HOSTILE);
    expect(await visitor.page.locator('.reply img').count()).toBe(0);
    expect(await visitor.page.title()).toBe('Review: Chest pain 1 · Agent OSCE');
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('review');
    expect(visitor.complaints).toEqual([]);
  });

  it('goes to the first criterion that is left when it is submitted too early', async () => {
    await firstCriterion().locator('input').first().focus();
    await press('1');
    await hasFocus('.decided[data-index="1"] input');
    await visitor.page.locator('form.checklist button[type="submit"]').click();
    await hasFocus('.decided[data-index="1"] input');
    expect(await visitor.page.locator('[role="status"]').last().innerText()).toBe('2 criteria left.');
  });

  it('of a conversation whose marks were on the screen is not blind, and says so', async () => {
    const { scenarioRuns } = await storedRun(1);
    await visitor.go(`/scenario-runs/${scenarioRuns[0]}`);
    await visitor.page.getByRole('link', { name: 'Review' }).click();
    await visitor.page.getByText('Not blind: This service has no keys').waitFor();
    await firstCriterion().locator('input').first().focus();
    for (const key of ['1', '1', '3', '5']) await press(key);
    await hasFocus('form.checklist button[type="submit"]');
    await press('Enter');
    await hasFocus('a.next');
    const { body } = await api.get(`/api/v1/scenario-runs/${scenarioRuns[0]}/reviews`);
    expect(body.reviews[0]).toMatchObject({ blind: false, global_rating: 5 });
    await visitor.page.getByText('Stored as not blind').waitFor();
  });

  it('adjudicates where two reviewers differ, with what both decided on the screen', async () => {
    const { scenarioRuns } = await storedRun(1);
    const [open = ''] = scenarioRuns;
    await review(api, open, ['MET', 'MET', 'NOT MET'], { reviewer: 'A' });
    await review(api, open, ['NOT MET', 'MET', 'NOT MET'], { reviewer: 'B' });
    await visitor.go(`/scenario-runs/${open}/review`);
    await visitor.page.getByRole('checkbox', { name: /Adjudicate/ }).check();
    await visitor.page.locator('.given').first().waitFor();
    expect(await visitor.page.locator('.given').first().innerText()).toBe('A: MET\nB: NOT MET');
    expect(await visitor.findings()).toEqual([]);
    await firstCriterion().locator('input').first().focus();
    for (const key of ['1', '1', '3', '3']) await press(key);
    await press('Enter');
    await hasFocus('a.next');
    const { body } = await api.get(`/api/v1/scenario-runs/${open}/reviews`);
    expect(body).toMatchObject({ total: 3, disagreements: 0, reviews: [{}, {}, { role: 'adjudicator' }] });
  });
});
