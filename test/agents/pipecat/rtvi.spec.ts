import * as fc from 'fast-check';
import { DataMessages } from '../../../src/agents/pipecat/data-messages';
import { ProviderError } from '../../../src/agents/errors';
import { RtviConversation, RTVI_TIMES } from '../../../src/agents/pipecat/rtvi-conversation';
import { readRtvi, type RtviMessage } from '../../../src/agents/pipecat/rtvi-message';
import { OPEN_RUN_QUIET_MS, QUIET_MS, RtviReply, SETTLE_MS } from '../../../src/agents/pipecat/rtvi-reply';
import { eventually } from '../../setup/eventually';
import { unaborted } from '../provider.contract';

type Event = readonly [type: string, data?: unknown, id?: string];

const message = ([type, data, id]: Event): RtviMessage => ({ type, data, id: id ?? null });
const packet = ([type, data, id]: Event): Buffer => Buffer.from(JSON.stringify({ label: 'rtvi-ai', type, id, data }));
const says = (text: string): Event => ['bot-llm-text', { text }];
const output = (text: string, more: object = {}): Event => ['bot-output', { text, output_type: 'sentence', ...more }];

const STARTED: Event = ['bot-llm-started'];
const STOPPED: Event = ['bot-llm-stopped'];

/** What a pipecat-ai 1.14 bot sent when it looked something up with a tool, as it came over the wire. */
const WITH_A_TOOL: readonly Event[] = [
  ['bot-interrupted'],
  ['user-input', { text: 'What are your hours?', input_type: 'chat', final: true, msg_id: 'm1' }],
  ['user-llm-text', { text: 'What are your hours?' }],
  STARTED,
  says('Let '),
  says('me '),
  says('look. '),
  ['bot-transcription', { text: 'Let me look. ' }],
  ['llm-function-call-started', {}],
  STOPPED,
  ['llm-function-call-in-progress', { tool_call_id: 'call_1' }],
  ['llm-function-call-stopped', { tool_call_id: 'call_1', cancelled: false }],
  STARTED,
  says('We '),
  says('are open.'),
  ['bot-transcription', { text: 'We are open.' }],
  STOPPED,
];

const replyTo = (events: readonly Event[], showsRuns = false): RtviReply => {
  const reply = new RtviReply('m1', showsRuns);
  for (const event of events) reply.hear(message(event));
  return reply;
};

