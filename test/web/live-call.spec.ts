import { controlTextOf } from '../../src/engine/speech';
import type { HttpStub } from '../fakes/http-stub';
import { MediaStreamBot } from '../fakes/media-stream-bot';
import { startSpeechServer } from '../fakes/speech-server';
import { ApiClient } from '../setup/api-client';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { eventually } from '../setup/eventually';
import { CALLS_AMBULANCE, createScenarios, scenarioRunsOf, untilFinal } from '../setup/examination';
import { startTestService, type TestService } from '../setup/service';
import { builtPage } from './built-page';
import { PageVisitor } from './page-visitor';

const PATIENT_SPEAKS = 'The patient has the floor and is speaking';
const AGENT_IS_SILENT = 'The agent has the floor and is silent';
const AGENT_SPEAKS = 'The agent has the floor and is speaking';

/** A bot on loopback is rung; a stub speaks for the patient and hears for the examiner. */
describeWithBrowser('A call that is being held', () => {
  let bot: MediaStreamBot;
  let speech: HttpStub;
  let service: TestService;
  let api: ApiClient;
  let visitor: PageVisitor;
  let run: string;

  beforeAll(async () => {
    let heard = 0;
    speech = await startSpeechServer(() =>
      heard++ === 0 ? controlTextOf('en').sentence : 'Please call an ambulance now.',
    );
    bot = await MediaStreamBot.start({ replies: Array(20).fill({ delayMs: 2_500, soundMs: 2_500 }) });
    service = await startTestService(
      {
        SPEECH_URL: `${speech.origin}/v1`,
        SPEECH_MODEL: 'speech-1',
        TRANSCRIPTION_URL: `${speech.origin}/v1`,
        TRANSCRIPTION_MODEL: 'ear-1',
      },
      { pageFolder: await builtPage() },
    );
    api = new ApiClient(service.url);
    visitor = await PageVisitor.open(service.url);
    const config = { url: bot.url };
    const { body: agent } = await api.post('/api/v1/agents', { name: 'Phone bot', provider: 'media-stream', config });
    const scenario_ids = await createScenarios(api, 1, { rubric_criteria: [CALLS_AMBULANCE] });
    const fields = { agent_id: agent.id, scenario_ids, max_turns: 5, modality: 'spoken' };
    run = String((await api.post('/start-run', fields)).body.id);
    const [scenarioRun] = await scenarioRunsOf(api, run);
    await visitor.go(`/scenario-runs/${scenarioRun.id}`);
  });

  afterAll(async () => {
    await visitor?.close();
    await service?.close();
    await bot?.close();
    await speech?.close();
    expect(visitor.complaints).toEqual([]);
  });

  /** From now on keeps each sentence about the floor, and each that a screen reader reads out by itself. */
  const noteSentences = () =>
    visitor.page.evaluate(`
      window.shown = [];
      window.readOut = [];
      const note = (list, found) => {
        const text = found?.textContent.replace(/ for .*/, '').trim();
        if (text !== undefined && text !== list.at(-1)) list.push(text);
      };
      new MutationObserver(() => {
        note(window.shown, document.querySelector('.typing .says'));
        note(window.readOut, document.querySelector('.typing [role=status]'));
      }).observe(document.body, { subtree: true, characterData: true, childList: true });
    `);

  it('says who has the floor, and for how long', async () => {
    const { page } = visitor;
    await noteSentences();
    const hasText = /^The agent has the floor and is speaking for \d+ s$/;
    await page.locator('.message.typing .says', { hasText }).waitFor();
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('live-call');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await visitor.findings()).toEqual([]);
    await visitor.picture('live-call-dark');
    await eventually(async () => {
      const shown: string[] = await page.evaluate('window.shown');
      const turn = shown.filter((one) => [PATIENT_SPEAKS, AGENT_IS_SILENT, AGENT_SPEAKS].includes(one));
      expect(turn.join('; ')).toContain([PATIENT_SPEAKS, AGENT_IS_SILENT, AGENT_SPEAKS, AGENT_IS_SILENT].join('; '));
    });
  });

  it('is read out when the floor goes over, and not each second', async () => {
    const { page } = visitor;
    const readOut: string[] = await page.evaluate('window.readOut');
    expect(new Set(readOut)).toEqual(new Set(['The patient has the floor', 'The agent has the floor']));
    // The time that goes on is in no live region.
    expect(await page.locator('.typing :is([role=status], [aria-live]) .number').count()).toBe(0);
    expect(await page.locator('.message.typing:is([role=status], [aria-live])').count()).toBe(0);
  });

  it('says nothing of it once the call is over', async () => {
    await untilFinal(api, run, 120_000);
    await visitor.page.getByRole('region', { name: 'Why' }).waitFor();
    expect(await visitor.page.locator('.message.typing').count()).toBe(0);
    expect(await visitor.page.getByText('has the floor').count()).toBe(0);
  });
});
