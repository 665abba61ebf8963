import { ApiClient, type Answer } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { eventually } from '../setup/eventually';
import { KEYS, keyVariables } from '../setup/role-keys';
import { startTestService, type TestService } from '../setup/service';
import { speechContent, speechDraftOf } from '../../web/src/scenarios/speech-draft';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const SPEECH = { manner: 'weak', rate: 0.8, backchannels: [2, 4], pitch: 'low' };
const LIMITS = { response_p95_ms: 3_000, false_yields: 0, read_back: ['fentanyl', '50 micrograms'], escalation_s: 30 };
const CONTENT = {
  script: 'You are hard to wake. You take fentanyl, 50 micrograms.',
  chief_complaint: 'He is hard to wake.',
  demographics: {},
};

describe('what a scenario says about speech', () => {
  test.each([
    ['fields', { speech: SPEECH, speech_limits: LIMITS, red_flags: ['hard to wake'] }],
    ['nothing', {}],
    ['empty groups', { speech: {}, speech_limits: {}, red_flags: [] }],
    ['null', { speech: null }],
    ['other things than fields', { speech: 'softly', speech_limits: [1], red_flags: { first: 'hard to wake' } }],
    [
      'values of other kinds',
      { speech: { rate: 'slow', coughs: 'two', asides: ['x'] }, speech_limits: { read_back: ['a\nb'], yield_ms: '1' } },
    ],
  ])('comes back from the form as it was stored: %s', (_, content) => {
    expect(speechContent(content, speechDraftOf(content))).toEqual(content);
  });

  test('has keys before a colon, and the words of the agent after it', () => {
    const keypad = [
      { when: 'for appointments: press one', press: '1' },
      { when: 'your date of birth', press: '24w12w1961#' },
    ];
    const { speech, ...others } = speechDraftOf({ speech: { keypad } });
    expect(speech?.['keypad']).toBe('1: for appointments: press one\n24w12w1961#: your date of birth');
    expect(speechContent({}, { ...others, speech })).toEqual({ speech: { keypad } });
    const unfinished = { ...others, speech: { ...speech, keypad: 'press one' } };
    expect(speechContent({}, unfinished)).toEqual({ speech: { keypad: [{ when: '', press: 'press one' }] } });
    const odd = { speech: { keypad: [{ when: 'a', press: '1', after: 2 }] } };
    expect(speechContent(odd, speechDraftOf(odd))).toEqual(odd);
  });

  test('is changed field by field, and left out where it is empty', () => {
    const content = { speech: SPEECH, speech_limits: { yield_ms: 2_000 }, red_flags: ['hard to wake'] };
    const { speech, limits } = speechDraftOf(content);
    const draft = {
      speech: { ...speech, manner: '', backchannels: '3 5,7', coughs: 'first' },
      limits: { ...limits, yield_ms: ' ' },
      redFlags: 'hard to wake\n\n six breaths a minute ',
    };
    expect(speechContent(content, draft)).toEqual({
      speech: { rate: 0.8, backchannels: [3, 5, 7], coughs: ['first'], pitch: 'low' },
      red_flags: ['hard to wake', 'six breaths a minute'],
    });
  });
});

