import { describeWithBrowser } from '../setup/describe-with-browser';
import { startSeededService, type SeededService } from './seeded-service';
import { PageVisitor } from './page-visitor';

/** A phone, and a laptop of 1440 pixels at 200 % zoom, which a browser lays out as half as wide a screen. */
const NARROW = [
  ['a phone', { width: 390, height: 844 }],
  ['a laptop at 200 %', { width: 720, height: 450 }],
] as const;

for (const [screen, viewport] of NARROW) {
  describeWithBrowser(`On ${screen}`, () => {
    let service: SeededService;
    let visitor: PageVisitor;

    beforeAll(async () => {
      service = await startSeededService();
      visitor = await PageVisitor.open(service.url, { viewport });
    });

    afterAll(async () => {
      await visitor?.close();
      await service?.close();
    });

    const menu = () => visitor.page.getByRole('button', { name: 'Menu' });
    const places = () => visitor.page.getByRole('navigation', { name: 'Main' });

    it.each([
      ['marked', '', '.criterion'],
      ['to be reviewed blind', '/review', '.decided'],
    ])(
      'a conversation that is %s stands before its checklist, in the order of the keyboard too',
      async (what, path, shown) => {
        const { page } = visitor;
        await visitor.go(`/scenario-runs/${service.ids.failedScenarioRun}${path}`);
        await page.locator(shown).first().waitFor();
        const [conversation, checklist] = [page.locator('.transcript'), page.locator('.checklist')];
        const [said, asked] = [await conversation.boundingBox(), await checklist.boundingBox()];
        expect((said?.y ?? 0) + (said?.height ?? Infinity)).toBeLessThanOrEqual(asked?.y ?? 0);
        const isFirst = await page.evaluate(
          `(document.querySelector('.transcript').compareDocumentPosition(document.querySelector('.checklist')) & Node.DOCUMENT_POSITION_FOLLOWING) > 0`,
        );
        expect(isFirst).toBe(true);
        // Nothing has scrolled past what was said.
        expect(await page.evaluate('window.scrollY')).toBe(0);
        await visitor.picture(`conversation-${what.split(' ')[0]}-${viewport.width}`);
        // Who has read it gets to the checklist without scrolling through all of it again.
        await page.getByRole('link', { name: 'To the checklist' }).click();
        await page.waitForFunction(
          `document.querySelector('.checklist').getBoundingClientRect().top < innerHeight / 2`,
        );
        expect(await visitor.findings()).toEqual([]);
      },
    );

    it('the header leaves the screen to what was asked for, and unfolds', async () => {
      const { page } = visitor;
      await visitor.go('/');
      await page.locator('table.rows').waitFor();
      const rail = page.locator('.rail');
      expect((await rail.boundingBox())?.height).toBeLessThan(72);
      await visitor.picture(`runs-${viewport.width}`);
      expect(await places().isVisible()).toBe(false);
      await menu().focus();
      await page.keyboard.press('Enter');
      await places().waitFor();
      expect(await menu().getAttribute('aria-expanded')).toBe('true');
      expect(await visitor.findings()).toEqual([]);
      await visitor.picture(`menu-${viewport.width}`);
      await page.keyboard.press('Escape');
      expect(await places().isVisible()).toBe(false);
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Menu');
      await menu().click();
      await places().getByRole('link', { name: 'Suites' }).click();
      await page.getByRole('heading', { level: 1, name: 'Suites' }).waitFor();
      // Gone where it was to lead, it is out of the way.
      expect(await places().isVisible()).toBe(false);
      expect(visitor.complaints).toEqual([]);
    });
  });
}
