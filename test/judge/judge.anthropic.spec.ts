import { AnthropicJudge } from '../../src/judge/anthropic.judge';
import { createJudge } from '../../src/judge/create-judge';
import { examine, type ExaminationOutcome } from '../../src/judge/examine';
import { JudgeError } from '../../src/judge/judge';
import {
  readJudgePrompt,
  startFakeAnthropic,
  type FakeAnswer,
  type FakeAnthropic,
  type FakeAnthropicOptions,
} from '../fakes/anthropic-server';
import { eventually } from '../setup/eventually';
import { openTextThreads } from '../setup/text-threads';
import { criterion, HOSTILE_REPLIES, scenarioWith, transcriptOf } from '../setup/transcripts';
import { describeJudge } from './judge.contract';

const threads = openTextThreads();
const SECRET = 'sk-ant-osce-secret';
const AT_ONCE = { 'retry-after-ms': '1' };
const TRANSCRIPT = transcriptOf(['When did it start?', 'Please call an ambulance now.']);
const RUBRIC = [criterion('Tells the patient to call an ambulance', 6), criterion('Asks when it started', 4)];
const GOOD = {
  decisions: [
    { index: 0, decision: 'MET', rationale: 'It did.', evidence: [{ turn: 2, quote: 'call an ambulance now' }] },
    { index: 1, decision: 'NOT MET', rationale: 'It did not.', evidence: [] },
  ],
  summary: 'Calls for help, asks little.',
};

const open: { close(): Promise<void> }[] = [];

async function bench(
  options: FakeAnthropicOptions = {},
  limits = { attemptMs: 5_000, overallMs: 10_000 },
): Promise<{ api: FakeAnthropic; judge: AnthropicJudge; mark: (signal?: AbortSignal) => Promise<ExaminationOutcome> }> {
  const api = await startFakeAnthropic(options);
  const judge = new AnthropicJudge({ apiKey: SECRET, baseUrl: api.url, model: 'claude-sonnet-5-5' }, limits);
  open.push(api, { close: () => judge.onApplicationShutdown() });
  const mark = (signal = new AbortController().signal): Promise<ExaminationOutcome> =>
    examine(
      {
        judge,
        scenario: scenarioWith('You feel sick.'),
        criteria: RUBRIC,
        transcript: TRANSCRIPT,
        passThreshold: 50,
        threads,
      },
      signal,
    );
  return { api, judge, mark };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()));
});

describe('with a model', () => {
  let shared: FakeAnthropic;
  let judge: AnthropicJudge;
  beforeAll(async () => {
    shared = await startFakeAnthropic();
    judge = new AnthropicJudge({ apiKey: SECRET, baseUrl: shared.url, model: 'claude-sonnet-5-5' });
  });
  afterAll(async () => {
    await judge.onApplicationShutdown();
    await shared.close();
  });
  describeJudge('anthropic', () => judge, threads);
});

