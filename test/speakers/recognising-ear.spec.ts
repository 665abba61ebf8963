import { LineHearing } from '../../src/agents/media-stream/line-sound';
import { PlayOut } from '../../src/agents/media-stream/play-out';
import { encodeMuLaw, resampled, silence } from '../../src/domain/sound';
import { KnownSounds } from './known-sounds';
import { RecognisingEar } from './recognising-ear';

/** The ear of the known agents tells what is in a sound, and only that. */
const SENTENCES = [
  'Please call emergency services now.',
  'Please do not drive yourself.',
  'Do you take any other medicines?',
  'You take 15 milligrams of warfarin.',
  'You take 50 milligrams of warfarin.',
];

const ear = new RecognisingEar();
let sounds: KnownSounds;
beforeAll(async () => {
  sounds = await KnownSounds.open('en-gb', 1.2);
  for (const words of SENTENCES) ear.learn(words, await sounds.of(words), 8_000);
});

async function heard(...parts: readonly (string | Int16Array)[]): Promise<string> {
  const all: number[] = [...silence(213, 8_000).samples];
  for (const part of parts)
    all.push(...(typeof part === 'string' ? await sounds.of(part) : part), ...silence(207, 8_000).samples);
  return ear.hear(resampled({ samples: Int16Array.from(all), rate: 8_000 }, 16_000));
}

const [CALL = '', DRIVE = '', OTHERS = '', FIFTEEN = '', FIFTY = ''] = SENTENCES;

it('hears each sentence that it knows, and the sentences after it', async () => {
  for (const words of SENTENCES) expect(await heard(words)).toBe(words);
  expect(await heard(CALL, FIFTEEN, OTHERS)).toBe(`${CALL} ${FIFTEEN} ${OTHERS}`);
  expect(await heard(FIFTY, DRIVE)).toBe(`${FIFTY} ${DRIVE}`);
});

it('hears of a sentence that breaks off the words up to there, and goes on after it', async () => {
  const whole = await sounds.of(CALL);
  const part = await heard(whole.subarray(0, Math.round(whole.length * 0.6)), DRIVE);
  expect(part).toMatch(/^Please call (?:emergency )?Please do not drive yourself\.$/);
});

it('does not hear what it does not know', async () => {
  const other = await KnownSounds.open('en-us', 1);
  expect(await heard(await other.of('The weather was fine in the north of the island.'))).toBe('');
  expect(ear.hear(silence(2_000, 16_000))).toBe('');
});

it('hears what a line has played out, up to where it was cleared', async () => {
  const [playOut, hearing] = [new PlayOut(0), new LineHearing()];
  const call = await sounds.of(CALL);
  playOut.add(encodeMuLaw(call), 313.7);
  playOut.add(encodeMuLaw(silence(200, 8_000).samples), 313.7);
  playOut.add(encodeMuLaw(await sounds.of(FIFTEEN)), 313.7);
  const heard: number[] = [];
  const clearedAt = 313.7 + call.length / 8 + 200 + 900;
  for (let now = 20; now < 6_000; now += 20) {
    if (now >= clearedAt && now < clearedAt + 20) expect(playOut.clear(now).hadWords).toBe(true);
    heard.push(...hearing.push(playOut.takeUntil(now).samples).samples);
  }
  expect(ear.hear({ samples: Int16Array.from(heard), rate: 16_000 })).toMatch(
    /^Please call emergency services now\. You take(?: 15)?(?: milligrams)?$/,
  );
});
