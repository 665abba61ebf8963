import { encodeMuLaw, resampled } from '../../../src/domain/sound';
import { framesIn, LineHearing, lineFrame, SILENT_FRAME } from '../../../src/agents/media-stream/line-sound';
import { LineVoice } from '../../../src/agents/media-stream/line-voice';
import { SPOKEN_RATE } from '../../../src/agents/voice/sound-clocks';
import { SeededVoice } from '../../fakes/seeded-voice';

const FRAME_MS = 20;
const words = (milliseconds: number) => new SeededVoice(1).samples(milliseconds, SPOKEN_RATE);

describe('A voice on a line', () => {
  it('is silent where nothing is said', () => {
    const voice = new LineVoice();
    expect(voice.frame(1_000, 0)).toEqual({ codes: SILENT_FRAME, pressed: [] });
    expect(SILENT_FRAME).toEqual(new Uint8Array(160).fill(0xff));
  });

  it('says an utterance frame by frame, and has said it when the last one is out', async () => {
    const voice = new LineVoice();
    const said = voice.say(words(50), []);
    const frames = [1_000, 1_020, 1_040].map((at) => voice.frame(at, 0).codes);
    expect(await said).toEqual({ from: 980, to: 1_030, isReliable: true, isWhole: true });
    const whole = encodeMuLaw(resampled({ samples: words(50), rate: SPOKEN_RATE }, 8_000).samples);
    expect(Buffer.concat(frames)).toEqual(Buffer.concat([whole, new Uint8Array(80).fill(0xff)]));
    expect(voice.frame(1_060, 0).codes).toBe(SILENT_FRAME);
  });

  it('tells of a key in the frame in which its tone ends', () => {
    const voice = new LineVoice();
    const keys = [0, 20, 21, 40, 60].map((afterMs) => ({ key: `${afterMs}`, afterMs }));
    void voice.say(words(80), keys);
    expect([0, 1, 2, 3].map((at) => voice.frame(1_000 + at * FRAME_MS, 0).pressed)).toEqual([
      ['20'],
      ['21', '40'],
      ['60'],
      [],
    ]);
  });

  it('that is hushed has said what had gone out', async () => {
    const voice = new LineVoice();
    const said = voice.say(words(100), []);
    voice.frame(1_000, 0);
    voice.frame(1_020, 0);
    voice.hush(1_025);
    expect(await said).toEqual({ from: 980, to: 1_020, isReliable: true, isWhole: false });
    voice.hush(1_030);
    expect(voice.frame(1_040, 0).codes).toBe(SILENT_FRAME);
  });

  it('that is hushed before its first frame has said nothing', async () => {
    const voice = new LineVoice();
    const said = voice.say(words(100), []);
    voice.hush(1_025);
    expect(await said).toMatchObject({ from: 1_025, to: 1_025, isWhole: false });
  });

  it('gives up what it says for something else, and at the end of the line', async () => {
    const voice = new LineVoice();
    const first = voice.say(words(100), []);
    const second = voice.say(words(20), []);
    await expect(first).rejects.toThrow('Something else is said.');
    voice.end();
    await expect(second).rejects.toThrow('The line has ended.');
    voice.end();
    expect(voice.frame(1_000, 0).codes).toBe(SILENT_FRAME);
  });
});

test.each([
  [0, 0],
  [1, 1],
  [20, 1],
  [21, 2],
  [60, 3],
])('%i ms of sound take %i frames', (milliseconds, frames) => {
  expect(framesIn(words(milliseconds))).toBe(frames);
});

test('a frame beyond the end is silent', () => {
  expect(lineFrame(words(20), 1)).toEqual(SILENT_FRAME);
});

test('sound of a line is heard as one, in whatever pieces it comes', () => {
  const sound = new SeededVoice(2).samples(300, 8_000);
  const whole = resampled({ samples: sound, rate: 8_000 }, 16_000).samples;
  for (const size of [7, 64, 160, 2_400]) {
    const hearing = new LineHearing();
    const heard: number[] = [];
    for (let at = 0; at < sound.length; at += size) {
      const { firstSample, samples } = hearing.push(sound.slice(at, at + size));
      expect(firstSample).toBe(heard.length);
      heard.push(...samples);
    }
    // What its filter needs of what follows is waited for: 8 ms.
    expect(heard).toHaveLength(whole.length - 128);
    expect(heard).toEqual([...whole].slice(0, -128));
  }
});
