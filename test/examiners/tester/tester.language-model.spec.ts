import type { ModelConnection } from '../../../src/platform/config/examiner-models';
import { AnthropicModel } from '../../../src/examiners/model/anthropic.model';
import { NO_USAGE } from '../../../src/examiners/model/model-usage';
import { LanguageModelTester } from '../../../src/examiners/tester/language-model.tester';
import { createTester } from '../../../src/examiners/tester/tester.module';
import { TesterError } from '../../../src/examiners/tester/tester';
import { startFakeAnthropic, type FakeAnthropic, type FakeAnthropicOptions } from '../../fakes/anthropic-server';
import { eventually } from '../../setup/eventually';
import { anthropicConnection } from '../../setup/model-connections';
import { openTextThreads } from '../../setup/text-threads';
import { HOSTILE_REPLIES, scenarioWith, transcriptOf, turnAfter } from '../../setup/transcripts';
import { describeTester } from './tester.contract';

const threads = openTextThreads();
const SECRET = 'sk-ant-osce-secret';
const SCRIPT = 'The pain started two hours ago. You take warfarin.';
/** Retries at once, as the API may ask for. */
const AT_ONCE = { 'retry-after-ms': '1' };

function connectionTo(baseUrl: string, model = 'claude-sonnet-5-5'): ModelConnection {
  return anthropicConnection({ apiKey: SECRET, baseUrl, model });
}

const open: { close(): Promise<void> }[] = [];

async function bench(
  options: FakeAnthropicOptions = {},
  limits = { attemptMs: 5_000, overallMs: 10_000 },
  model = 'claude-sonnet-5-5',
): Promise<{ api: FakeAnthropic; tester: LanguageModelTester }> {
  const api = await startFakeAnthropic(options);
  const tester = new LanguageModelTester(new AnthropicModel(connectionTo(api.url, model)), limits);
  open.push(api, { close: () => tester.onApplicationShutdown() });
  return { api, tester };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()));
});

describe('with a model', () => {
  let shared: FakeAnthropic;
  let tester: LanguageModelTester;
  beforeAll(async () => {
    shared = await startFakeAnthropic();
    tester = new LanguageModelTester(new AnthropicModel(connectionTo(shared.url)));
  });
  afterAll(async () => {
    await tester.onApplicationShutdown();
    await shared.close();
  });
  describeTester('anthropic', () => tester);
});

