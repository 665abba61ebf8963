import { HeardCalls, MOST_CALLS } from '../../src/agents/heard-acts';

// In a file of its own: instrumented code, as `npm run mutation` makes it, needs more processor time than that.
it('Tool calls of an answer are no more than are kept, however many there are, and in time that grows with their number', () => {
  const calls = new HeardCalls();
  const begins = process.cpuUsage().user;
  calls.hear(Array.from({ length: 20_000 }, (_, index) => ({ index, id: `${index}`, name: 'a', arguments: 'x' })));
  calls.hear(Array.from({ length: 200_000 }, () => ({ index: 0, function: { arguments: 'x' } })));
  expect(process.cpuUsage().user - begins).toBeLessThan(5_000_000);
  expect(calls.list).toHaveLength(MOST_CALLS);
  expect(calls.list[0]?.arguments).toHaveLength(200_001);
  expect(calls.isCut).toBe(true);
});
