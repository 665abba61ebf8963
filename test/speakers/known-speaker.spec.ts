import { encodeMuLaw } from '../../src/domain/sound';
import { KnownSounds } from './known-sounds';
import { misheard } from './misheard';
import { KnownSpeaker, SPEAKERS, sentencesOf, type SpeakerName } from './known-speaker';

/** The known agents in a call whose time is that of its frames. */
const REPLIES = [
  'You take 15 milligrams of warfarin. Do you take anything else with it? Please tell me all of your other tablets.',
  'Then call your doctor today.',
];
const FRAME = 160;
const SPEECH = encodeMuLaw(Int16Array.from({ length: FRAME }, (_, at) => 6_000 * Math.sin(at * 0.35)));
const SILENCE = encodeMuLaw(new Int16Array(FRAME));

let sounds: KnownSounds;
beforeAll(async () => {
  sounds = await KnownSounds.open('en-gb', 1.2);
  for (const reply of REPLIES) {
    for (const words of [...sentencesOf(reply), ...sentencesOf(misheard(reply))]) await sounds.of(words);
  }
});

/** What an agent did, each with the ms of the call. */
interface Done {
  readonly at: number;
  readonly what: 'said' | 'cleared';
  readonly ms: number;
}

class Caller {
  readonly done: Done[] = [];
  private now = 0;
  private readonly speaker: KnownSpeaker;

  constructor(name: SpeakerName) {
    const said = (samples: Int16Array) => this.done.push({ at: this.now, what: 'said', ms: samples.length / 8 });
    const cleared = () => this.done.push({ at: this.now, what: 'cleared', ms: 0 });
    this.speaker = new KnownSpeaker({ say: said, clear: cleared }, sounds, SPEAKERS[name], Promise.resolve(REPLIES));
  }

  async speaks(ms: number): Promise<this> {
    return this.sends(SPEECH, ms);
  }

  async waits(ms: number): Promise<this> {
    return this.sends(SILENCE, ms);
  }

  private async sends(codes: Uint8Array, ms: number): Promise<this> {
    for (const until = this.now + ms; this.now < until;) {
      this.now += 20;
      this.speaker.hear(codes);
      // What is said once is made of sounds that are known: it comes within a frame.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return this;
  }
}

/** In the middle of the first reply, the caller says something for so long. */
async function spokenInto(
  name: SpeakerName,
  ms: number,
): Promise<{ readonly caller: Caller; readonly answer: Done | undefined }> {
  const caller = new Caller(name);
  await caller.speaks(2_000);
  await caller.waits(1_600);
  const [answer] = caller.done;
  await caller.waits(1_500);
  await caller.speaks(ms);
  await caller.waits(9_000);
  return { caller, answer };
}

describe('the known agents', () => {
  it.each(Object.keys(SPEAKERS).filter((name): name is SpeakerName => name in SPEAKERS))(
    '%s waits for a caller who breathes, answers, and answers the next turn',
    async (name) => {
      const caller = new Caller(name);
      await caller.speaks(1_000);
      await caller.waits(1_000);
      await caller.speaks(1_000);
      await caller.waits(1_400);
      expect(caller.done).toEqual([]);
      await caller.waits(9_000);
      expect(caller.done.map(({ what }) => what)).toEqual(['said']);
      await caller.speaks(1_000);
      await caller.waits(3_000);
      expect(caller.done.map(({ what }) => what)).toEqual(['said', 'said']);
    },
  );

  it('only the one that stops at uh-huh stops there, and says no more', async () => {
    for (const name of ['good', 'never-yields', 'mishears-doses'] as const) {
      const { caller } = await spokenInto(name, 500);
      expect({ name, done: caller.done.map(({ what }) => what) }).toEqual({ name, done: ['said'] });
    }
    const { caller, answer } = await spokenInto('stops-at-uh-huh', 500);
    expect(caller.done.map(({ what }) => what)).toEqual(['said', 'cleared']);
    expect(caller.done[1]?.at).toBeLessThan((answer?.at ?? 0) + 2_000);
  });

  it('all but the one that never yields fall silent when they are interrupted, and say the rest', async () => {
    for (const name of ['good', 'stops-at-uh-huh', 'mishears-doses'] as const) {
      const { caller, answer } = await spokenInto(name, 1_200);
      expect({ name, done: caller.done.map(({ what }) => what) }).toEqual({ name, done: ['said', 'cleared', 'said'] });
      const [, cleared, rest] = caller.done;
      expect((cleared?.at ?? 0) - (answer?.at ?? 0)).toBeLessThan(2_700);
      expect(rest?.ms).toBeLessThanOrEqual(answer?.ms ?? 0);
    }
    const { caller } = await spokenInto('never-yields', 1_200);
    expect(caller.done.map(({ what }) => what)).toEqual(['said']);
  });
});
