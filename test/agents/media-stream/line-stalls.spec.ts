import { encodeMuLaw } from '../../../src/domain/sound';
import { LineStalls } from '../../../src/agents/media-stream/line-stalls';
import { LineVoice } from '../../../src/agents/media-stream/line-voice';
import { PlayOut } from '../../../src/agents/media-stream/play-out';

const SAID = { type: 'said', utterance: 1, isReliable: true, isWhole: true } as const;
const FRAME_MS = 20;

describe('the times of a turn', () => {
  function turn(): LineStalls {
    const stalls = new LineStalls();
    stalls.begin();
    stalls.told({ ...SAID, from: 1_000, to: 4_000 });
    stalls.told({ type: 'voice', sender: 'agent', isSpeaking: true, at: 5_000 });
    return stalls;
  }

  it.each([
    ['in the middle of what the patient says', 2_000],
    ['while the agent thinks', 4_500],
    ['while the agent speaks', 6_000],
  ])('are not touched by a stall %s', (_, at) => {
    const stalls = turn();
    stalls.late(at, at + 45);
    expect(stalls.errorMs()).toBe(0);
  });

  it.each([
    ['the patient begins', 990],
    ['the patient ends', 3_980],
    ['the agent begins', 4_960],
    ['a frame after the agent began', 5_015],
  ])('may be wrong by a stall during which %s', (_, at) => {
    const stalls = turn();
    stalls.late(at, at + 45);
    expect(stalls.errorMs()).toBe(45);
  });

  it('are right within a frame where a frame was late by less than its length', () => {
    const stalls = turn();
    stalls.late(4_990, 5_009);
    expect(stalls.errorMs()).toBe(0);
  });

  it('are those of the turn alone', () => {
    const stalls = turn();
    stalls.late(5_000, 5_100);
    stalls.begin();
    expect(stalls.errorMs()).toBe(0);
  });
});

describe('what is said', () => {
  async function saidWith(lateMs: (frame: number) => number): Promise<boolean> {
    const voice = new LineVoice();
    const said = voice.say(new Int16Array(48 * FRAME_MS * 10), []);
    for (let frame = 0; frame < 10; frame += 1) voice.frame(1_000 + frame * FRAME_MS, lateMs(frame));
    return (await said).isReliable;
  }

  it.each([
    ['its first frame was late by its length', (frame: number) => (frame === 0 ? 20 : 0), false],
    ['its last frame was late by its length', (frame: number) => (frame === 9 ? 20 : 0), false],
    ['a frame between was late by 59 ms', (frame: number) => (frame === 5 ? 59 : 0), true],
    ['a frame between was late by 60 ms', (frame: number) => (frame === 5 ? 60 : 0), false],
    ['all were late by less than their length', () => 19, true],
  ])('where %s: reliable or not', async (_, lateMs, isReliable) => {
    expect(await saidWith(lateMs)).toBe(isReliable);
  });
});

describe('sound that was read late', () => {
  const tone = encodeMuLaw(new Int16Array(160).fill(8_000));

  it('follows what was heard before the stall without a gap', () => {
    const playOut = new PlayOut(0);
    playOut.add(tone, 100);
    expect(playOut.takeUntil(110).samples).toHaveLength(880);
    // The next frame came at 120 and was read at 155.
    playOut.add(tone, 155, 115);
    const { samples } = playOut.takeUntil(160);
    expect(samples.subarray(0, 240).every((sample) => sample > 7_000)).toBe(true);
    expect(samples.subarray(240).every((sample) => sample === 0)).toBe(true);
  });

  it('begins when it was read where the agent was silent before', () => {
    const playOut = new PlayOut(0);
    playOut.add(tone, 100);
    playOut.takeUntil(140);
    playOut.add(tone, 185, 145);
    const { samples } = playOut.takeUntil(205);
    expect(samples.findIndex((sample) => sample > 7_000)).toBe(45 * 8);
  });
});
