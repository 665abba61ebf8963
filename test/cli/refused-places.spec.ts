import { isRefused } from '../../cli/import/entry';
import { readOsceLine } from '../../cli/import/osce-format';

describe('what is wrong with a scenario', () => {
  it('is looked up in its file for the first problems only, however many there are, and the others are counted', () => {
    const wrong = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`field${at}`, 1]));
    const value = {
      name: 'Foo',
      content: { chief_complaint: 'My chest hurts.', script: 'You have chest pain.' },
      rubric_criteria: [{ criterion: 'Tells the patient to rest', points: 5, ...wrong }],
    };
    let lookups = 0;
    const whereIs = (path: readonly PropertyKey[]) => {
      lookups += 1;
      return `foo.yaml:${String(path.at(-1))}`;
    };
    const read = readOsceLine(value, { where: 'foo.yaml', whereIs }, { category: null, tags: [] });
    expect(lookups).toBeLessThanOrEqual(20);
    if (!isRefused(read)) throw new Error('It is read.');
    expect(read.problems[0]).toEqual({
      where: 'foo.yaml:field0',
      problem: 'rubric_criteria[0].field0: no such field',
    });
    expect(read.problems.at(-1)).toEqual({ where: 'foo.yaml', problem: 'and 9980 more problems' });
  });
});
