import { sentencesOf } from '../../src/tester/sentences';
import { superlinearGrowth } from '../fuzz/growth';
import { HOSTILE_TEXTS } from '../fuzz/hostile-text';

/** Everything that reads text from outside, by the name of what it does. */
const READERS: readonly (readonly [string, (text: string) => unknown])[] = [['sentencesOf', sentencesOf]];

describe.each(READERS)('%s', (_name, read) => {
  it('takes time in proportion to the text, whatever it is', async () => {
    const faults: string[] = [];
    for (const [name, textOf] of HOSTILE_TEXTS) {
      const growth = await superlinearGrowth(read, textOf);
      if (growth !== null) faults.push(`${name}: ${growth}`);
    }
    expect(faults).toEqual([]);
  });
});
