import { AGENT_READERS } from '../fuzz/agent-readers';
import { EXAMINER_READERS } from '../fuzz/examiner-readers';
import { superlinearGrowth, type Sizes } from '../fuzz/growth';
import { FLOODS, HOSTILE_TEXTS } from '../fuzz/hostile-text';
import { SERVICE_READERS } from '../fuzz/service-readers';
import { someOf } from '../setup/sample';

/** A rule that takes a nanosecond for each pair of characters takes a quarter of a second for the longer ones. */
const SIZES: Sizes = [4_096, 16_384];
/** For what is quick at that: one that copies or compares whole texts again and again. */
const FLOOD_SIZES: Sizes = [65_536, 262_144];
/** Of some two hundred and of five, for each of a hundred readers, where not all are tried. */
const SOME_TEXTS = 8;
const SOME_FLOODS = 1;

describe.each([
  ['Tester, judge and generator', EXAMINER_READERS],
  ['Providers', AGENT_READERS],
  ['Exports, events, storage and the command', SERVICE_READERS],
])('%s', (_, readers) => {
  it.each(readers)(
    '%s takes time in proportion to the text, whatever it is',
    async (reader, read) => {
      const faults: string[] = [];
      for (const [texts, sizes] of [
        [someOf(HOSTILE_TEXTS, SOME_TEXTS, reader), SIZES] as const,
        [someOf(FLOODS, SOME_FLOODS, `floods: ${reader}`), FLOOD_SIZES] as const,
      ]) {
        for (const [name, textOf] of texts) {
          const growth = await superlinearGrowth(read, textOf, sizes);
          if (growth !== null) faults.push(`${name}: ${growth}`);
        }
        // A flood would keep this process for minutes, and its watchdog would end it without a word of what was found.
        if (faults.length > 0) break;
      }
      expect(faults).toEqual([]);
    },
    300_000,
  );
});

it('a reader that looks at each pair of characters is noticed', async () => {
  const readPairs = (text: string): number => {
    let sum = 0;
    for (let one = 0; one < text.length; one += 1) {
      for (let other = 0; other < text.length; other += 1) sum ^= text.charCodeAt(other);
    }
    return sum;
  };
  // Once is enough: it takes as long each time.
  expect(await superlinearGrowth(readPairs, (length) => 'a'.repeat(length), SIZES, 1)).toMatch(/took .* took/);
}, 300_000);
