import { describeWithBrowser } from '../setup/describe-with-browser';
import { startSeededService, type SeededService } from './seeded-service';
import { PageVisitor } from './page-visitor';

type Ids = SeededService['ids'];

/** Every view with something in it, by what shows that it is whole. */
const VIEWS: readonly (readonly [name: string, path: (ids: Ids) => string, shown: string])[] = [
  ['runs', () => '/', 'table.rows'],
  ['run', ({ run }) => `/runs/${run}`, '.scenario-row'],
  ['scenario-run', ({ failedScenarioRun }) => `/scenario-runs/${failedScenarioRun}`, '.criterion'],
  ['scenario-run-error', ({ erroredScenarioRun }) => `/scenario-runs/${erroredScenarioRun}`, '.problem'],
  ['review', ({ failedScenarioRun }) => `/scenario-runs/${failedScenarioRun}/review`, '.decided'],
  ['review-queue', ({ run }) => `/runs/${run}/review`, 'table.queue'],
  ['start', ({ suite }) => `/start?suite=${suite}`, '.plan .stack p'],
  ['start-scenarios', ({ scenario }) => `/start?scenario=${scenario}`, '.picker li'],
  ['agents', () => '/agents', 'table.rows'],
  ['agent', ({ agent }) => `/agents/${agent}`, '.baseline'],
  ['agent-connection', ({ agent }) => `/agents/${agent}/connection`, '.try'],
  ['new-agent', () => '/agents/new', '.choice'],
  ['scenarios', () => '/scenarios', 'table.rows'],
  ['scenario', ({ scenario }) => `/scenarios/${scenario}`, '.rubric-line'],
  ['new-scenario', () => '/scenarios/new', '.rubric-line'],
  ['generate', () => '/scenarios/generate', 'textarea'],
  ['suites', () => '/suites', 'table.rows'],
  ['suite', ({ suite }) => `/suites/${suite}`, '.picker li'],
  ['comparison', ({ run, otherRun }) => `/compare?base=${run}&head=${otherRun}`, 'table.forest'],
  ['schedules', () => '/schedules', 'table.rows'],
  ['schedule', ({ schedule }) => `/schedules/${schedule}`, '.history'],
  ['new-schedule', () => '/schedules/new', '.next-starts'],
  ['webhooks', () => '/webhooks', 'table.rows'],
  ['webhook', ({ webhook }) => `/webhooks/${webhook}`, '.deliveries'],
  ['new-webhook', () => '/webhooks/new', '.choice'],
  ['audit', () => '/audit', 'table.rows'],
  ['calibrations', () => '/calibrations', '.starter-set'],
  ['not-found', () => '/runs/00000000-0000-4000-8000-000000000000', '.problem'],
];

/** Of tables that hang over the edge of what holds them: by how many pixels. */
const TABLES_CUT_OFF = `[...document.querySelectorAll('.table-frame')]
  .map((frame) => frame.scrollWidth - frame.clientWidth).filter((pixels) => pixels > 0)`;

const SCREENS = [
  ['light', { colorScheme: 'light' as const }],
  ['dark', { colorScheme: 'dark' as const }],
  ['tablet', { colorScheme: 'light' as const, viewport: { width: 900, height: 1100 } }],
  ['phone', { colorScheme: 'light' as const, viewport: { width: 390, height: 844 }, hasTouch: true }],
] as const;

describeWithBrowser('Every view', () => {
  let service: SeededService;

  beforeAll(async () => {
    service = await startSeededService();
  });

  afterAll(() => service?.close());

  describe.each(SCREENS)('on a %s screen', (screen, options) => {
    let visitor: PageVisitor;

    beforeAll(async () => {
      visitor = await PageVisitor.open(service.url, options);
    });

    afterAll(() => visitor?.close());

    it.each(VIEWS)(
      '%s is whole, accessible, no wider than the screen, and asks nobody else',
      async (name, path, shown) => {
        visitor.complaints.length = 0;
        await visitor.go(path(service.ids));
        await visitor.page.locator(shown).first().waitFor();
        await visitor.picture(`${name}-${screen}`);
        expect(await visitor.findings()).toEqual([]);
        expect(await visitor.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
        expect(await visitor.page.evaluate(TABLES_CUT_OFF)).toEqual([]);
        expect(await visitor.page.title()).toMatch(/\S · Agent OSCE$/);
        expect(visitor.complaints).toEqual([]);
      },
    );
  });
});
