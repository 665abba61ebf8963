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
    const escalates = {
      ...{ criterion: 'Sends for help', points: 10, max_points: 10, decision: 'MET', rationale: 'It does.' },
      ...{ tags: ['must_pass', 'escalation'], evidence: [{ turn: 3, quote: 'Call an ambulance.' }] },
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
        interjection: {
          ...{ kind: 'backchannel' as const, from_ms: 4_500, to_ms: 4_800, reliable: true, agent_unfinished: null },
          words: 'Mm-hm.',
        },
      },
    };
    const early = {
      ...{ said: 'It is the worst pain of my life.', replied: 'How long?' },
      spoken: { from_ms: 8_000, to_ms: 10_000, agent: [{ from_ms: 9_300, to_ms: 11_000 }] },
    };
    const late = {
      ...{ said: 'Since noon.', replied: 'Call an ambulance.' },
      spoken: {
        ...{ from_ms: 12_000, to_ms: 13_000, agent: [{ from_ms: 18_500, to_ms: 20_000 }], latency_ms: 5_500 },
        agent_sentences: [{ id: 's1', from_ms: 18_500, to_ms: 20_000, certain: true }],
      },
    };
    const database = service.app.get(Database);
    const turns = [turn, early, late];
    const recording = {
      patient: voiced(21_000, 1, [
        [1_000, 2_000],
        [4_500, 4_800],
        [8_000, 10_000],
        [12_000, 13_000],
      ]),
      agent: voiced(21_000, 2, [
        [2_800, 6_000],
        [9_300, 11_000],
        [18_500, 20_000],
      ]),
    };
    const content = { red_flags: ['worst pain'] };
    const { scenarioRunIds } = await storeSpokenRun(database, [
      { turns, content, criteria: [criterion, escalates], recording },
      { turns, content, criteria: [criterion, escalates] },
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
    // 4.2 to 6 s, and 0.3 s on either side.
    await eventually(async () => expect(await secondsHeard()).toBeCloseTo(2.4, 3));
    expect(await visitor.findings()).toEqual([]);
  });

  it('lets each turn be heard, and the whole', async () => {
    await visitor.page.getByRole('button', { name: 'Play from 0:01: what the patient said in turn 1' }).click();
    await eventually(async () => expect(await secondsHeard()).toBeCloseTo(1.6, 3));
    await visitor.page.getByRole('button', { name: 'Play the conversation' }).click();
    await eventually(async () => expect(await secondsHeard()).toBeCloseTo(21, 3));
  });

  it('shows beside the words heard what the agent wrote, and what it heard, as text', async () => {
    const own = visitor.page.locator('#turn-1-agent .heard .own');
    await own.locator('del').waitFor();
    expect(await own.innerText()).toContain('In text the agent wrote: I see. Take a');
    // "rest." and "rest" are the same word.
    expect(await own.locator('del').innerText()).toContain(`at once. ${EVIL}`);
    const patient = await visitor.page.locator('#turn-1-patient .heard').innerText();
    expect(patient).toContain(`The agent heard: My bed hurts. ${EVIL}`);
    expect(await visitor.page.locator('.heard img').count()).toBe(0);
  });

  it('draws both sides with what happened when, and says the same in a table', async () => {
    const lanes = visitor.page.locator('.lanes');
    await lanes.locator('.bars.agent').waitFor();
    const signs = await lanes.locator('.moment').evaluateAll((found) => found.map((one) => one.getAttribute('title')));
    expect(signs.toSorted()).toEqual([
      'Backchannel: the agent talked through it',
      'Dead air: 5.5 s of silence',
      'Escalation: the words that earn the criterion',
      'Premature start: the agent began 0.7 s before the patient had ended',
      'Red flag',
    ]);
    await visitor.page.getByText('The same as a table').click();
    const rows = await visitor.page.locator('.moments tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split(/\s*\t\s*/).slice(0, 3))).toEqual([
      ['0:01', '0:02', 'Patient, turn 1'],
      ['0:02', '0:04', 'Agent, turn 1'],
      ['0:04', '0:06', 'Agent, turn 1'],
      ['0:04', '0:04', 'Backchannel, turn 1'],
      ['0:08', '0:10', 'Patient, turn 2'],
      ['0:08', '0:10', 'Red flag, turn 2'],
      ['0:09', '0:11', 'Agent, turn 2'],
      ['0:09', '0:10', 'Premature start, turn 2'],
      ['0:12', '0:13', 'Patient, turn 3'],
      ['0:13', '0:18', 'Dead air, turn 3'],
      ['0:18', '0:20', 'Agent, turn 3'],
      ['0:18', '0:20', 'Escalation, turn 3'],
    ]);
    await visitor.picture('listening');
    expect(await visitor.findings()).toEqual([]);
  });

  it('plays from where a lane is pressed, and highlights the sentence that is heard', async () => {
    const picture = visitor.page.getByRole('slider', { name: /Position in the conversation/ });
    const { width = 0 } = (await picture.boundingBox()) ?? {};
    await picture.click({ position: { x: (width * 4_300) / 21_000, y: 20 } });
    await visitor.page.locator('.heard-now', { hasText: 'Take a rest.' }).waitFor();
    await visitor.page.getByRole('button', { name: 'Pause' }).click();
    expect(Number(await picture.getAttribute('aria-valuenow'))).toBeGreaterThanOrEqual(4);
  });

  it('is worked by the keyboard alone', async () => {
    const picture = visitor.page.getByRole('slider', { name: /Position in the conversation/ });
    await picture.press('Home');
    expect(await picture.getAttribute('aria-valuetext')).toBe('0 seconds of 21 seconds');
    await picture.press('ArrowRight');
    expect(await picture.getAttribute('aria-valuetext')).toBe('5 seconds of 21 seconds');
    await picture.press('PageUp');
    expect(await picture.getAttribute('aria-valuenow')).toBe('8');
    await picture.press('Space');
    await visitor.page.locator('.heard-now', { hasText: 'worst pain' }).waitFor();
    await picture.press('Space');
    await visitor.page.getByRole('button', { name: 'Play the conversation' }).waitFor();
    await picture.press('End');
    expect(await picture.getAttribute('aria-valuenow')).toBe('21');
  });

  it('lets a sentence play itself', async () => {
    await visitor.page.getByRole('button', { name: 'Play from 0:02: sentence 1 of the agent in turn 1' }).click();
    await eventually(async () => expect(await secondsHeard()).toBeCloseTo(1.8, 3));
  });

  it('has a sentence where the browser cannot play it, and the file to save', async () => {
    const address = `**/api/v1/scenario-runs/${recorded}/recording.wav*`;
    await visitor.page.route(address, (route) =>
      route.fulfill({ contentType: 'audio/wav', body: 'RIFF, and no sound' }),
    );
    await visitor.page.reload();
    await visitor.page.getByRole('button', { name: 'Play the conversation' }).click();
    await visitor.page.getByText('This browser cannot play the recording.').waitFor();
    expect(await visitor.page.getByRole('link', { name: 'Save it as a WAV file' }).getAttribute('download')).toBe(
      'conversation.wav',
    );
    await visitor.page.unroute(address);
  });

  it('looks the same in the dark and on a telephone, without a finding', async () => {
    const dark = await PageVisitor.open(service.url, { colorScheme: 'dark', viewport: { width: 390, height: 844 } });
    await dark.go(`/scenario-runs/${recorded}`);
    await dark.page.locator('.lanes .bars.agent').waitFor();
    await dark.picture('listening-dark-narrow');
    expect(await dark.findings()).toEqual([]);
    expect(await dark.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(dark.complaints).toEqual([]);
    await dark.close();
  });

  it('lets a blind reviewer hear instead of read, without what the judge decided', async () => {
    const asked: string[] = [];
    visitor.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await visitor.go(`/scenario-runs/${recorded}/review`);
    await visitor.page.locator('.lanes .moment.red_flag').first().waitFor();
    expect(await visitor.page.locator('.lanes .moment.escalation, .lanes .proof').count()).toBe(0);
    await visitor.page.getByRole('button', { name: 'By ear' }).click();
    // Not even in the table for screen readers.
    await visitor.page.getByText('The same as a table').click();
    await visitor.page.locator('.moments tbody tr').first().waitFor();
    const main = await visitor.page.locator('main').innerText();
    for (const words of ['Take a rest.', 'My head hurts.', 'worst pain', 'How long?', 'Since noon.']) {
      expect(main).not.toContain(words);
    }
    const rows = await visitor.page.locator('.moments tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split('\t', 4).map((cell) => cell.trim()))).toEqual(
      expect.arrayContaining([
        ['0:01', '0:02', 'Patient, turn 1', ''],
        ['0:04', '0:06', 'Agent, turn 1', ''],
        ['0:04', '0:04', 'Backchannel, turn 1', 'the agent talked through it'],
        ['0:13', '0:18', 'Dead air, turn 3', '5.5 s of silence'],
      ]),
    );
    await visitor.page.getByRole('button', { name: 'Play from 0:02: what the agent said in turn 1' }).click();
    await eventually(async () => expect(await secondsHeard()).toBeCloseTo(3.8, 3));
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('listening-review');
    await visitor.page.getByRole('button', { name: 'Show the words of the agent in turn 1' }).click();
    await visitor.page.locator('.sentence', { hasText: 'Take a rest.' }).waitFor();
    expect(asked).not.toContain(`/api/v1/scenario-runs/${recorded}`);
  });

  it('says why nothing can be heard where no sound was kept, and shows what happened when', async () => {
    await visitor.go(`/scenario-runs/${silent}`);
    await visitor.page.locator('.player').getByText('No recording of this conversation is kept here').waitFor();
    await visitor.page.locator('.lanes .moment.red_flag').waitFor();
    expect(await visitor.page.getByRole('button', { name: /Play/ }).count()).toBe(0);
    expect(await visitor.page.locator('.player audio').count()).toBe(0);
    await visitor.picture('listening-silent');
    expect(await visitor.findings()).toEqual([]);
  });
});

/** Silence, and a constructed voice in these stretches of ms. */
function voiced(ms: number, seed: number, stretches: readonly (readonly [number, number])[]): Int16Array {
  const samples = constructedVoice(ms, seed);
  return samples.map((sample, at) =>
    stretches.some(([from, to]) => at >= from * 16 && at < to * 16) ? sample * Math.abs(Math.sin(at / 1_700)) : 0,
  );
}
