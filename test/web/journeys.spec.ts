import type { BrowserContextOptions } from 'playwright-core';
import { sendJson, startHttpStub, type HttpStub } from '../fakes/http-stub';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { createScenarios, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

/** A screen of an office, a phone in the dark, and a laptop at 200 % whose system chooses the colours. */
const SCREENS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['1440', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['390-dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
  ['720-contrast', { viewport: { width: 720, height: 450 }, forcedColors: 'active' }],
];
/** More than it takes from anything on a page to anything else. */
const MOST_TABS = 150;
/** What the agent under test says, better from version to version. */
const REPLIES = ['Drink some tea.', 'When did it begin?', 'Please call an ambulance now. When did it begin?'];

for (const [screen, options] of SCREENS) {
  describeWithBrowser(`On a screen of ${screen}`, () => {
    let service: TestService;
    let api: ApiClient;
    let clinic: HttpStub;
    let visitor: PageVisitor;
    let version = 2;
    const runs: string[] = [];

    beforeAll(async () => {
      service = await startTestService({}, { pageFolder: await builtPage() });
      api = new ApiClient(service.url);
      clinic = await startHttpStub((response) => sendJson(response, 200, { data: { reply: REPLIES[version] } }));
      await createScenarios(api, 3);
      visitor = await PageVisitor.open(service.url, options);
    });
    afterAll(async () => {
      await visitor?.close();
      await service?.close();
      await clinic?.close();
      expect(visitor.complaints).toEqual([]);
    });

    const seen = async (name: string): Promise<void> => {
      await visitor.picture(`journey-${name}-${screen}`, { fullPage: false });
      expect({ name, findings: await visitor.findings() }).toEqual({ name, findings: [] });
    };

    it('an engineer pastes a curl line, tries the agent, runs it, and gets from the grid to two conversations', async () => {
      const { page } = visitor;
      await visitor.go('/agents/new');
      await page.getByText('Paste a curl line').click();
      await page.getByLabel('curl line').fill(`curl ${clinic.origin}/chat --json '{"message": "Hello"}'`);
      await page.getByRole('button', { name: 'Fill in the form' }).click();
      await page.getByText('The form is filled in.').waitFor();
      await page.getByLabel('Name', { exact: true }).fill('Clinic');
      await page.getByRole('button', { name: 'Send it' }).click();
      await page.getByRole('button', { name: 'Find the reply in its answer' }).click();
      await page
        .getByText(REPLIES[2] ?? '', { exact: true })
        .first()
        .waitFor();
      await seen('agent-tried');
      await page.getByRole('button', { name: 'Register the agent' }).click();
      await page.getByRole('heading', { name: 'Clinic', level: 1 }).waitFor();
      for (const next of [0, 1, 2]) {
        version = next;
        await page.getByRole('link', { name: 'Examine this agent' }).click();
        await page.getByLabel('Version of the agent (optional)').fill(`1.${next}`);
        await page.getByLabel('Trials (optional)').fill('2');
        await page.getByRole('button', { name: 'Start the run' }).click();
        await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
        const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
        runs.push(id);
        await untilFinal(api, id);
        await page.getByRole('region', { name: 'Result' }).waitFor();
        if (next === 0) await seen('run-failed');
        const facts = page.getByText('What was examined, and how');
        if (await facts.isVisible()) await facts.click();
        await page.getByRole('main').getByRole('link', { name: 'Clinic', exact: true }).click();
        await page.getByRole('heading', { name: 'Clinic', level: 1 }).waitFor();
      }
      await visitor.go(`/compare?runs=${runs.join(',')}`);
      const grid = page.getByRole('region', { name: 'Scenarios by runs' });
      await grid.waitFor();
      await seen('grid');
      await grid
        .getByRole('link', { name: /^Side by side/ })
        .first()
        .click();
      await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();
      await seen('side-by-side');
    });

    it('a clinician copies a scenario, edits and tries it, approves it, and reviews a conversation', async () => {
      const { page } = visitor;
      await visitor.go('/scenarios');
      await page.getByRole('rowheader').getByRole('link').first().click();
      await page.getByRole('link', { name: 'Copy', exact: true }).click();
      await page.getByRole('heading', { name: 'Copy a scenario' }).waitFor();
      await page.getByLabel('Name', { exact: true }).fill('My own scenario');
      await page.getByLabel('Criterion 1', { exact: true }).fill('Asks when it began');
      const trial = page.getByRole('region', { name: 'Try it' });
      await trial.getByRole('button').click();
      await trial.getByText(/of \d+ points/).waitFor();
      await page.getByText('Approve this text').click();
      await page.getByLabel('Approved by').fill('Dr A. Ward');
      await page.getByLabel('Role').fill('physician');
      await seen('scenario-copied');
      await page.getByRole('button', { name: 'Create the scenario' }).click();
      await page.getByRole('heading', { name: 'My own scenario', level: 1 }).waitFor();
      const { scenarios } = (await api.get('/api/v1/scenarios')).body;
      expect(scenarios.find(({ name }: { name: string }) => name === 'My own scenario')).toMatchObject({
        approved: true,
        approved_by: 'Dr A. Ward',
        rubric_criteria: [{ criterion: 'Asks when it began' }],
      });
      await visitor.go(`/runs/${runs[0]}/review`);
      await page.getByRole('link', { name: 'Start', exact: true }).click();
      await page.getByLabel('Your name').fill('Dr A. Ward');
      await page.getByRole('radio', { name: 'NOT MET' }).first().check();
      await seen('review');
      await page.getByRole('button', { name: 'Submit, and see the judge’s marks' }).click();
      await page.getByRole('heading', { name: 'You and the judge' }).first().waitFor();
      await seen('reviewed');
    });

    it('a QA lead decides on a release with the keyboard alone', async () => {
      const { page } = visitor;
      await visitor.go('/');
      await page.getByRole('row').nth(1).waitFor();
      const boxes = [/^Choose Clinic 1\.2/, /^Choose Clinic 1\.0/];
      for (const name of boxes) {
        await tabTo(name);
        await page.keyboard.press('Space');
      }
      await tabTo(/^Compare the two$/);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Compare two runs' }).waitFor();
      expect(new URL(page.url()).search).toBe(`?base=${runs[0]}&head=${runs[2]}`);
      await page.locator('.conclusion').waitFor();
      await seen('decision');
      await tabTo(/^Side by side/);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();
    });

    /** Goes on by Tab until what has the focus is called so. */
    async function tabTo(name: RegExp): Promise<void> {
      const { page } = visitor;
      for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
        const called = await page.evaluate<string>(
          `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent ?? '').trim()`,
        );
        const isControl = await page.evaluate<boolean>(`document.activeElement !== document.body`);
        if (isControl && name.test(called)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`Tab does not lead to ${name}.`);
    }
  });
}
