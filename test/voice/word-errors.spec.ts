import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { wordErrorRate, wordErrors } from '../../src/engine/audio';
import { integerAt } from '../../src/engine/audio/seeded-values';
import { requireVoicePeers, PYTHON } from '../setup/voice-peers';

const ROOT = join(__dirname, '..', '..');
const PAIRS = 1_000;
const WORDS = 'i take fifteen fifty milligrams of warfarin at night and my chest hurts'.split(' ');

const answer = z.array(z.object({ substitutions: z.int(), deletions: z.int(), insertions: z.int(), rate: z.number() }));

beforeAll(requireVoicePeers);

/** A text of some words, and the same with words left out, added and replaced. */
function pairOf(seed: number): readonly [said: string, heard: string] {
  const word = (place: number) => WORDS[integerAt(seed, place, WORDS.length)] ?? '';
  const said = Array.from({ length: 1 + integerAt(seed, 0, 40) }, (_, at) => word(100 + at));
  const heard = said.flatMap((own, at) => {
    const change = integerAt(seed, 1_000 + at, 8);
    if (change === 0) return [];
    if (change === 1) return [word(2_000 + at)];
    return change === 2 ? [own, word(3_000 + at)] : [own];
  });
  return [said.join(' '), heard.join(' ')];
}

it('1,000 pairs have the word errors that jiwer counts', () => {
  const pairs = Array.from({ length: PAIRS }, (_, seed) => pairOf(seed));
  const output = execFileSync(PYTHON, [join(ROOT, 'test', 'peers', 'word_errors.py')], {
    input: JSON.stringify(pairs),
    env: { ...process.env, NODE_OPTIONS: '', PYTHONDONTWRITEBYTECODE: '1' },
    encoding: 'utf8',
    timeout: 120_000,
  });
  const counted = answer.parse(JSON.parse(output));
  expect(counted).toHaveLength(PAIRS);
  const words = (text: string) => text.split(' ').filter((word) => word !== '');
  let withErrors = 0;
  for (const [at, [said, heard]] of pairs.entries()) {
    const own = wordErrors(words(said), words(heard));
    const theirs = counted[at];
    // Where two ways are equally short, each takes its own: a substitution, or a deletion and an insertion elsewhere.
    expect(own.substitutions + own.deletions + own.insertions).toBe(
      (theirs?.substitutions ?? 0) + (theirs?.deletions ?? 0) + (theirs?.insertions ?? 0),
    );
    expect(own.deletions - own.insertions).toBe((theirs?.deletions ?? 0) - (theirs?.insertions ?? 0));
    expect(wordErrorRate([own])).toBeCloseTo(theirs?.rate ?? -1, 12);
    if (own.substitutions + own.deletions + own.insertions > 0) withErrors += 1;
  }
  expect(withErrors).toBeGreaterThan(PAIRS / 2);
});
