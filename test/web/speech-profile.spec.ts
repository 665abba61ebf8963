import { Database } from '../../src/platform/database/database';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { startTestService, type TestService } from '../setup/service';
import { storeSpokenRun } from '../setup/stored-spoken-run';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

describeWithBrowser('The page of a spoken run', () => {
  let service: TestService;
  let visitor: PageVisitor;
  let run = '';

  beforeAll(async () => {
    service = await startTestService({}, { pageFolder: await builtPage() });
    // Ten answers of 0.8 s and one of 2 s, of which the last is disturbed on our side.
    const turns = Array.from({ length: 12 }, (_, at) => ({
      said: 'My head hurts.',
      replied: 'I see. Take a rest.',
      spoken: {
        ...{ from_ms: at * 10_000, to_ms: at * 10_000 + 1_000, latency_ms: at === 10 ? 2_000 : 800 },
        agent: [{ from_ms: at * 10_000 + (at === 10 ? 3_000 : 1_800), to_ms: at * 10_000 + 6_000 }],
        timing_reliable: at < 11,
      },
    }));
    run = (await storeSpokenRun(service.app.get(Database), [{ turns }])).id;
    visitor = await PageVisitor.open(service.url);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
  });

  test('says how its agent speaks, with counts and what does not count', async () => {
    await visitor.go(`/runs/${run}`);
    const profile = visitor.page.getByRole('region', { name: 'How the agent speaks' });
    const found = (measure: string) => profile.getByRole('row', { name: new RegExp(`^${measure}`) }).innerText();
    expect(await found('Answers begin after')).toMatch(/0\.80 s \(median\), .* 2\.00 s at most, of 11/);
    expect(await found('Began before the patient had ended')).toMatch(/0 of 11, 0\s% \(/);
    expect(await found('Silent within 2\\.0 s of an interruption')).toMatch(/0 of 0$/);
    expect(await profile.innerText()).toContain(
      '12 turns; those that were disturbed on our side (1) are in no figure.',
    );
    expect(await visitor.findings()).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });
});
