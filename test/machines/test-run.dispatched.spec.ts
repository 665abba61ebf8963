import { PositionSet } from '../../machines/position-set';
import { listDispatched } from '../../machines/test-run.machine';

test('what is dispatched is what comes before the next one and has not settled', () => {
  const unsettled = ['a', 'b', 'c', 'd'];
  const settled = PositionSet.over(unsettled.length).with(1);
  expect(listDispatched({ unsettled, settled, next: 3 })).toEqual(['a', 'c']);
  expect(listDispatched({ unsettled, settled, next: 0 })).toEqual([]);
});