describe('an RTVI reply', () => {
  it('is what the model said until its run stopped', () => {
    const reply = replyTo([STARTED, says('Call '), says('112.')]);
    expect(reply.text).toBe('Call 112.');
    expect(reply.quietNeeded).toBe(OPEN_RUN_QUIET_MS);
    reply.hear(message(STOPPED));
    expect(reply.quietNeeded).toBe(SETTLE_MS);
  });

  it('is not complete at any moment while a real bot uses a tool', () => {
    const reply = new RtviReply('m1', true);
    const last = WITH_A_TOOL.length - 1;
    WITH_A_TOOL.forEach((event, index) => {
      reply.hear(message(event));
      if (index < last) expect([null, QUIET_MS, OPEN_RUN_QUIET_MS]).toContain(reply.quietNeeded);
    });
    expect(reply.quietNeeded).toBe(SETTLE_MS);
    expect(reply.text).toBe('Let me look. We are open.');
    expect(reply.facts).toEqual({ llm_runs: 2, tool_calls: [{ id: 'call_1' }] });
  });

  it('waits for every call that is open', () => {
    const reply = replyTo([
      STARTED,
      says('One moment.'),
      ['llm-function-call-started', {}],
      ['llm-function-call-started', {}],
      STOPPED,
      ['llm-function-call-in-progress', { tool_call_id: 'a', function_name: 'look_up', arguments: { day: 'Monday' } }],
      ['llm-function-call-in-progress', { tool_call_id: 'b' }],
      ['llm-function-call-stopped', { tool_call_id: 'a', result: { open: true } }],
    ]);
    expect(reply.quietNeeded).toBeNull();
    reply.hear(message(['llm-function-call-stopped', { tool_call_id: 'b', cancelled: true }]));
    expect(reply.quietNeeded).toBe(QUIET_MS);
    expect(reply.facts).toEqual({
      tool_calls: [
        { id: 'a', name: 'look_up', arguments: '{"day":"Monday"}', result: '{"open":true}' },
        { id: 'b', cancelled: true },
      ],
    });
  });

  it('separates what two runs said', () => {
    expect(replyTo([STARTED, says('One moment.'), STOPPED, STARTED, says('Yes.'), STOPPED]).text).toBe(
      'One moment.\nYes.',
    );
  });

  it('leaves out what was said before our message interrupted the bot', () => {
    const leftOver = [says(' of the greeting'), STOPPED, output('of the greeting')];
    expect(replyTo([...leftOver, ['bot-interrupted'], STARTED, says('Yes.'), STOPPED], true).text).toBe('Yes.');
    expect(replyTo([...leftOver, STARTED, says('Yes.'), STOPPED], true).text).toBe('Yes.');
    expect(replyTo([STARTED, says('Welcome'), ['bot-interrupted'], STOPPED], true).text).toBe('');
  });

  it('keeps what came before an interruption that is not ours', () => {
    const events: Event[] = [['bot-interrupted'], STARTED, says('Please '), ['bot-interrupted'], STARTED, says('sit.')];
    expect(replyTo([...events, STOPPED]).text).toBe('Please sit.');
  });

  it.each<[string, readonly Event[], string, number]>([
    ['llm-raw-text', [STARTED, ['llm-raw-text', { text: 'Yes.' }], STOPPED], 'Yes.', SETTLE_MS],
    [
      'both kinds of text, once',
      [STARTED, ['llm-raw-text', { text: 'Yes.' }], says('Yes.'), STOPPED],
      'Yes.',
      SETTLE_MS,
    ],
    [
      'bot-output, when it is all there is',
      [STARTED, STOPPED, output('Yes.', { segment_id: 1 }), output('Come in.', { segment_id: 2 })],
      'Yes. Come in.',
      QUIET_MS,
    ],
    [
      'segments that are told again as they are spoken',
      [
        output('Yes.', { segment_id: 1, spoken_status: 'new' }),
        output('Yes.', { segment_id: 1, spoken_status: 'completed' }),
        ['bot-output', { text: 'Yes', aggregated_by: 'word' }],
      ],
      'Yes.',
      QUIET_MS,
    ],
    [
      'words that are spoken',
      [
        ['bot-tts-text', { text: 'Come' }],
        ['bot-tts-text', { text: 'in.' }],
      ],
      'Come in.',
      QUIET_MS,
    ],
    ['text without a run', [says('Yes.')], 'Yes.', QUIET_MS],
    ['the words, not their echo', [STARTED, says('Yes.'), STOPPED, output('Yes.')], 'Yes.', SETTLE_MS],
  ])('is put together from %s', (_name, events, text, quiet) => {
    const reply = replyTo(events);
    expect(reply.text).toBe(text);
    expect(reply.quietNeeded).toBe(quiet);
  });

  it('is waited for until the turn ends while nothing came', () => {
    expect(replyTo([]).quietNeeded).toBeNull();
    expect(
      replyTo([
        ['metrics', {}],
        ['user-llm-text', { text: 'hi' }],
      ]).quietNeeded,
    ).toBeNull();
    expect(replyTo([STARTED]).quietNeeded).toBeNull();
  });

  it.each<[string, readonly Event[], string | null, number]>([
    ['the model failed', [STARTED, ['error', { error: 'No quota', fatal: false }], STOPPED], 'No quota', SETTLE_MS],
    ['the pipeline ended', [STARTED, says('Ye'), ['error', { error: 'Gone', fatal: true }]], 'Gone', 0],
    ['our message was refused', [['error-response', { error: 'Invalid' }, 'm1']], 'Invalid', 0],
    ['an error came beside a reply', [STARTED, ['error', { error: 'Voice' }], says('Yes.'), STOPPED], null, SETTLE_MS],
  ])('tells that %s', (_name, events, failure, quiet) => {
    const reply = replyTo(events);
    expect(reply.failure).toBe(failure);
    expect(reply.quietNeeded).toBe(quiet);
  });

  it("does not take another request's refusal for its own", () => {
    expect(replyTo([['error-response', { error: 'Old version' }, 'r1']]).failure).toBeNull();
  });

  it('has an end however long the bot talks', () => {
    const reply = replyTo([STARTED]);
    for (let count = 0; count < 20; count += 1) reply.hear(message(says('x'.repeat(100_000))));
    expect(reply.isTooLong).toBe(true);
    expect(reply.quietNeeded).toBe(0);
    expect(reply.text.length).toBeLessThanOrEqual(1024 * 1024);
  });

  it('survives whatever a bot sends', () => {
    const types = fc.constantFrom(
      'bot-llm-started', 'bot-llm-text', 'bot-llm-stopped', 'bot-output', 'bot-tts-text', 'llm-raw-text', 'error',
      'error-response', 'bot-interrupted', 'llm-function-call', 'llm-function-call-started',
      'llm-function-call-in-progress', 'llm-function-call-stopped', 'bot-ready', '__proto__', 'constructor',
    ); // prettier-ignore
    fc.assert(
      fc.property(fc.array(fc.tuple(types, fc.jsonValue())), fc.boolean(), (events, showsRuns) => {
        const reply = replyTo(events, showsRuns);
        expect([null, 0, SETTLE_MS, QUIET_MS, OPEN_RUN_QUIET_MS]).toContain(reply.quietNeeded);
        expect(typeof reply.text).toBe('string');
        JSON.stringify(reply.facts);
      }),
    );
  });
});

