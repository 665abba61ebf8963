import { describeWithBrowser } from '../setup/describe-with-browser';
import { startSeededService, type SeededService } from './seeded-service';
import { PageVisitor } from './page-visitor';

const LONG_NAME = `Chest pain ${'and then some more of it '.repeat(18)}`.trim().slice(0, 480);

describeWithBrowser('The page', () => {
  let service: SeededService;
  let visitor: PageVisitor;

  beforeAll(async () => {
    service = await startSeededService();
    visitor = await PageVisitor.open(service.url);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
  });

  it('is set in the type that comes with it, whatever the machine has', async () => {
    await visitor.go('/scenarios');
    await visitor.page.locator('table.rows').waitFor();
    const set: { loaded: string[]; heading: string; text: string } = await visitor.page
      .evaluate(`document.fonts.ready.then(() => ({
        loaded: [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', '')),
        heading: getComputedStyle(document.querySelector('h1')).fontFamily.split(',')[0].replaceAll('"', ''),
        text: getComputedStyle(document.body).fontFamily.split(',')[0].replaceAll('"', ''),
      }))`);
    expect(set.loaded).toEqual(expect.arrayContaining([set.heading, set.text]));
    expect(set.heading).not.toBe(set.text);
    // The policy of the page let nothing else in, and complained of nothing.
    expect(visitor.complaints).toEqual([]);
  });

  it('writes figures in columns of the same width', async () => {
    const widths: number[] = await visitor.page.evaluate(`['1111', '8888'].map((figures) => {
      const line = Object.assign(document.createElement('span'), { className: 'number', textContent: figures });
      document.querySelector('main').append(line);
      const { width } = line.getBoundingClientRect();
      line.remove();
      return Math.round(width * 10);
    })`);
    expect(widths[0]).toBe(widths[1]);
  });

  it('shows twenty scenarios on one screen', async () => {
    await visitor.go('/scenarios');
    await visitor.page.locator('table.rows').waitFor();
    const seen: number = await visitor.page.evaluate(
      `[...document.querySelectorAll('.rows tbody tr')].filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length`,
    );
    expect(seen).toBeGreaterThanOrEqual(20);
  });

  it('shows every name on a phone, too', async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 390, height: 844 });
    for (const list of ['/scenarios', '/agents', '/suites', '/']) {
      await visitor.go(list);
      const names = page.locator('.rows tbody th a');
      await names.first().waitFor();
      const widths = await names.evaluateAll((links) => links.map((link) => link.getBoundingClientRect().width));
      expect(Math.min(...widths)).toBeGreaterThan(20);
    }
    await page.setViewportSize({ width: 1_280, height: 800 });
  });

  it('shows a conversation as it was held, one message below the other', async () => {
    await visitor.go(`/scenario-runs/${service.ids.failedScenarioRun}`);
    const messages = visitor.page.locator('.transcript .message');
    await messages.first().waitFor();
    const tops = await messages.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(tops).toHaveLength(12);
    expect(tops).toEqual([...new Set(tops)].sort((one, other) => one - other));
  });

  it('cuts a long name where there is no room, and says the whole of it in a title', async () => {
    const { page } = visitor;
    const made = [
      await service.api.post('/api/v1/agents', { name: LONG_NAME, provider: 'openai', config: {} }),
      await service.api.post('/api/v1/test-suites', { name: LONG_NAME, scenario_ids: [service.ids.scenario] }),
    ];
    for (const list of ['/agents', '/suites']) {
      await visitor.go(list);
      const name = page.getByTitle(LONG_NAME);
      await name.waitFor();
      expect((await name.boundingBox())?.height).toBeLessThan(40);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    }
    await visitor.go(`/agents/${made[0]?.body.id}/connection`);
    const heading = page.getByRole('heading', { level: 1 });
    await heading.waitFor();
    expect(await heading.getAttribute('title')).toBe(LONG_NAME);
    expect((await heading.boundingBox())?.height).toBeLessThan(150);
  });

  it('cuts the long name of a run, and of its agent, after two lines, and says the whole of it in a title', async () => {
    const { page } = visitor;
    const agent = await service.api.post('/api/v1/agents', { name: `${LONG_NAME}!`, provider: 'openai', config: {} });
    await service.api.post('/start-run', {
      agent_id: agent.body.id,
      name: LONG_NAME,
      scheduled_at: '2099-01-01T03:00:00Z',
    });
    await visitor.go('/');
    for (const title of [LONG_NAME, `${LONG_NAME}!`]) {
      const name = page.locator('table.rows').getByTitle(title, { exact: true });
      await name.waitFor();
      expect((await name.boundingBox())?.height).toBeLessThan(50);
    }
    expect(await visitor.findings()).toEqual([]);
  });

  it('counts one error as one, and gives no rate before anything is graded', async () => {
    const { page } = visitor;
    const { body } = await service.api.get(`/api/v1/scenario-runs/${service.ids.erroredScenarioRun}`);
    await visitor.go(`/runs/${body.test_run_id}`);
    const legend = page.locator('.legend li').first();
    await legend.waitFor();
    expect((await legend.innerText()).trim()).toBe('1 error');
    await visitor.go('/?status=scheduled');
    const rate = page.getByRole('row', { name: /Tonight/ }).locator('td[data-label="Pass rate"]');
    expect((await rate.innerText()).trim()).toBe('–');
  });

  it('fits its places into three rows on a phone', async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 390, height: 844 });
    await visitor.go('/webhooks');
    await page.getByRole('button', { name: 'Menu' }).click();
    const places = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await places.first().waitFor();
    const boxes = await places.evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
    expect(new Set(boxes).size).toBeLessThanOrEqual(3);
    await page.setViewportSize({ width: 1_280, height: 800 });
  });

  it.each([
    [1_280, ['.patient', '.checklist-side']],
    [1_760, ['.patient', '.checklist-side', '.approver-side']],
  ])('puts script, rubric and gold standard side by side where there is room: %i px', async (width, parts) => {
    const { page } = visitor;
    await page.setViewportSize({ width, height: 900 });
    await visitor.go(`/scenarios/${service.ids.scenario}`);
    await page.getByLabel('Gold standard').waitFor();
    const boxes = await Promise.all(parts.map((part) => page.locator(part).boundingBox()));
    const tops = boxes.map((box) => Math.round(box?.y ?? -1));
    expect(new Set(tops).size).toBe(1);
    const ends = boxes.map((box) => (box?.x ?? 0) + (box?.width ?? 0));
    boxes.slice(1).forEach((box, before) => expect(box?.x).toBeGreaterThan(ends[before] ?? Infinity));
    // Hardly any of the width is left over.
    expect(Math.max(...ends)).toBeGreaterThan(width - 60);
    await visitor.picture(`scenario-${width}`);
    await page.setViewportSize({ width: 1_280, height: 800 });
  });

  it('takes tags one by one, offers those in use, and takes them away again', async () => {
    const { page } = visitor;
    await visitor.go(`/scenarios/${service.ids.scenario}`);
    const input = page.getByLabel('Tags');
    await input.waitFor();
    const { body: before } = await service.api.get(`/api/v1/scenarios/${service.ids.scenario}`);
    const offered: string[] = await page.evaluate(
      `[...document.querySelectorAll('.tag-input datalist option')].map(({ value }) => value)`,
    );
    expect(offered).toContain('stroke');
    expect(offered).not.toContain(before.tags[0]);
    await input.fill('stroke');
    await input.press('Enter');
    await input.fill('night shift, carer');
    await page.getByRole('button', { name: `Remove tag ${before.tags[0]}` }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    const { body: after } = await service.api.get(`/api/v1/scenarios/${service.ids.scenario}`);
    expect(after.tags).toEqual([...before.tags.slice(1), 'stroke', 'night shift', 'carer']);
    // Tags are not what a clinician approves.
    expect(after.revision).toBe(before.revision);
  });

  it('searches tags where there are many', async () => {
    const { page } = visitor;
    await visitor.go('/start');
    await page.getByRole('radio', { name: /^By tag/ }).check();
    const chips = page.getByRole('group', { name: 'Tags' }).getByRole('button');
    await page.getByRole('button', { name: 'carer', exact: true }).click();
    await page.getByLabel('Search tags').fill('strok');
    expect(await chips.allInnerTexts()).toEqual(['carer', 'stroke']);
    await page.getByRole('button', { name: 'stroke', exact: true }).click();
    await page.getByLabel('Agent', { exact: true }).selectOption(service.ids.agent);
    await page.getByText(/is examined with \d+ scenarios/).waitFor();
  });
});
