import type { CallEvent, Uttered } from '../../../src/agents/voice/call-floor';
import { CallSound, type Said } from '../../../src/agents/voice/call-sound';
import { HEARD_RATE, machineMs } from '../../../src/agents/voice/sound-clocks';
import { constructedVoice } from '../../../src/agents/voice/timing/constructed-voice';
import type { PressedKey } from '../../../src/agents/provider';
import { eventually } from '../../setup/eventually';

const SAID: Uttered = { from: 100, to: 600, isReliable: true, isWhole: true };
const TURN: Said = { utterance: 1, samples: new Int16Array(480), keys: [], interjection: null };
const PIECE = 320;
const PIECE_MS = (PIECE / HEARD_RATE) * 1_000;

interface Spoken {
  readonly samples: Int16Array;
  readonly keys: readonly PressedKey[];
  /** It has gone out. */
  readonly done: (uttered: Uttered) => void;
  readonly failed: (reason: Error) => void;
}

/** The sound of a call, what is spoken in it, and what it reports. */
function call() {
  const spoken: Spoken[] = [];
  const events: CallEvent[] = [];
  const sound = new CallSound<string>(
    (samples, keys) => new Promise((done, failed) => spoken.push({ samples, keys, done, failed })),
    (event) => events.push(event),
  );
  const of = <Type extends CallEvent['type']>(type: Type) =>
    events.filter((event): event is Extract<CallEvent, { readonly type: Type }> => event.type === type);
  const place = new Map<string, number>();
  /** A participant is heard to say so much, on a track. */
  const hear = (sender: string, samples: Int16Array, from = 0, track = 'voice'): void => {
    for (let at = 0; at < samples.length; at += PIECE) {
      const firstSample = place.get(sender + track) ?? 0;
      const piece = samples.slice(at, at + PIECE);
      sound.hear(sender, track, { firstSample, at: from + (firstSample / HEARD_RATE) * 1_000, samples: piece });
      place.set(sender + track, firstSample + piece.length);
    }
  };
  return { sound, spoken, events, of, hear };
}

const silence = (milliseconds: number) => new Int16Array((milliseconds * HEARD_RATE) / 1_000);
const voice = (milliseconds: number) => constructedVoice(milliseconds, HEARD_RATE);
const settled = () => new Promise(setImmediate);

describe('What is said in a call', () => {
  it('is spoken with its keys, and told once it has gone out', async () => {
    const { sound, spoken, of } = call();
    const keys = [{ key: '5', afterMs: 40 }];
    sound.say({ ...TURN, keys });
    expect(spoken).toMatchObject([{ samples: TURN.samples, keys }]);
    await settled();
    expect(of('said')).toEqual([]);
    spoken[0]?.done(SAID);
    await settled();
    expect(of('said')).toEqual([{ type: 'said', utterance: 1, ...SAID }]);
  });

  it('is told of no more when the call ended before', async () => {
    const { sound, spoken, events } = call();
    sound.say(TURN);
    spoken[0]?.failed(new Error('ended'));
    await settled();
    expect(events).toEqual([]);
  });
});