describe('data messages', () => {
  it('are read when they are RTVI, and kept whatever they are', () => {
    const data = new DataMessages();
    expect(data.note(packet(STARTED), 'bot')).toEqual(message(STARTED));
    expect(data.note(packet(['server-message', { ticket: 5 }]), 'bot')).toMatchObject({ type: 'server-message' });
    expect(data.note(Buffer.from('{"label":"other","type":"x"}'), 'bot')).toBeNull();
    expect(data.note(Buffer.from([0xff, 0x00, 0xfe]), 'someone')).toBeNull();
    expect(data.facts()).toMatchObject({
      data_packets: 4,
      data_packets_not_rtvi: 2,
      data_messages: [
        { from: 'bot', type: 'bot-llm-started', text: '' },
        { from: 'bot', type: 'server-message', text: '{"ticket":5}' },
        { from: 'bot', text: '{"label":"other","type":"x"}' },
        { from: 'someone', text: '\ufffd\ufffd\ufffd' },
      ],
    });
  });

  it('keep 200 and count the rest; the pieces of a text are one', () => {
    const data = new DataMessages();
    for (let count = 0; count < 300; count += 1) data.note(packet(says('word ')), 'bot');
    for (let count = 0; count < 250; count += 1) data.note(packet(['metrics', { count }]), 'bot');
    const { data_messages, data_messages_dropped, data_packets } = data.facts();
    const kept = Array.isArray(data_messages) ? data_messages : [];
    expect(kept).toHaveLength(200);
    expect(kept.slice(0, 2)).toMatchObject([{ type: 'bot-llm-text', packets: 300 }, { text: '{"count":0}' }]);
    expect({ data_messages_dropped, data_packets }).toEqual({ data_messages_dropped: 51, data_packets: 550 });
  });

  it('are cut short, fit for a database, and none when none came', () => {
    const data = new DataMessages();
    expect(data.facts()).toEqual({});
    const nested = `{"label":"rtvi-ai","type":"x","data":${'['.repeat(60_000)}${']'.repeat(60_000)}}`;
    data.note(Buffer.from(nested), 'bot');
    data.note(packet(['server-message', `a\0b${'x'.repeat(5000)}\ud800`]), 'bot');
    data.note(Buffer.alloc(300_000, '['), 'bot');
    const text = JSON.stringify(data.facts());
    expect(text.length).toBeLessThan(5000);
    expect(text).not.toMatch(/\\u0000|\\ud800/);
  });

  it('are no RTVI messages when they are malformed', () => {
    for (const text of [
      '',
      'null',
      '[]',
      '{}',
      '{"label":"rtvi-ai"}',
      '{"label":"rtvi-ai","type":5}',
      '{"label":1,"type":"x"}',
    ]) {
      expect(readRtvi(Buffer.from(text))).toBeNull();
    }
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        readRtvi(bytes);
      }),
    );
  });
});