describe('Anthropic tester', () => {
  const signal = new AbortController().signal;
  const first = turnAfter(scenarioWith(SCRIPT), transcriptOf(['How can I help?']));

  it('sends the role card, the conversation from the patient’s side and the key, and counts tokens and dollars', async () => {
    const { api, tester } = await bench({ patientMessage: ' It hurts. ' });
    const history = transcriptOf(['When did it start?'], 'I have chest pain.');
    const { content, usage } = await tester.nextMessage(turnAfter(scenarioWith(SCRIPT), history), signal);
    expect(content).toBe('It hurts.');
    expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 20, costUsd: (100 * 2 + 20 * 10) / 1_000_000 });
    const [request] = api.requests;
    expect(request?.headers.authorization ?? request?.headers['x-api-key']).toContain(SECRET);
    expect(request?.body).toMatchObject({ model: 'claude-sonnet-5-5', output_config: { effort: 'low' } });
    expect(request?.body.system).toContain('You take warfarin.');
    expect(request?.body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(request?.body.messages.slice(1)).toEqual([
      { role: 'assistant', content: 'I have chest pain.' },
      { role: 'user', content: 'When did it start?' },
    ]);
    expect(request?.body).not.toHaveProperty('temperature');
  });

  it('spends nothing on a first message that the scenario gives', async () => {
    const { api, tester } = await bench();
    const scenario = scenarioWith(SCRIPT, { initial_message: 'Hi there.' });
    const { usage } = await tester.nextMessage(turnAfter(scenario, []), signal);
    expect(usage).toEqual(NO_USAGE);
    expect(api.calls.patient).toBe(0);
  });

  it.each([
    ['the initial message', { initial_message: 'Hi there.' }, 'Hi there.'],
    ['else the chief complaint, word for word', {}, 'I have chest pain.'],
  ])('opens with %s', async (_, content, said) => {
    const { api, tester } = await bench();
    expect((await tester.nextMessage(turnAfter(scenarioWith(SCRIPT, content), []), signal)).content).toBe(said);
    expect(api.calls.patient).toBe(0);
  });

  it('gives the model neither the name of the scenario nor anything of it that the role does not need', async () => {
    const { api, tester } = await bench();
    const content = { gold_standard: 'Send to hospital.', source: 'NICE', rubric_scale: 'binary', hazard: 'missed' };
    const scenario = { ...scenarioWith(SCRIPT, content), name: 'Myocardial infarction' };
    await tester.nextMessage(turnAfter(scenario, transcriptOf(['And?'])), signal);
    const sent = JSON.stringify(api.requests[0]?.body);
    expect(sent).toContain('warfarin');
    for (const secret of ['Myocardial', 'Send to hospital', 'NICE', 'binary', 'missed'])
      expect(sent).not.toContain(secret);
  });

  it('shows a message that was refused with what was wrong with it', async () => {
    const { api, tester } = await bench({ patientMessage: 'I do not know.' });
    const refused = { content: 'It began in 1998.', objection: '"1998" is not on your card.' };
    await tester.nextMessage({ ...first, refused }, signal);
    expect(api.requests[0]?.body.messages.slice(-2)).toEqual([
      { role: 'assistant', content: 'It began in 1998.' },
      { role: 'user', content: expect.stringContaining('"1998" is not on your card.') },
    ]);
  });

  it('keeps what the agent said out of the instructions', async () => {
    const { api, tester } = await bench();
    for (const [, reply] of HOSTILE_REPLIES) {
      await tester.nextMessage(turnAfter(scenarioWith(SCRIPT), transcriptOf([reply])), signal);
    }
    const systems = new Set(
      api.requests.map(({ body }) => body.system?.replaceAll(/role-card-[0-9a-f]+/g, 'role-card')),
    );
    expect(systems.size).toBe(1);
    expect(api.requests.every(({ body }) => body.messages.every(({ content }) => content.length < 7_000))).toBe(true);
  });

  it('knows no price for a model that is not in the list, and sends no effort setting to one that may not know it', async () => {
    const { api, tester } = await bench({}, undefined, 'our-proxy-model');
    expect((await tester.nextMessage(first, signal)).usage.costUsd).toBeNull();
    expect(api.requests[0]?.body).not.toHaveProperty('output_config');
  });

  it.each([
    ['overload', 529],
    ['a rate limit', 429],
    ['an internal error', 500],
    ['a bad gateway', 502],
  ])('retries after %s', async (_, status) => {
    const { api, tester } = await bench({ script: [{ kind: 'status', status, headers: AT_ONCE }] });
    await tester.nextMessage(first, signal);
    expect(api.calls.patient).toBe(2);
  });

  it('retries after a lost connection', async () => {
    const { api, tester } = await bench({ script: [{ kind: 'reset' }] });
    await tester.nextMessage(first, signal);
    expect(api.calls.patient).toBe(2);
  });

  it.each([
    ['overload', { kind: 'status', status: 529, headers: AT_ONCE }, 7, 'overloaded (529)'],
    ['rate limits', { kind: 'status', status: 429, headers: AT_ONCE }, 7, 'limits the rate'],
    ['a wrong key', { kind: 'status', status: 401 }, 1, 'ANTHROPIC_API_KEY'],
    ['an unknown model', { kind: 'status', status: 404 }, 1, 'does not know claude-sonnet-5-5'],
    ['an empty account', { kind: 'status', status: 400, message: `No credit for ${SECRET}.` }, 1, 'No credit for ….'],
    ['a redirect', { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1:9/' } }, 1, '302'],
    ['a refusal', { kind: 'refusal' }, 1, 'refused to answer'],
    ['no text', { kind: 'text', text: ' \n' }, 1, 'wrote no message'],
    ['HTML', { kind: 'raw', body: '<html>', contentType: 'text/html' }, 1, 'wrote no message'],
    ['broken JSON', { kind: 'raw', body: '{"content": [' }, 1, 'could not be read'],
    ['JSON of another kind', { kind: 'raw', body: '{"ok":true}' }, 1, 'wrote no message'],
  ] as const)('is a TesterError after %s, without the key', async (_, answer, calls, message) => {
    const { api, tester } = await bench({ answer: () => answer });
    const failing = tester.nextMessage(first, signal);
    await expect(failing).rejects.toBeInstanceOf(TesterError);
    await expect(failing).rejects.toThrow(message);
    await expect(failing).rejects.not.toThrow(SECRET);
    expect(api.calls.patient).toBe(calls);
  });

  it('names the address when nothing listens there', async () => {
    const { api, tester } = await bench({}, { attemptMs: 1_000, overallMs: 600 });
    await api.close();
    await expect(tester.nextMessage(first, signal)).rejects.toThrow(/no answer within 0.6 s|ANTHROPIC_BASE_URL/);
  });

  it.each([['hang'], ['drip']] as const)('gives up at the overall deadline on a server that does %s', async (kind) => {
    const { api, tester } = await bench({ answer: () => ({ kind }) }, { attemptMs: 150, overallMs: 400 });
    await expect(tester.nextMessage(first, signal)).rejects.toThrow('no answer within 0.4 s');
    await eventually(() => expect(api.inFlight).toBe(0));
    expect(api.abandoned).toBeGreaterThanOrEqual(1);
  });

  it('does not wait longer than the deadline for a retry-after', async () => {
    const { tester } = await bench(
      { answer: () => ({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } }) },
      { attemptMs: 150, overallMs: 300 },
    );
    await expect(tester.nextMessage(first, signal)).rejects.toThrow('no answer within 0.3 s');
  });

  it('closes the connection when it is canceled', async () => {
    const { api, tester } = await bench({ answer: () => ({ kind: 'hang' }) });
    const controller = new AbortController();
    const canceled = tester.nextMessage(first, controller.signal);
    const settled = expect(canceled).rejects.toBeInstanceOf(TesterError);
    await eventually(() => expect(api.inFlight).toBe(1));
    controller.abort();
    await settled;
    await eventually(() => expect(api.inFlight).toBe(0));
    expect(api.calls.patient).toBe(1);
  });

  it('sends nothing when it was canceled before', async () => {
    const { api, tester } = await bench();
    await expect(tester.nextMessage(first, AbortSignal.abort())).rejects.toBeInstanceOf(TesterError);
    expect(api.calls.patient).toBe(0);
  });

  it('leaves no listener on a signal that lives on', async () => {
    const { tester } = await bench();
    const { signal: longLived } = new AbortController();
    let listeners = 0;
    const add = longLived.addEventListener.bind(longLived);
    const remove = longLived.removeEventListener.bind(longLived);
    longLived.addEventListener = (...parameters: Parameters<typeof add>) => {
      listeners += 1;
      add(...parameters);
    };
    longLived.removeEventListener = (...parameters: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...parameters);
    };
    await tester.nextMessage(first, longLived);
    expect(listeners).toBe(0);
  });

  it('makes many calls at the same time', async () => {
    const { api, tester } = await bench({ answer: () => ({ kind: 'hang' }) });
    const controllers = Array.from({ length: 100 }, () => new AbortController());
    const calls = controllers.map((controller) => tester.nextMessage(first, controller.signal).catch(() => 'ended'));
    await eventually(() => expect(api.inFlight).toBe(100));
    controllers.forEach((controller) => controller.abort());
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['ended']));
  });
});

describe('Choice of the tester', () => {
  it('is offline without a model', () => {
    expect(createTester(null, threads).name).toBe('offline');
  });

  it('is the model with one', () => {
    expect(createTester(connectionTo('http://127.0.0.1:9'), threads)).toMatchObject({
      name: 'anthropic',
      model: 'claude-sonnet-5-5',
    });
  });
});
