import { addressOf, choiceOf, filterOf } from '../../web/src/runs/run-filter';

const asked = (search: string) => filterOf(choiceOf(new URLSearchParams(search)));

describe('the filters of an address', () => {
  it('are days of the reader’s zone, the last one whole', () => {
    expect(asked('from=2026-11-27&to=2026-11-30')).toEqual({
      from: new Date(2026, 10, 27).toISOString(),
      to: new Date(2026, 11, 1).toISOString(),
    });
  });

  it.each(['2026-02-30', '2026-13-01', 'yesterday', '2026-11', '27.11.2026', ' '])(
    'leave out %j, which is no day',
    (day) => {
      expect(asked(`from=${encodeURIComponent(day)}&agent_version=1.2`)).toEqual({ agent_version: '1.2' });
    },
  );

  it('are those that the list has: an unknown status and what is empty is left out, what is too long is cut', () => {
    expect(asked('status=lost&q=&page=3&tag=gate')).toEqual({ tag: 'gate' });
    expect(asked(`status=failed&q=${'x'.repeat(300)}`)).toEqual({ status: 'failed', q: 'x'.repeat(200) });
  });

  it('are written as they were read, without those that were dropped', () => {
    const choice = choiceOf(new URLSearchParams('status=failed&test_suite_id=s&from=2026-11-27'));
    expect(addressOf(choice)).toEqual({ status: 'failed', test_suite_id: 's', from: '2026-11-27' });
    expect(addressOf({ ...choice, status: undefined, from: '' })).toEqual({ test_suite_id: 's' });
  });
});
