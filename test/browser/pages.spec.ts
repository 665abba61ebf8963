import { startFakeChatPage, type ChatPageOptions, type FakeChatPage } from '../fakes/chat-page';
import { openBrowserBench, type BrowserBench } from '../setup/browser-bench';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { unaborted } from '../agents/provider.contract';

const AGENT = { message_selector: '.message.agent' };
const EVERYBODY = { message_selector: '.message' };
const NO_SELECTOR = {};

describeWithBrowser('a chat page', () => {
  let bench: BrowserBench;
  let page: FakeChatPage | undefined;
  beforeAll(() => {
    bench = openBrowserBench();
  });
  afterEach(() => page?.close());
  afterAll(() => bench.close());

  async function converse(look: ChatPageOptions, config: object, messages: readonly string[]): Promise<string[]> {
    page = await startFakeChatPage(look);
    const session = await bench.connect({ url: page.baseUrl, ...config });
    const replies: string[] = [];
    for (const message of messages) replies.push((await session.send(message, unaborted())).content);
    await session.close();
    return replies;
  }

  const heard = (): string[] => (page?.requests ?? []).map(({ body }) => String((body as { text: string }).text));

  const looks: [string, ChatPageOptions, object][] = [
    ['with a textarea in a form', {}, AGENT],
    ['with a single-line input', { composer: 'input' }, AGENT],
    ['with an editable element', { composer: 'contenteditable', send: 'enter' }, AGENT],
    ['that sends with Enter', { send: 'enter' }, AGENT],
    ['whose button stands outside a form', { send: 'button' }, { ...AGENT, send_selector: '#send' }],
    ['in shadow roots', { shadow: true }, AGENT],
    ['that makes all messages anew', { rerenders: true, typing: 'indicator' }, AGENT],
    ['whose selector matches the patient too', {}, EVERYBODY],
    ['without a selector', {}, NO_SELECTOR],
    ['without a selector, in shadow roots', { shadow: true }, NO_SELECTOR],
    ['without a selector, with a typing indicator', { typing: 'indicator', delayMs: 600 }, NO_SELECTOR],
    ['without a selector, with a bubble that says so', { typing: 'bubble', delayMs: 600 }, NO_SELECTOR],
    ['without a selector, that does not show the patient', { hidesPatient: true }, NO_SELECTOR],
    [
      'in a frame',
      { framed: true },
      { input_selector: 'iframe#chat >> #field', message_selector: 'iframe#chat >> .agent' },
    ],
    ['in a frame, without a selector', { framed: true }, NO_SELECTOR],
    ['in a frame, with a selector that names none', { framed: true }, AGENT],
  ];
  it.each(looks)('%s is talked to', async (name, look, config) => {
    const replies = await converse({ reply: (all) => `Reply ${all.length}. Please rest.`, ...look }, config, [
      'My chest hurts.',
      'Since this morning.\nAnd I feel sick.',
      'No.',
    ]);
    const expected = ['Reply 1. Please rest.', 'Reply 3. Please rest.', 'Reply 5. Please rest.'];
    // The page that changes its messages writes beside each how old it is.
    expect(replies.map((reply) => reply.split('\n')[0])).toEqual(expected);
    if (look.rerenders !== true) expect(replies).toEqual(expected);
    // Sent once each: never by the button and by Enter.
    expect(heard().map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'My chest hurts.',
      'Since this morning. And I feel sick.',
      'No.',
    ]);
    expect(name).not.toBe('');
  });

  it.each([
    ['with a selector', AGENT],
    ['with one that matches the patient too', EVERYBODY],
    ['without', NO_SELECTOR],
  ])('gives the same reply twice, and one that repeats the patient, %s', async (_name, config) => {
    const reply = (all: readonly { content: string }[]): string =>
      all.length < 5 ? 'Tell me more.' : (all.at(-1)?.content ?? '');
    await expect(converse({ reply }, config, ['It hurts.', 'It hurts.', 'It still hurts.'])).resolves.toEqual([
      'Tell me more.',
      'Tell me more.',
      'It still hurts.',
    ]);
  });

  const LONG = 'Please call an ambulance now, sit down, and do not drive to the hospital yourself.';
  it.each([
    ['with a selector', AGENT],
    ['without', NO_SELECTOR],
  ])('is read whole when words come one by one, %s', async (_name, config) => {
    await expect(converse({ wordPauseMs: 60, reply: () => LONG }, config, ['Help.'])).resolves.toEqual([LONG]);
  });

  it.each([
    ['with a selector', AGENT],
    ['without', NO_SELECTOR],
  ])('is waited for while it says that more is coming, %s', async (_name, config) => {
    const look = { wordPauseMs: 30, longPauseMs: 900, typing: 'indicator' as const, reply: () => LONG };
    await expect(converse(look, config, ['Help.'])).resolves.toEqual([LONG]);
  });

  it('has its greeting kept apart', async () => {
    page = await startFakeChatPage({ greeting: { text: 'Hello, I am Ada.', afterMs: 100 }, reply: () => 'Rest.' });
    const session = await bench.connect({ url: page.baseUrl, ...AGENT });
    expect(session.greeting).toBe('Hello, I am Ada.');
    expect((await session.send('Hello.', unaborted())).content).toBe('Rest.');
    await session.close();
  });

  it('keeps the words as they are: white space, several lines, any alphabet, markup as text', async () => {
    const said = 'Εντάξει 👩🏽‍⚕️:\n1. <b>rest</b>\n2. ‏شرب الماء';
    await expect(converse({ reply: () => said }, AGENT, ['Hello.'])).resolves.toEqual([said]);
    await page?.close();
    await expect(converse({ reply: () => said }, NO_SELECTOR, ['Hello.'])).resolves.toEqual([said]);
  });

  it('counts as latency what the agent took, not the wait for its end', async () => {
    page = await startFakeChatPage({ delayMs: 400 });
    const session = await bench.connect({ url: page.baseUrl, ...AGENT, reply_idle_ms: 2_000 });
    const sentAt = performance.now();
    const { latencyMs } = await session.send('Hello.', unaborted());
    const waitedMs = performance.now() - sentAt;
    expect(latencyMs).toBeGreaterThan(380);
    expect(latencyMs).toBeLessThan(waitedMs - 1_900);
    await session.close();
  });
});