describe('an RTVI conversation', () => {
  /** A bot at the other end of the data channel; its answers are the test's. */
  const meet = (times: Partial<typeof RTVI_TIMES> = {}) => {
    const sent: RtviMessage[] = [];
    const publish = async (bytes: Uint8Array): Promise<void> => {
      const heard = readRtvi(bytes);
      if (heard === null) throw new Error('What we send is no RTVI.');
      sent.push(heard);
    };
    const quick = { ...RTVI_TIMES, again: 20, greetingBegins: 20, ...times };
    const conversation = new RtviConversation(publish, quick);
    const bot = (...events: readonly Event[]): void => events.forEach((event) => conversation.hear(message(event)));
    return { conversation, bot, sent, typesSent: () => sent.map(({ type }) => type) };
  };
  const READY: Event = ['bot-ready', { version: '2.2.0', about: { library: 'pipecat-ai', library_version: '1.14.0' } }];

  it('begins when the bot is ready, however late it comes', async () => {
    const { conversation, bot, typesSent } = meet({ again: 5 });
    const shaking = conversation.handshake(() => false, unaborted());
    await eventually(() => expect(typesSent().length).toBeGreaterThan(4));
    bot(READY);
    expect(await shaking).toBe(true);
    expect(conversation.isSpoken).toBe(true);
    expect(conversation.facts).toEqual({ rtvi_version: '2.2.0', bot_library: 'pipecat-ai 1.14.0' });
    expect(new Set(typesSent())).toEqual(new Set(['client-ready']));
  });

  it('does not begin with a bot that is there and leaves two tries unanswered', async () => {
    const { conversation, sent } = meet();
    expect(await conversation.handshake(() => true, unaborted())).toBe(false);
    expect(sent).toHaveLength(2);
    expect(sent.every(({ id }) => id !== null && id !== '')).toBe(true);
  });

  it('tells a bot that may listen later that we are ready, until it tells something in another way', async () => {
    const { conversation, typesSent } = meet({ onceMore: 5 });
    let looks = 0;
    let isOther = false;
    const ending = new AbortController();
    const ready = conversation.becomesReady(ending.signal, () => {
      looks += 1;
      return isOther;
    });
    await eventually(() => expect(typesSent().length).toBeGreaterThan(2));
    isOther = true;
    const [sent, before] = [typesSent().length, looks];
    await eventually(() => expect(looks).toBeGreaterThan(before));
    expect(typesSent()).toHaveLength(sent);
    ending.abort();
    await expect(ready).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
  });

  it('does not wait for a bot that answers in another way', async () => {
    const { conversation } = meet({ again: 60_000 });
    const shaking = conversation.handshake(() => true, unaborted());
    conversation.abandon();
    expect(await shaking).toBe(false);
  });

  it('waits longer for one that shows signs of RTVI, and does not press it', async () => {
    const { conversation, bot, sent } = meet();
    const shaking = conversation.handshake(() => true, unaborted());
    bot(['metrics', {}]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent).toHaveLength(1);
    bot(READY);
    expect(await shaking).toBe(true);
  });

  it('hears a greeting out', async () => {
    const { conversation, bot } = meet({ greetingBegins: 60_000 });
    const greeting = conversation.greeting(unaborted());
    bot(STARTED, says('Welcome '));
    bot(says('to the clinic.'), STOPPED);
    expect(await greeting).toBe('Welcome to the clinic.');
  });

  it('has no greeting when none begins', async () => {
    expect(await meet().conversation.greeting(unaborted())).toBe('');
  });

  it('sends a message and has the whole reply to it, none of the one before', async () => {
    const { conversation, bot, sent } = meet();
    const first = conversation.send('My chest hurts.', 60_000, unaborted());
    bot(...WITH_A_TOOL);
    expect(await first).toMatchObject({ isComplete: true, reply: { text: 'Let me look. We are open.' } });
    const second = conversation.send('Thanks.', 60_000, unaborted());
    bot(says(' Too late.'), STARTED, says('Bye.'), STOPPED, output('Bye.'), ['metrics', {}]);
    expect(await second).toMatchObject({ isComplete: true, reply: { text: 'Bye.' } });
    expect(sent).toMatchObject([
      {
        type: 'send-text',
        data: { content: 'My chest hurts.', options: { run_immediately: true, audio_response: false } },
      },
      { type: 'send-text', data: { content: 'Thanks.' } },
    ]);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(2);
  });

  it('is not held up by a bot that never stops reporting', async () => {
    const { conversation, bot } = meet();
    const noise = setInterval(() => bot(['bot-audio-level', { value: 0 }], ['metrics', {}]), 10);
    const sending = conversation.send('hi', 60_000, unaborted());
    bot(STARTED, says('Yes.'), STOPPED);
    expect(await sending).toMatchObject({ isComplete: true });
    clearInterval(noise);
  });

  it('hands out what came when the time is up', async () => {
    const { conversation, bot } = meet();
    const sending = conversation.send('hi', 100, unaborted());
    bot(STARTED, says('Ye'));
    expect(await sending).toMatchObject({ isComplete: false, reply: { text: 'Ye' } });
  });

  it('ends what is waited for when it breaks off or is canceled, and lets go of the signal', async () => {
    const { conversation } = meet();
    const abort = new AbortController();
    const removed = jest.spyOn(abort.signal, 'removeEventListener');
    const sending = conversation.send('hi', 60_000, abort.signal);
    await new Promise(setImmediate);
    abort.abort();
    await expect(sending).rejects.toMatchObject({ disposition: { kind: 'canceled' } });
    expect(removed).toHaveBeenCalledTimes(1);
    const again = conversation.send('hi', 60_000, unaborted());
    conversation.breakOff(new ProviderError('provider_error', 'The agent left.'));
    await expect(again).rejects.toMatchObject({ message: 'The agent left.' });
    await expect(conversation.send('hi', 60_000, unaborted())).rejects.toMatchObject({ message: 'The agent left.' });
  });

  it('asks a bot that speaks RTVI to end, and no other', async () => {
    const { conversation, bot, typesSent } = meet();
    await conversation.end();
    expect(typesSent()).toEqual([]);
    bot(READY);
    await conversation.end();
    expect(typesSent()).toEqual(['disconnect-bot']);
  });
});
