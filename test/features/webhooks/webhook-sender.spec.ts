import { Webhook } from 'standardwebhooks';
import {
  newSecret,
  WebhookSender,
  WebhookTimes,
  type WebhookMessage,
} from '../../../src/features/webhooks/webhook-sender';
import { OwnServices } from '../../../src/platform/targets/own-services';
import { TargetGuard } from '../../../src/platform/targets/target-guard';
import { TargetPolicy, type TargetMode } from '../../../src/platform/targets/target-policy';
import { PrometheusMetrics } from '../../../src/platform/telemetry/metrics/prometheus.metrics';
import { startHttpStub, type HttpStub, type Step } from '../../fakes/http-stub';
import { drip, hang, resetBeforeAnswer, resetMidBody } from '../../fakes/misbehaviour';

const SECRET = newSecret();
const EARLIER = newSecret();
const BODY = JSON.stringify({ type: 'webhook.test', data: { name: 'Zażółć' } });

let receiver: HttpStub;
let metrics: PrometheusMetrics;
beforeEach(async () => {
  receiver = await startHttpStub((response) => response.writeHead(204).end());
  metrics = new PrometheusMetrics([]);
});
afterEach(() => receiver.close());

const answer =
  (status: number, text = ''): Step =>
  (response) =>
    void response.writeHead(status).end(text);

function senderTo(mode: TargetMode = 'local', times = new WebhookTimes()): WebhookSender {
  const unknown = (name: string) => Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }));
  const own = new OwnServices(() => [], unknown);
  return new WebhookSender(new TargetGuard(new TargetPolicy({ mode, allowed: [] }, own), own, unknown), times, metrics);
}

const send = (
  message: Partial<WebhookMessage> = {},
  signal: AbortSignal = new AbortController().signal,
  sender: WebhookSender = senderTo(),
) => sender.send({ url: `${receiver.origin}/hook`, secrets: [SECRET], id: 'msg_1', body: BODY, ...message }, signal);

/** How the calls ended, and how many are still open. */
async function counted(): Promise<{ readonly outcomes: readonly string[]; readonly inFlight: string | undefined }> {
  const text = await metrics.scrape();
  const ended = /^osce_outside_call_duration_seconds_count\{(.*)\} (\d+)$/gm;
  const outcomes = [...text.matchAll(ended)].map(([, labels = '', count]) => `${labels} ${count}`);
  return { outcomes, inFlight: /^osce_outside_calls_in_flight\{.*\} (\d+)$/m.exec(text)?.[1] };
}