describeWithBrowser('The fields of speech', () => {
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  let id: string;

  beforeAll(async () => {
    service = await startTestService(keyVariables(), { pageFolder: await builtPage() });
    api = new ApiClient(service.url, { 'x-api-key': KEYS.admin });
    const { body } = await api.post('/api/v1/scenarios', {
      name: 'Opioid',
      content: { ...CONTENT, speech: SPEECH, speech_limits: LIMITS, red_flags: ['hard to wake'] },
      rubric_criteria: [{ criterion: 'Calls an ambulance', points: 5, tags: ['must_pass', 'escalation'] }],
    });
    id = body.scenario_id;
    visitor = await enteredWith(KEYS.admin);
    await visitor.go(`/scenarios/${id}`);
  });
  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    expect(visitor.complaints).toEqual([]);
  });

  async function enteredWith(key: string): Promise<PageVisitor> {
    const entered = await PageVisitor.open(service.url);
    await entered.go('/agents');
    await entered.page.getByLabel('Service key').fill(key);
    await entered.page.getByRole('button', { name: 'Open' }).click();
    await entered.page.getByText(/^Key “/).waitFor();
    return entered;
  }

  const stored = async (): Promise<Answer['body']> => (await api.get(`/api/v1/scenarios/${id}`)).body.content;
  const section = () => visitor.page.getByRole('group', { name: 'Spoken', exact: true });
  const save = async () => {
    await visitor.page.getByRole('button', { name: 'Save' }).click();
    await visitor.page.getByText('Saved.').waitFor();
  };

  it('are folded, and stay as they are when others are edited', async () => {
    await section().getByText('3 fields of speech, 4 limits').waitFor();
    expect(await section().getByLabel('Manner of speaking').isVisible()).toBe(false);
    await visitor.page.getByLabel('Chief complaint').fill('He will not wake.');
    await save();
    expect(await stored()).toMatchObject({
      chief_complaint: 'He will not wake.',
      speech: SPEECH,
      speech_limits: LIMITS,
      red_flags: ['hard to wake'],
    });
  });

  it('have the service’s sentence beside what it cannot read or never measures', async () => {
    await visitor.page.getByRole('button', { name: 'Go to speech', exact: true }).click();
    // A field that no scenario has.
    const fault = section().getByText(/content\.speech has no field pitch: there are manner, rate/);
    await fault.waitFor();
    await section().getByLabel('Silent after an interruption within, in ms').fill('2000');
    expect(await visitor.findings()).toEqual([]);
    await api.patch(`/api/v1/scenarios/${id}`, {
      content: { ...CONTENT, speech: { manner: 'weak', backchannels: [2, 4] }, speech_limits: LIMITS },
    });
    await visitor.page.reload();
    await section().locator('summary').click();
    await section().getByLabel('Silent after an interruption within, in ms').fill('2000');
    await section().getByText('The patient never interrupts: name turns in speech.interruptions.').waitFor();
    await section().getByLabel('Speaking rate, times that of the run').fill('3');
    await section()
      .getByText(/content\.speech\.rate cannot be read: /)
      .waitFor();
    await visitor.picture('speech-fields');
    expect(await visitor.findings()).toEqual([]);
  });

  it('are saved as they were filled in', async () => {
    await section().getByLabel('Speaking rate, times that of the run').fill('');
    await section().getByLabel('Manner of speaking').selectOption('breathless');
    await section().getByLabel('Turns with an interruption').fill('3, 5');
    await section().getByLabel('Read back').fill('fentanyl');
    await section().getByLabel('Red flags').fill('hard to wake');
    await eventually(async () => expect(await section().locator('.finding').count()).toBe(0));
    await save();
    expect(await stored()).toMatchObject({
      speech: { manner: 'breathless', backchannels: [2, 4], interruptions: [3, 5] },
      speech_limits: { ...LIMITS, read_back: ['fentanyl'], yield_ms: 2_000 },
      red_flags: ['hard to wake'],
    });
  });

  it('are read with their units by those who may not change them', async () => {
    const viewer = await enteredWith(KEYS.viewer);
    await viewer.go(`/scenarios/${id}`);
    const told = viewer.page.getByRole('region', { name: 'Spoken', exact: true });
    await told.waitFor();
    const facts = (await told.locator('dl > div').allInnerTexts()).map((fact) => fact.split('\n'));
    expect(Object.fromEntries(facts)).toEqual({
      'Manner of speaking': 'breathless',
      'Turns with a backchannel': '2, 4',
      'Turns with an interruption': '3, 5',
      'Answers begin within, in ms': '3000',
      'False yields, in backchannels': '0',
      'Read back': 'fentanyl',
      'Silent after an interruption within, in ms': '2000',
      'Sends for help within, in s': '30',
      'Red flags': 'hard to wake',
    });
    await viewer.page.emulateMedia({ colorScheme: 'dark' });
    await viewer.picture('speech-read-only-dark');
    expect(await viewer.findings()).toEqual([]);
    await viewer.close();
  });
});
