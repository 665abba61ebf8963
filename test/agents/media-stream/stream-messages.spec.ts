import { OutgoingMessages, readIncoming } from '../../../src/agents/media-stream/stream-messages';

const IDS = { streamSid: 'MZ1', callSid: 'CA1', accountSid: 'AC0' };

test('what is sent on a stream is numbered, and sound tells its place', () => {
  const messages = new OutgoingMessages(IDS);
  const sent = [
    messages.connected(),
    messages.start({ clinic: 'north' }),
    messages.media(new Uint8Array([1, 2])),
    messages.media(new Uint8Array([3])),
    messages.dtmf('5'),
    messages.mark('m'),
    messages.stop(),
  ];
  expect(sent.map((text): unknown => JSON.parse(text))).toEqual([
    { event: 'connected', protocol: 'Call', version: '1.0.0' },
    {
      event: 'start',
      sequenceNumber: '1',
      start: {
        accountSid: 'AC0',
        streamSid: 'MZ1',
        callSid: 'CA1',
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
        customParameters: { clinic: 'north' },
      },
      streamSid: 'MZ1',
    },
    {
      event: 'media',
      sequenceNumber: '2',
      media: { track: 'inbound', chunk: '1', timestamp: '0', payload: 'AQI=' },
      streamSid: 'MZ1',
    },
    {
      event: 'media',
      sequenceNumber: '3',
      media: { track: 'inbound', chunk: '2', timestamp: '20', payload: 'Aw==' },
      streamSid: 'MZ1',
    },
    { event: 'dtmf', sequenceNumber: '4', dtmf: { track: 'inbound_track', digit: '5' }, streamSid: 'MZ1' },
    { event: 'mark', sequenceNumber: '5', mark: { name: 'm' }, streamSid: 'MZ1' },
    { event: 'stop', sequenceNumber: '6', stop: { accountSid: 'AC0', callSid: 'CA1' }, streamSid: 'MZ1' },
  ]);
});

const of = (message: object) => readIncoming(JSON.stringify({ streamSid: 'MZ1', ...message }), 'MZ1');

test('sound, marks and what is cleared are read', () => {
  expect(of({ event: 'media', media: { payload: 'AQI=' } })).toEqual({ event: 'media', codes: Buffer.from([1, 2]) });
  expect(of({ event: 'mark', mark: { name: 'm' } })).toEqual({ event: 'mark', name: 'm' });
  expect(of({ event: 'mark', mark: { name: 'm'.repeat(1_000) } })).toMatchObject({ event: 'mark' });
  expect(of({ event: 'clear', media: 7, mark: 7 })).toEqual({ event: 'clear' });
});

test.each<[string, object]>([
  ['unknown_event', { event: 'start' }],
  ['unknown_event', { event: 'start', streamSid: 'MZ2' }],
  ['not_json', { event: 7 }],
  ['not_json', {}],
  ['another_stream', { event: 'clear', streamSid: 'MZ2' }],
  ['another_stream', { event: 'clear', streamSid: 7 }],
  ['another_stream', { event: 'clear', streamSid: undefined }],
  ['no_sound', { event: 'media' }],
  ['no_sound', { event: 'media', media: { payload: '' } }],
  ['no_sound', { event: 'media', media: { payload: 7 } }],
  ['not_base64', { event: 'media', media: { payload: 'AQ=I' } }],
  ['not_base64', { event: 'media', media: { payload: ' AQI=' } }],
  ['not_base64', { event: 'media', media: { payload: 'AQI===' } }],
  ['no_name', { event: 'mark' }],
  ['no_name', { event: 'mark', mark: { name: '' } }],
  ['no_name', { event: 'mark', mark: { name: 'm'.repeat(1_001) } }],
])('a message has no effect, as %s: %j', (why, message) => {
  expect(of(message)).toEqual({ event: 'ignored', why });
});

test('words, and JSON that is no object, are no messages', () => {
  expect(readIncoming('hello', 'MZ1')).toEqual({ event: 'ignored', why: 'not_json' });
  expect(readIncoming('[]', 'MZ1')).toEqual({ event: 'ignored', why: 'not_json' });
});
