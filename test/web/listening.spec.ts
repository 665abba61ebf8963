import { Database } from '../../src/platform/database';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { eventually } from '../setup/eventually';
import { startTestService, type TestService } from '../setup/service';
import { constructedVoice, storeSpokenRun } from '../setup/stored-spoken-run';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const EVIL = '<img src=x onerror=alert(1)>';

describeWithBrowser('A spoken conversation', () => {
  let service: TestService;
  let visitor: PageVisitor;
  let recorded = '';
  let silent = '';

  beforeAll(async () => {
    service = await startTestService({}, { pageFolder: await builtPage() });
    const criterion = {
      ...{ criterion: 'Says to rest', points: 5, max_points: 5, decision: 'MET', rationale: 'It says so.', tags: [] },
      evidence: [{ turn: 1, quote: 'Take a rest.' }],
    };
    const turn = {
      said: 'My head hurts.',
      replied: 'I see. Take a rest.',
      spoken: {
        ...{ from_ms: 1_000, to_ms: 2_000, agent: [{ from_ms: 2_800, to_ms: 6_000 }], latency_ms: 800 },
        agent_sentences: [
          { id: 's1', from_ms: 2_800, to_ms: 4_000, certain: true },
          { id: 's2', from_ms: 4_200, to_ms: 6_000, certain: true },
        ],
        own: `I see. Take a rest at once. ${EVIL}`,
        heard: 'I see. Take a rest.',
        heard_by_agent: `My bed hurts. ${EVIL}`,
      },
    };
    const database = service.app.get(Database);
    const recording = { patient: constructedVoice(7_000, 1), agent: constructedVoice(7_000, 2) };
    const { scenarioRunIds } = await storeSpokenRun(database, [
      { turns: [turn], criteria: [criterion], recording },
      { turns: [turn], criteria: [criterion] },
    ]);
    [recorded = '', silent = ''] = scenarioRunIds;
    visitor = await PageVisitor.open(service.url);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
  });

  /** The length of what the player has, in s; null before it has anything. */
  const secondsHeard = (): Promise<unknown> =>
    visitor.page.evaluate(
      `(({ readyState, duration }) => (readyState >= 1 ? duration : null))(document.querySelector('.player audio'))`,
    );

  it('lets the words that a mark rests on be heard, with a little of what is around them', async () => {
    await visitor.go(`/scenario-runs/${recorded}`);
    await visitor.page.getByRole('button', { name: 'Play from 0:04: the evidence in turn 1' }).click();
    await visitor.page.locator('.player audio').waitFor();
    // 4.2 to 6 s, and 0.3 s on either side.
    await eventually(async () => expect(await secondsHeard()).toBeCloseTo(2.4, 3));
    expect(await visitor.findings()).toEqual([]);
  });

  it('lets each turn be heard, and the whole', async () => {
    await visitor.page.getByRole('button', { name: 'Play from 0:01: what the patient said in turn 1' }).click();
    await eventually(async () => expect(await secondsHeard()).toBeCloseTo(1.6, 3));
    await visitor.page.getByRole('button', { name: 'Listen to the whole conversation' }).click();
    await eventually(async () => expect(await secondsHeard()).toBeCloseTo(7, 3));
  });

  it('shows beside the words heard what the agent wrote, and what it heard, as text', async () => {
    const agent = await visitor.page.locator('#turn-1-agent .heard').innerText();
    expect(agent).toContain(`In text the agent wrote: I see. Take a rest at once. ${EVIL}`);
    const patient = await visitor.page.locator('#turn-1-patient .heard').innerText();
    expect(patient).toContain(`The agent heard: My bed hurts. ${EVIL}`);
    expect(await visitor.page.locator('.heard img').count()).toBe(0);
  });

  it('says why nothing can be heard where no sound was kept', async () => {
    await visitor.go(`/scenario-runs/${silent}`);
    await visitor.page.getByRole('button', { name: 'Play from 0:04: the evidence in turn 1' }).click();
    await visitor.page
      .locator('.player')
      .getByText(/recording/i)
      .first()
      .waitFor();
    expect(await visitor.page.locator('.player audio').count()).toBe(0);
  });
});
