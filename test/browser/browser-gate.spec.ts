import fc from 'fast-check';
import { silentLog } from '../../src/platform/config/log';
import { chooseBrowser } from '../../src/agents/browser/browser-choice';
import { BrowserGate } from '../../src/agents/browser/browser-gate';
import { BrowserProcess } from '../../src/agents/browser/browser-process';
import { otherUser } from '../../src/agents/browser/browser-user';
import { ProviderError } from '../../src/agents/errors';
import { TargetGuard } from '../../src/platform/targets/target-guard';
import { startHttpStub, type HttpStub } from '../fakes/http-stub';
import { TEST_BROWSER_DIR } from '../setup/browser';
import { openBrowserBench, type BrowserBench } from '../setup/browser-bench';
import { describeWithBrowser } from '../setup/describe-with-browser';
import { unaborted } from '../agents/provider.contract';

const MAX_BYTES = 1_000;

/** What comes through of messages that arrive in pieces of these lengths. */
function passed(messages: readonly string[], lengths: readonly number[] = [64]): readonly string[] {
  const gate = new BrowserGate(MAX_BYTES);
  const told: Buffer[] = [];
  gate.on('data', (chunk: Buffer) => told.push(chunk));
  const bytes = Buffer.from(messages.map((message) => `${message}\0`).join(''));
  for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
    const length = lengths[piece % lengths.length] ?? 1;
    gate.write(bytes.subarray(at, at + length));
    at += length;
  }
  return Buffer.concat(told).toString().split('\0').slice(0, -1);
}

describe('the gate between a browser and its driver', () => {
  it('passes on every message as it is, however its pieces arrive', () => {
    const message = fc
      .record({ id: fc.nat(), result: fc.object(), sessionId: fc.stringMatching(/^[0-9A-F]{8}$/) })
      .map((answer) => JSON.stringify(answer))
      .filter((text) => Buffer.byteLength(text) <= MAX_BYTES);
    const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(fc.array(message), lengths, (messages, pieces) => {
        expect(passed(messages, pieces)).toEqual(messages);
      }),
    );
  });

  it.each([
    'Runtime.consoleAPICalled',
    'Runtime.exceptionThrown',
    'Log.entryAdded',
    'Network.webSocketFrameReceived',
    'Network.eventSourceMessageReceived',
  ])('leaves out what nobody listens to: %s', (method) => {
    const wanted = JSON.stringify({ method: 'Page.loadEventFired', params: { note: `{"method":"${method}"` } });
    const unwanted = JSON.stringify({ method, params: {}, sessionId: 'AB' });
    expect(passed([unwanted, wanted, unwanted])).toEqual([wanted]);
  });

  it.each([1, 7, 64, 5_000, 100_000])(
    'answers for what is too large, and leaves out such events: in pieces of %i',
    (length) => {
      const text = 'x'.repeat(20 * MAX_BYTES);
      const answer = JSON.stringify({ id: 17, result: { value: text }, sessionId: '0A1B' });
      const ofNoPage = JSON.stringify({ id: 18, result: { value: text } });
      const event = JSON.stringify({ method: 'Page.javascriptDialogOpening', params: { message: text } });
      const small = JSON.stringify({ id: 19, result: {} });
      const error = { code: -32_000, message: "The page's answer has more than 1000 bytes." };
      expect(passed([answer, event, ofNoPage, small], [length]).map((one): unknown => JSON.parse(one))).toEqual([
        { id: 17, error, sessionId: '0A1B' },
        { id: 18, error },
        { id: 19, result: {} },
      ]);
    },
  );
});

/** More than the gate lets through, and little enough for a driver without a gate to hear it: so that a missing gate is noticed. */
const LOUD = 'String.fromCharCode(1).repeat(1e7)';

describeWithBrowser('what a page says to no one', () => {
  let browser: BrowserProcess;
  beforeEach(() => {
    const configured = process.env['BROWSER_EXECUTABLE'] ?? null;
    const choose = () => chooseBrowser({ configured, dataDir: TEST_BROWSER_DIR, allowNoSandbox: true }, otherUser());
    browser = new BrowserProcess(choose, TEST_BROWSER_DIR, TargetGuard.local(), silentLog);
  });
  afterEach(() => browser.close());

  it.each([
    ['on its console', `console.log(${LOUD})`],
    ['as an error', `setTimeout(() => { throw ${LOUD}; })`],
    ['as an answer', LOUD],
  ])('never reaches its driver, which goes on with the page: %s', async (_where, script) => {
    const { page } = await browser.openContext({}, unaborted());
    const heard: number[] = [];
    page.on('console', (message) => heard.push(message.text().length));
    page.on('pageerror', ({ message }) => heard.push(message.length));
    const answer: unknown = await page.evaluate(script).catch(() => 'refused');
    // What the page said before is heard before the answer to this.
    expect(await page.evaluate(`new Promise((resolve) => setTimeout(resolve, 50, 'later'))`)).toBe('later');
    expect(heard).toEqual([]);
    if (typeof answer === 'string') expect(answer).toBe('refused');
  });
});

/** Script by which a page, once it was spoken to, says more to the browser's driver than a string can hold. */
const FLOODS: readonly (readonly [string, string])[] = [
  ['its console', 'console.log(String.fromCharCode(1).repeat(1.2e8));'],
  ['an error', 'setTimeout(() => { throw String.fromCharCode(1).repeat(1.2e8); });'],
  ['what its text is read with', 'Array.prototype.map = () => [String.fromCharCode(1).repeat(1.2e8)];'],
];

// Each takes the browser some seconds.
jest.setTimeout(180_000);

describeWithBrowser('a page that says more than a string can hold', () => {
  let bench: BrowserBench;
  let page: HttpStub;
  beforeEach(() => {
    bench = openBrowserBench();
  });
  afterEach(async () => {
    await bench.close();
    await page.close();
  });

  it.each(FLOODS)('by %s does not end the process; the next conversation is an ordinary one', async (_what, script) => {
    page = await startHttpStub((response, { path }) => {
      const said = path === '/flood' ? script : '';
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html>
        <form><textarea></textarea><button>Send</button></form><div id="log"></div><script>
        document.querySelector('form').addEventListener('submit', (event) => {
          event.preventDefault();
          document.getElementById('log').innerHTML += '<p class="agent">Rest.</p>';
          ${said}
        });</script>`);
    });
    const talk = async (path: string, turn_timeout_ms: number): Promise<string> => {
      const config = { url: page.origin + path, message_selector: '.agent', turn_timeout_ms };
      const session = await bench.connect(config);
      try {
        // What it says by itself arrives while it is talked to.
        for (const message of ['Hello.', 'It hurts.']) await session.send(message, unaborted());
        return (await session.send('Goodbye.', unaborted())).content;
      } finally {
        await session.close();
      }
    };
    const outcome = await talk('/flood', 10_000).catch((error: unknown) => error);
    if (outcome !== 'Rest.') expect(outcome).toBeInstanceOf(ProviderError);
    expect(await talk('/', 60_000)).toBe('Rest.');
  });
});