describe('a message to a webhook', () => {
  it('is signed with every secret that counts, over its id, its time and its body', async () => {
    const earliest = Math.floor(Date.now() / 1_000);
    await send({ secrets: [SECRET, EARLIER], url: `${receiver.origin}/hook/a?from=osce&to=ci` });
    const [told] = receiver.requests;
    expect(told).toMatchObject({ method: 'POST', path: '/hook/a?from=osce&to=ci', body: JSON.parse(BODY) });
    expect(told?.headers).toMatchObject({
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'webhook-id': 'msg_1',
    });
    const headers = Object.fromEntries(
      Object.entries(told?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    for (const secret of [SECRET, EARLIER]) {
      expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
      expect(() => new Webhook(secret).verify(`${BODY} `, headers)).toThrow();
      expect(() => new Webhook(secret).verify(BODY, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
    }
    expect(() => new Webhook(newSecret()).verify(BODY, headers)).toThrow();
    const timestamp = Number(headers['webhook-timestamp']);
    expect(timestamp).toBeGreaterThanOrEqual(earliest);
    expect(timestamp).toBeLessThanOrEqual(Date.now() / 1_000);
  });

  it('leaves no connection behind', async () => {
    await send();
    await receiver.until(() => receiver.acceptedSockets === 1 && receiver.openSockets === 0);
  });
});

describe('what came of it', () => {
  it.each([
    [200, null, 'ok'],
    [299, null, 'ok'],
    [300, expect.stringMatching(/^The receiver answered 300, a redirect, which is not followed: /), 'refused'],
    [399, expect.stringMatching(/^The receiver answered 399, a redirect, which is not followed: /), 'refused'],
    [400, 'The receiver answered 400.', 'refused'],
    [499, 'The receiver answered 499.', 'refused'],
    [500, 'The receiver answered 500.', 'failed'],
  ])('is said and counted after an answer of %i', async (status, error, outcome) => {
    receiver.next(answer(status, ' Hello. \n'));
    expect(await send()).toEqual({ statusCode: status, error, excerpt: 'Hello.' });
    const { outcomes, inFlight } = await counted();
    expect(outcomes).toEqual([`to="webhook",kind="http",call="delivery",outcome="${outcome}" 1`]);
    expect(inFlight).toBe('0');
  });

  it.each([
    ['before its answer', resetBeforeAnswer(), 'The receiver cannot be reached (ECONNRESET).'],
    [
      'in the middle of it',
      resetMidBody(),
      expect.stringMatching(/^The receiver broke off in the middle of its answer \([A-Z_]+\)\.$/),
    ],
  ])('is said after a receiver that broke off %s', async (_when, step, error) => {
    receiver.next(step);
    expect(await send()).toEqual({ statusCode: null, error, excerpt: null });
    expect((await counted()).outcomes).toEqual([expect.stringContaining('outcome="unreachable"')]);
  });

  it.each([
    ['does not answer', hang()],
    ['does not come to the end of its answer', drip()],
  ])('is said after a receiver that %s in time, and counted', async (_what, step) => {
    receiver.next(step);
    const receipt = await send({}, undefined, senderTo('local', { answersWithinMs: 100 }));
    expect(receipt).toEqual({ statusCode: null, error: 'The receiver did not answer within 0.1 s.', excerpt: null });
    expect((await counted()).outcomes).toEqual([expect.stringContaining('outcome="timed_out"')]);
    await receiver.until(() => receiver.openSockets === 0);
    // As docs/webhooks.md says.
    expect(new WebhookTimes().answersWithinMs).toBe(10_000);
  });

  it('is said of an address that TARGETS forbids, which is not connected to', async () => {
    const receipt = await send({}, undefined, senderTo('public'));
    expect(receipt).toEqual({
      statusCode: null,
      error: expect.stringMatching(/^The address 127\.0\.0\.1:\d+ does not lead to a public address/),
      excerpt: null,
    });
    expect(receiver.acceptedSockets).toBe(0);
    expect((await counted()).outcomes).toEqual([expect.stringContaining('outcome="misconfigured"')]);
  });

  it('is nothing when the process stops: the attempt ends at once, with the reason', async () => {
    const stops = new AbortController();
    receiver.next(hang());
    const sent = send({}, stops.signal);
    await receiver.until(() => receiver.inFlight === 1);
    expect((await counted()).inFlight).toBe('1');
    stops.abort(new Error('The lease is lost.'));
    await expect(sent).rejects.toThrow('The lease is lost.');
    await receiver.until(() => receiver.inFlight === 0);
    const { outcomes, inFlight } = await counted();
    expect(outcomes).toEqual([expect.stringContaining('outcome="canceled"')]);
    expect(inFlight).toBe('0');
  });

  it('is nothing when the process had stopped before it: nothing is sent', async () => {
    await expect(send({}, AbortSignal.abort(new Error('The lease is lost.')))).rejects.toThrow('The lease is lost.');
    await expect(send({}, AbortSignal.abort('a word'))).rejects.toThrow('The process stops.');
    expect(receiver.requests).toEqual([]);
  });
});

describe('what is shown of an answer', () => {
  const excerptAfter = async (text: string, path = '/hook'): Promise<string | null> => {
    receiver.next(answer(400, text));
    return (await send({ url: receiver.origin + path, secrets: [SECRET, EARLIER] })).excerpt;
  };

  it('is its first 200 characters, or nothing where it says nothing', async () => {
    expect(await excerptAfter('x'.repeat(201))).toBe('x'.repeat(200));
    expect(await excerptAfter(' \n')).toBeNull();
  });

  it('holds no secret that the message was signed with', async () => {
    expect(await excerptAfter(`${SECRET} or ${EARLIER}?`)).toBe('[removed] or [removed]?');
  });

  it.each([
    ['the whole address', '/ab/cd', (origin: string) => `${origin}/ab/cd`, '[removed]'],
    ['a path of five characters', '/abcd', () => 'at /abcd.', 'at [removed].'],
    ['a path with its query', '/abcd?e=f', () => 'at /abcd?e=f.', 'at [removed].'],
    ['a part of twelve characters', '/in/part-of-12-c', () => 'part-of-12-c', '[removed]'],
    ['the value of a query, as it is written', '/in?key=a%20b%20c%2F', () => 'a%20b%20c%2F', '[removed]'],
    ['the value of a query, decoded', '/in?key=a%20b%20c%2Fd', () => 'a b c/d is unknown', '[removed] is unknown'],
    ['a query that names no value', '/in?token-itself', () => 'token-itself?', '[removed]?'],
    ['a path that a value of the query begins in', '/abcd?key=abcdefgh', () => 'at /abcdefgh.', 'at /[removed].'],
    ['the second value of a query', '/in?to=me&key=eight-8c', () => 'eight-8c', '[removed]'],
  ])('holds nothing of its address: %s', async (_what, path, said, shown) => {
    expect(await excerptAfter(said(receiver.origin), path)).toBe(shown);
  });

  it.each([
    ['a path of four characters', '/abc', 'at /abc.'],
    ['a part of eleven characters', '/in/deliveries1', 'deliveries1 and in'],
    ['a value of seven characters', '/in?key=seven-7', 'seven-7'],
    ['the name of a value', '/in?the-name-of-it=x', 'the-name-of-it is missing'],
  ])('keeps what are words: %s', async (_what, path, said) => {
    expect(await excerptAfter(said, path)).toBe(said);
  });

  it('is made of an address that cannot be decoded too', async () => {
    expect(await excerptAfter('50%-off-for-all', '/50%-off-for-all')).toBe('[removed]');
  });
});
