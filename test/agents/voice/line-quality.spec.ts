import { GetSessionStatsCallback_Result, RtcStats } from '@livekit/rtc-ffi-bindings';
import { isTimeable, qualityBetween, type StreamCounts } from '../../../src/agents/voice/line-quality';
import { countsIn } from '../../../src/agents/livekit/stream-counts';

const NONE: StreamCounts = { waited: 0, emitted: 0, concealed: 0, inserted: 0 };
const streams = (...counts: Partial<StreamCounts>[]): Map<number, StreamCounts> =>
  new Map(counts.map((one, stream) => [stream, { ...NONE, ...one }]));

test('what happened in a turn is what was counted since it began, of the worst stream', () => {
  const before = streams({ waited: 4_800, emitted: 96_000, concealed: 4_800, inserted: 9_600 }, {});
  const after = streams(
    { waited: 4_800 + 48_000 * 0.04, emitted: 96_000 + 48_000, concealed: 4_800 + 480, inserted: 9_600 },
    { waited: 2_400 * 0.03, emitted: 2_400, inserted: 960 },
  );
  const quality = qualityBetween(before, after);
  expect(quality.bufferMs).toBeCloseTo(40, 6);
  expect(quality.concealedMs).toBeCloseTo(10, 6);
  expect(quality.insertedMs).toBeCloseTo(20, 6);
});

test('a stream that was not there before counts from its beginning; one that gave nothing waited for nothing', () => {
  expect(qualityBetween(new Map(), streams({ concealed: 1_440 })).concealedMs).toBeCloseTo(30, 6);
  expect(qualityBetween(streams({ waited: 5 }), streams({ waited: 5 })).bufferMs).toBe(0);
});

test.each([
  [{ bufferMs: 60, concealedMs: 20, insertedMs: 20 }, true],
  [{ bufferMs: 61, concealedMs: 0, insertedMs: 0 }, false],
  [{ bufferMs: 30, concealedMs: 21, insertedMs: 0 }, false],
  [{ bufferMs: 30, concealedMs: 0, insertedMs: 21 }, false],
  [null, false],
])('times of a turn with %j are believed: %s', (quality, isBelieved) => {
  expect(isTimeable(quality)).toBe(isBelieved);
});

test('the library’s numbers are read of the sound that is received, on either connection, without lost silence', () => {
  const inbound = (ssrc: number, kind: string) =>
    RtcStats.fromJson({
      inboundRtp: {
        rtc: { id: `IT${ssrc}`, timestamp: '1' },
        stream: { ssrc, kind, transportId: 'T', codecId: 'C' },
        received: { packetsReceived: '1', packetsLost: '0', jitter: 0 },
        inbound: {
          jitterBufferDelay: 1_622.4,
          jitterBufferEmittedCount: '57600',
          concealedSamples: '840',
          silentConcealedSamples: '240',
          insertedSamplesForDeceleration: '1440',
        },
      },
    });
  const stats = new GetSessionStatsCallback_Result({
    publisherStats: [inbound(7, 'audio'), inbound(8, 'video')],
    subscriberStats: [inbound(9, 'audio')],
  });
  const counts = { waited: 1_622.4, emitted: 57_600, concealed: 600, inserted: 1_440 };
  expect(countsIn(stats)).toEqual(
    new Map([
      [7, counts],
      [9, counts],
    ]),
  );
});
