import { AGENT_READERS } from '../fuzz/agent-readers';
import { EXAMINER_READERS } from '../fuzz/examiner-readers';
import { superlinearGrowth } from '../fuzz/growth';
import { FLOODS, HOSTILE_TEXTS } from '../fuzz/hostile-text';
import { SERVICE_READERS } from '../fuzz/service-readers';

/** Characters. The last is the most that one reply or one request may hold. */
const SIZES = [8_192, 32_768];
const FLOOD_SIZES = [262_144, 1_048_576];

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
