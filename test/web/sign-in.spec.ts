import { Database } from '../../src/platform/database/database';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { storeGradedRun, storeScenarios } from '../setup/graded-run';
import { freePort, signInVariables, TestIdentityProvider } from '../setup/identity-provider';
import { conversationsOf, storeTurns } from '../setup/reviewed-runs';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

describeWithBrowser('The page of a service with a provider of identities', () => {
  let provider: TestIdentityProvider;
  let service: TestService;
  let visitor: PageVisitor;
  let scenarioId: string;
  let conversation: string;

  beforeAll(async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    provider = await TestIdentityProvider.start({ publicUrl });
    service = await startTestService(
      { ...signInVariables(provider), PUBLIC_URL: publicUrl, PORT: String(port) },
      { pageFolder: await builtPage() },
    );
    const database = service.app.get(Database);
    [scenarioId = ''] = await storeScenarios(database, ['Chest pain']);
    const mark = { criterion: 'Asks when it began', tags: [], decision: 'MET', max_points: 3 };
    const rubric = [{ criterion: mark.criterion, points: 3, tags: [] }];
    const graded = [{ id: scenarioId, name: 'Chest pain', outcomes: ['passed'], rubric }] as const;
    const run = await storeGradedRun(database, graded, { criteria: () => [mark] });
    await storeTurns(database, run, [['It hurts.', 'When did it begin?']]);
    [conversation = ''] = await conversationsOf(database, run);
    visitor = await PageVisitor.open(service.url);
    // The provider's own pages ask for a typeface elsewhere.
    await visitor.page.route(
      ({ hostname }) => hostname !== '127.0.0.1',
      (route) => route.abort(),
    );
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await provider?.close();
    const ofProvider = [`request: ${provider.issuer}/`, 'request: https://fonts.googleapis.com/'];
    const complaints = visitor.complaints.filter((line) => !ofProvider.some((start) => line.startsWith(start)));
    expect(complaints).toEqual([]);
  });

  /** Fills in the provider's own forms. */
  async function signIn(login: string): Promise<void> {
    const { page } = visitor;
    await page.getByRole('dialog', { name: 'Sign in' }).getByRole('link', { name: 'Sign in' }).click();
    await page.locator('input[name="login"]').fill(login);
    await page.locator('input[name="password"]').fill('any');
    await page.locator('button[type="submit"]').click();
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  it('offers a sign-in, and leads back to the view that was asked for', async () => {
    const { page } = visitor;
    await provider.account('dr.osei', ['clinicians']);
    await visitor.go('/scenarios?tag=stored');
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.waitFor();
    await visitor.picture('sign-in');
    expect(await visitor.findings()).toEqual([]);
    expect(await dialog.getByLabel('Service key').count()).toBe(1);
    await signIn('dr.osei');
    await page.getByText('Signed in as dr.osei (reviewer)').waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/scenarios?tag=stored');
    await page.getByRole('heading', { level: 1, name: 'Scenarios' }).waitFor();
    expect(await page.getByRole('link', { name: 'Start a run' }).count()).toBe(0);
    expect(await visitor.findings()).toEqual([]);
  });

  it('has a reviewer review under the name that the provider knows', async () => {
    const { page } = visitor;
    await visitor.go(`/scenario-runs/${conversation}/review`);
    await page.getByText('You review as dr.osei, who is signed in.').waitFor();
    expect(await page.getByLabel('Your name').count()).toBe(0);
    await page.getByRole('radio', { name: 'Not met' }).first().check();
    await page.getByRole('button', { name: 'Submit, and see the judge’s marks' }).click();
    await page.getByRole('heading', { name: 'Decide each criterion' }).waitFor({ state: 'detached' });
    const reviews = await service.app.get(Database).query('SELECT reviewer, key_name FROM reviews');
    expect(reviews).toEqual([{ reviewer: 'dr.osei', key_name: 'dr.osei' }]);
  });

  it('says why when a session has ended, and who may not what', async () => {
    const { page } = visitor;
    await service.app.get(Database).query('UPDATE sessions SET expires_at = now()');
    // A process remembers a session for two seconds.
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    for (let tries = 0; tries < 50 && !(await page.getByRole('dialog').isVisible()); tries += 1) {
      await visitor.go('/agents');
      await page.getByRole('dialog').or(page.getByText('Signed in as')).first().waitFor();
    }
    await page.getByText('The session of dr.osei has ended after 12 h: sign in again.').first().waitFor();
  });

  it('has an admin approve under their own name', async () => {
    const { page } = visitor;
    await page.context().clearCookies();
    await provider.account('dr.ward', ['platform']);
    await visitor.go(`/scenarios/${scenarioId}`);
    await signIn('dr.ward');
    await page.getByText('Signed in as dr.ward (admin)').waitFor();
    await page.getByLabel('Approve this text').check();
    await page.getByText('Approved by dr.ward, who is signed in.').waitFor();
    expect(await page.getByLabel('Approved by').count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  });

  it('has an admin make a key, which is shown once, and revoke it', async () => {
    const { page } = visitor;
    await visitor.go('/agents');
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('heading', { name: 'No named keys yet' }).waitFor();
    expect(await visitor.findings()).toEqual([]);
    await page.getByLabel('Name').fill('ci');
    await page.getByLabel('Role').selectOption('viewer');
    await page.getByRole('button', { name: 'Create' }).click();
    const key = await page.getByLabel('Key', { exact: true }).inputValue();
    expect(key).toMatch(/^osce_[\w-]{43}$/);
    expect(await visitor.findings()).toEqual([]);
    const asked = () => fetch(`${service.url}/api/v1/me`, { headers: { 'x-api-key': key } });
    expect(await (await asked()).json()).toMatchObject({ name: 'ci', role: 'viewer' });
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('button', { name: 'Yes, revoke' }).click();
    await page.getByText('by dr.ward').nth(1).waitFor();
    expect((await asked()).status).toBe(401);
    await visitor.go('/keys');
    await page.getByRole('row', { name: /^ci/ }).waitFor();
    expect(await page.getByLabel('Key', { exact: true }).count()).toBe(0);
  });

  it('signs a person out, and leads on to the provider', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${provider.issuer}/**`);
    expect(await service.app.get(Database).query(`SELECT 1 FROM sessions WHERE expires_at > now()`)).toEqual([]);
  });
});
