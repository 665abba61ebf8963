import { silence } from '../../src/domain/sound';
import { resampled } from '../../src/domain/sound';
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

let ear: RecognisingEar;
let sounds: KnownSounds;
beforeAll(async () => {
  ear = await RecognisingEar.start();
  sounds = await KnownSounds.open('en-gb', 1.2);
  for (const words of SENTENCES) ear.learn(words, await sounds.of(words), 8_000);
});
afterAll(() => ear.close());

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