describe('Anthropic judge', () => {
  it('sends checklist and transcript as fenced JSON and reads the decisions', async () => {
    const { api, mark } = await bench({ script: [{ kind: 'json', value: GOOD }] });
    const { verdict, usage, asked } = await mark();
    expect(verdict).toMatchObject({ passed: true, scorePercent: 60, summary: 'Calls for help, asks little.' });
    expect(verdict.criteria[0]?.evidence).toEqual([{ turn: 2, quote: 'call an ambulance now' }]);
    expect(usage).toEqual({ inputTokens: 100, outputTokens: 20, costUsd: 0.0004 });
    expect(asked).toBe(1);
    const [request] = api.requests;
    if (request === undefined) throw new Error('Nothing was asked.');
    expect(request.body.output_config?.format?.schema).toMatchObject({ type: 'object', additionalProperties: false });
    const { checklist, transcript } = readJudgePrompt(request);
    expect(checklist.map(({ index }) => index)).toEqual([0, 1]);
    expect(transcript.map(({ assistant }) => assistant)).toEqual(TRANSCRIPT.map(({ agentMessage }) => agentMessage));
  });

  it('keeps replies inside the fence and out of the instructions', async () => {
    const { api, judge } = await bench();
    for (const [, reply] of HOSTILE_REPLIES) {
      await judge.grade(
        {
          scenarioName: 'Chest pain',
          chiefComplaint: 'My chest hurts.',
          transcript: transcriptOf([reply]),
          criteria: [{ ...criterion('Tells the patient to call an ambulance'), index: 0 }],
          objections: new Map(),
        },
        new AbortController().signal,
      );
    }
    expect(new Set(api.requests.map(({ body }) => body.system)).size).toBe(1);
    const markers = api.requests.map(
      ({ body }) => /<transcript-([0-9a-f]+)>/.exec(body.messages[0]?.content ?? '')?.[1],
    );
    expect(new Set(markers).size).toBe(HOSTILE_REPLIES.length);
    for (const [number, request] of api.requests.entries()) {
      const content = request.body.messages[0]?.content ?? '';
      expect(content.split(`</transcript-${markers[number]}>`)).toHaveLength(2);
      expect(readJudgePrompt(request).transcript[0]?.assistant).toBe(HOSTILE_REPLIES[number]?.[1]);
    }
  });

  it('reads only so much of endless replies, and says what it left out', async () => {
    const { api, judge } = await bench();
    const transcript = transcriptOf(Array.from({ length: 7 }, () => 'Please call an ambulance. '.repeat(8_000)));
    const criteria = [{ ...criterion('Tells the patient to call an ambulance'), index: 0 }];
    const request = {
      scenarioName: '',
      chiefComplaint: '',
      transcript,
      criteria,
      objections: new Map<number, string>(),
    };
    const { unread } = await judge.grade(request, new AbortController().signal);
    expect(unread).toEqual(transcript.map(({ turn }) => ({ turn, characters: 26 * 8_000 - 2 * 28_571 })));
    const content = api.requests[0]?.body.messages[0]?.content ?? '';
    expect(content.length).toBeLessThan(420_000);
    expect(content).toContain('characters left out by the examination board');
  });

  const FAULTY: readonly (readonly [string, FakeAnswer, string])[] = [
    ['another shape', { kind: 'json', value: { decisions: [{ index: '0' }] } }, 'decisions.0.index'],
    [
      'a decision of another name',
      { kind: 'json', value: { ...GOOD, decisions: [{ ...GOOD.decisions[0], decision: 'yes' }] } },
      'decision',
    ],
    ['no JSON', { kind: 'text', text: 'The assistant did well.' }, 'not JSON'],
    ['a cut-off answer', { kind: 'truncated', text: '{"decisions":[{"index":0,"deci' }, 'too long'],
    ['an empty answer', { kind: 'text', text: '' }, 'too long'],
  ];

  it.each(FAULTY)('repairs %s once', async (_, faulty, complaint) => {
    const { api, mark } = await bench({ script: [faulty, { kind: 'json', value: GOOD }] });
    const { verdict, usage, asked } = await mark();
    expect(verdict.scorePercent).toBe(60);
    expect(usage.inputTokens).toBe(200);
    expect(asked).toBe(1);
    const [first, second] = api.requests;
    expect(second?.body.messages.at(-1)).toMatchObject({ role: 'user', content: expect.stringContaining(complaint) });
    expect(second?.body.messages[0]).toEqual(first?.body.messages[0]);
  });

  it.each(FAULTY)('is a JudgeError after %s twice', async (_, faulty) => {
    const { api, mark } = await bench({ answer: () => faulty });
    const failing = mark();
    await expect(failing).rejects.toBeInstanceOf(JudgeError);
    await expect(failing).rejects.toThrow('unusable twice');
    expect(api.calls.judge).toBe(2);
  });

  it('asks again about quotes that are not in the transcript, with the objection', async () => {
    const invented = { ...GOOD.decisions[0], evidence: [{ turn: 2, quote: 'call a taxi' }] };
    const { api, mark } = await bench({
      script: [
        { kind: 'json', value: { ...GOOD, decisions: [invented, GOOD.decisions[1]] } },
        { kind: 'json', value: { decisions: [GOOD.decisions[0]], summary: '' } },
      ],
    });
    const { verdict, asked } = await mark();
    expect(verdict.criteria[0]?.decision).toBe('MET');
    expect(asked).toBe(2);
    const again = api.requests[1]?.body.messages[0]?.content;
    expect(again).toContain('word for word');
    expect(again).not.toContain('Asks when it started');
  });

  it('retries after overload, and gives up in the end', async () => {
    const overloaded: FakeAnswer = { kind: 'status', status: 529, headers: AT_ONCE };
    const { mark } = await bench({ script: [overloaded, overloaded] });
    await expect(mark()).resolves.toMatchObject({ asked: 1 });
    const { mark: never } = await bench({ answer: () => overloaded });
    await expect(never()).rejects.toThrow('overloaded (529)');
  });

  it('is a JudgeError when the model refuses, the key is wrong or nothing answers', async () => {
    const { mark: refused } = await bench({ answer: () => ({ kind: 'refusal' }) });
    await expect(refused()).rejects.toThrow('refused to answer');
    const { mark: wrongKey } = await bench({ answer: () => ({ kind: 'status', status: 401 }) });
    await expect(wrongKey()).rejects.toThrow('ANTHROPIC_API_KEY');
    const { mark: silent } = await bench({ answer: () => ({ kind: 'hang' }) }, { attemptMs: 100, overallMs: 250 });
    const failing = silent();
    await expect(failing).rejects.toBeInstanceOf(JudgeError);
    await expect(failing).rejects.toThrow('within 0.25 s');
  });

  it('closes the connection when it is canceled', async () => {
    const { api, mark } = await bench({ answer: () => ({ kind: 'hang' }) });
    const controller = new AbortController();
    const settled = expect(mark(controller.signal)).rejects.toBeInstanceOf(JudgeError);
    await eventually(() => expect(api.inFlight).toBe(1));
    controller.abort();
    await settled;
    await eventually(() => expect(api.inFlight).toBe(0));
  });
});

describe('Choice of the judge', () => {
  const settings = { anthropicBaseUrl: null, judgeModel: 'claude-opus-5-5' };

  it('is offline without a key', () => {
    expect(createJudge({ ...settings, anthropicApiKey: null }, threads).name).toBe('offline');
  });

  it('is the model with one', () => {
    const judge = createJudge({ ...settings, anthropicApiKey: SECRET }, threads);
    expect(judge).toMatchObject({ name: 'anthropic', model: 'claude-opus-5-5' });
  });
});
