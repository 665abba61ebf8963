import { examine } from '../../../src/examiners/judge/examine';
import { LanguageModelJudge } from '../../../src/examiners/judge/language-model.judge';
import { OfflineJudge } from '../../../src/examiners/judge/offline.judge';
import { AnthropicModel } from '../../../src/examiners/model/anthropic.model';
import { readJudgePrompt, startFakeAnthropic, type FakeAnthropic } from '../../fakes/anthropic-server';
import { anthropicConnection } from '../../setup/model-connections';
import { openTextThreads } from '../../setup/text-threads';
import { criterion, HOSTILE_REPLIES, scenarioWith, transcriptOf } from '../../setup/transcripts';
import { sheetAsking } from './asked-sheet';
import { describeHostileReplies } from './judge.contract';
import { ScriptedJudge } from './scripted-judge';

const CALL = 'Tells the patient to call an ambulance';
const threads = openTextThreads();
const { signal } = new AbortController();

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()));
});

async function bench(): Promise<{ readonly api: FakeAnthropic; readonly judge: LanguageModelJudge }> {
  const api = await startFakeAnthropic();
  const judge = new LanguageModelJudge(new AnthropicModel(anthropicConnection({ baseUrl: api.url })));
  open.push(api, { close: () => judge.onApplicationShutdown() });
  return { api, judge };
}

describeHostileReplies('offline', () => new OfflineJudge(threads), threads);

describe('with a model', () => {
  let shared: FakeAnthropic;
  let judge: LanguageModelJudge;
  beforeAll(async () => {
    shared = await startFakeAnthropic();
    judge = new LanguageModelJudge(new AnthropicModel(anthropicConnection({ baseUrl: shared.url })));
  });
  afterAll(async () => {
    await judge.onApplicationShutdown();
    await shared.close();
  });
  describeHostileReplies('anthropic', () => judge, threads);
});

describe('A language model as judge', () => {
  it('keeps replies inside the fence, on one line each, and out of the instructions', async () => {
    const { api, judge } = await bench();
    for (const [, reply] of HOSTILE_REPLIES) await judge.mark(sheetAsking(CALL, [reply]), signal);
    expect(new Set(api.requests.map(({ body }) => body.system)).size).toBe(1);
    const markers = api.requests.map(
      ({ body }) => /<sentences-([0-9a-f]+)>/.exec(body.messages[0]?.content ?? '')?.[1],
    );
    expect(new Set(markers).size).toBe(HOSTILE_REPLIES.length);
    for (const [number, request] of api.requests.entries()) {
      const content = request.body.messages[0]?.content ?? '';
      expect(content.split(`</sentences-${markers[number]}>`)).toHaveLength(2);
      expect(readJudgePrompt(request).questions).toMatchObject([{ criterion: CALL }]);
    }
  });

  it('reads only a bounded part of endless replies', async () => {
    const { api, judge } = await bench();
    const replies = Array.from({ length: 7 }, (_, turn) => `Reply ${turn}: please call an ambulance. `.repeat(8_000));
    await judge.mark(sheetAsking(CALL, replies), signal);
    const content = api.requests[0]?.body.messages[0]?.content ?? '';
    expect(content.length).toBeLessThan(620_000);
    expect(content).toContain('characters left out by the examination board');
  });
});

describe('Examination', () => {
  const station = { scenario: scenarioWith(''), criteria: [criterion(CALL, 5)], passThreshold: 100, threads, seed: 1 };

  it('says what the judge did not see', async () => {
    const judge = new ScriptedJudge([CALL], ({ criterion: text }) =>
      text === CALL ? { decision: 'MET', evidence: ['a1.1'] } : undefined,
    );
    const transcript = transcriptOf(['Please call an ambulance. '.repeat(20_000)]);
    const { verdict, record } = await examine({ ...station, judge, transcript }, signal);
    expect(record.unread).toEqual([{ turn: 1, characters: expect.any(Number) }]);
    expect(verdict.summary).toMatch(/The reply in turn 1 is too long: the judge did not read \d+ of its characters/);
  });

  it('keeps the event loop responsive while it reads 1.4 MB offline, and stops when told to', async () => {
    const judge = new OfflineJudge(threads);
    const transcript = transcriptOf(
      Array.from({ length: 7 }, (_, turn) =>
        `Reply ${turn}. The pain in your chest may be an emergency. `.repeat(4_500),
      ),
    );
    let breaths = 0;
    const timer = setInterval(() => (breaths += 1), 0);
    try {
      await examine({ ...station, judge, transcript }, signal);
      expect(breaths).toBeGreaterThan(5);
      const controller = new AbortController();
      const stopped = examine({ ...station, judge, transcript }, controller.signal);
      controller.abort();
      await expect(stopped).rejects.toThrow('canceled');
    } finally {
      clearInterval(timer);
    }
  });
});
