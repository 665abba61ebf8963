import fc from 'fast-check';
import { PositionSet } from '../../machines/position-set';

describe('a set of positions', () => {
  it('holds what was put into it and leaves the set it was made from as it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.array(fc.nat(199)), (size, wanted) => {
        const positions = wanted.filter((position) => position < size);
        let set = PositionSet.over(size);
        const expected = new Set<number>();
        for (const position of positions) {
          const before = set;
          const had = before.has(position);
          set = set.with(position);
          expect(before.has(position)).toBe(had);
          expected.add(position);
        }
        for (let position = 0; position < size; position += 1) expect(set.has(position)).toBe(expected.has(position));
      }),
    );
  });
});
