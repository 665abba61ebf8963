import { AGENT_READERS } from '../fuzz/agent-readers';
import { EXAMINER_READERS } from '../fuzz/examiner-readers';
import { superlinearGrowth, type Sizes } from '../fuzz/growth';
import { FLOODS, HOSTILE_TEXTS } from '../fuzz/hostile-text';
import { SERVICE_READERS } from '../fuzz/service-readers';

/** A rule that takes a nanosecond for each pair of characters takes a quarter of a second for the longer ones. */
const SIZES: Sizes = [4_096, 16_384];
/** For what is quick at that: one that copies or compares whole texts again and again. */
const FLOOD_SIZES: Sizes = [65_536, 262_144];

describe.each([
  ['Tester, judge and generator', EXAMINER_READERS],
  ['Providers', AGENT_READERS],
  ['Exports, events, storage and the command', SERVICE_READERS],
])('%s', (_, readers) => {
  it.each(readers)(
    '%s takes time in proportion to the text, whatever it is',
    async (_name, read) => {
      const faults: string[] = [];
      for (const [texts, sizes] of [[HOSTILE_TEXTS, SIZES] as const, [FLOODS, FLOOD_SIZES] as const]) {
        for (const [name, textOf] of texts) {
          const growth = await superlinearGrowth(read, textOf, sizes);
          if (growth !== null) faults.push(`${name}: ${growth}`);
        }
      }
      expect(faults).toEqual([]);
    },
    300_000,
  );
});