describe('What is heard in a call', () => {
  it('is handed on in pieces of a second, and the rest when the turn or the track is over', () => {
    const { sound, hear, of } = call();
    hear('agent', silence(1_500));
    expect(of('sound')).toMatchObject([{ sender: 'agent', firstSample: 0, at: 0 }]);
    sound.turnOver(null);
    expect(of('sound').map(({ firstSample, samples }) => [firstSample, samples.length])).toEqual([
      [0, 16_000],
      [16_000, 8_000],
    ]);
    hear('agent', silence(100));
    sound.trackEnded('agent', 'voice');
    expect(of('sound').at(-1)).toMatchObject({ firstSample: 24_000, at: 1_500 });
    sound.turnOver(null);
    expect(of('sound')).toHaveLength(3);
  });

  it('is each sample as it came', () => {
    const { sound, hear, of } = call();
    const samples = silence(100).map((_, at) => at);
    hear('agent', samples);
    sound.turnOver(null);
    expect(of('sound').flatMap((event) => [...event.samples])).toEqual([...samples]);
  });

  it('is told of as a voice when one begins and when it has been silent for a pause, by participant', () => {
    const { sound, hear, of } = call();
    hear('agent', silence(400), 1_000);
    hear('visitor', silence(400), 1_000);
    hear('agent', voice(200), 1_000);
    expect(of('voice')).toEqual([{ type: 'voice', sender: 'agent', isSpeaking: true, at: 1_400 }]);
    hear('agent', silence(280), 1_000);
    expect(of('voice')).toHaveLength(1);
    hear('agent', silence(40), 1_000);
    expect(of('voice').slice(1)).toEqual([{ type: 'voice', sender: 'agent', isSpeaking: false, at: 1_600 }]);
    sound.turnOver(null);
    expect(new Set(of('sound').map(({ sender }) => sender))).toEqual(new Set(['agent', 'visitor']));
  });

  it('ends with its last track, in the middle of a word', () => {
    const { sound, hear, of } = call();
    hear('agent', silence(400));
    hear('agent', voice(100));
    sound.trackEnded('agent', 'another');
    expect(of('voice')).toHaveLength(1);
    sound.trackEnded('agent', 'voice');
    expect(of('voice').at(-1)).toMatchObject({ isSpeaking: false, at: 500 });
  });

  it('comes with what the way here did to it, and with no echo where nothing came back', () => {
    const { sound, of } = call();
    const quality = { bufferMs: 1, concealedMs: 2, insertedMs: 3 };
    sound.turnOver(quality);
    sound.turnOver(null);
    expect(of('turnSound')).toEqual([
      { type: 'turnSound', quality, echoes: [] },
      { type: 'turnSound', quality: null, echoes: [] },
    ]);
  });
});

describe('What is said into an answer', () => {
  const interjection = { utterance: 2, afterMs: 1, samples: new Int16Array(48), speakers: ['agent'] };

  /** The patient's turn has gone out, and the agent speaks. */
  async function answering() {
    const made = call();
    const now = machineMs();
    made.sound.say({ ...TURN, interjection });
    made.spoken[0]?.done({ ...SAID, from: now - 2_000, to: now - 1_000 });
    await settled();
    const speak = () => {
      made.hear('agent', silence(100), now - 500);
      made.hear('agent', voice(PIECE_MS * 10), now - 500);
    };
    return { ...made, speak };
  }

  it('is told of when it begins and when it has gone out', async () => {
    const { speak, spoken, of } = await answering();
    speak();
    await eventually(() => expect(of('interjecting')).toEqual([{ type: 'interjecting', utterance: 2 }]));
    expect(spoken[1]).toMatchObject({ samples: interjection.samples, keys: [] });
    spoken[1]?.done(SAID);
    await settled();
    expect(of('said').at(-1)).toMatchObject({ utterance: 2 });
  });

  it.each<[string, (sound: CallSound<string>) => void, boolean]>([
    ['dropped', (sound) => sound.dropInterjection(), false],
    ['held', (sound) => sound.holdInterjection(), false],
    ['another turn’s', (sound) => sound.say({ ...TURN, utterance: 3 }), false],
    [
      'held, and then goes on',
      (sound) => {
        sound.holdInterjection();
        sound.turnGoesOn();
      },
      true,
    ],
  ])('is said or not when it is %s', async (_, change, isSaid) => {
    const { sound, speak, of } = await answering();
    change(sound);
    speak();
    if (isSaid) await eventually(() => expect(of('interjecting')).toHaveLength(1));
    else await new Promise((resolve) => setTimeout(resolve, 60));
    expect(of('interjecting')).toHaveLength(isSaid ? 1 : 0);
  });
});
