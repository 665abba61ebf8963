import { arranged, nextOrder, readView, writeView, type Listed, type ListView } from '../../web/src/runs/list-order';
import { failedNeighbours } from '../../web/src/runs/failed-neighbours';
import { agentsWithTrends } from '../../web/src/trends/trends';
import { toneOf } from '../../web/src/parts/tone';

const row = (name: string, fields: Partial<Listed> = {}): Listed => ({
  name,
  status: 'passed',
  severity: null,
  category: null,
  turns: 6,
  score: null,
  latency: null,
  cost: null,
  note: null,
  ...fields,
});

const ALL: ListView = { status: null, text: '', order: null };
const namesOf = (rows: readonly Listed[]) => rows.map(({ name }) => name).join('');

describe('the list of scenario runs', () => {
  const rows = [
    row('a', { severity: 'low', latency: 30, score: 50 }),
    row('b', { latency: null, status: 'failed', note: 'must pass: Asks' }),
    row('c', { severity: 'critical', latency: 10, score: 50, status: 'error', category: 'mental health' }),
    row('d', { severity: 'unheard of', latency: 20, score: 0 }),
  ];

  test.each<[string, Partial<ListView>, string]>([
    ['is in the run’s order', {}, 'abcd'],
    ['has the gravest first; what has no severity is last', { order: { by: 'severity', isUp: false } }, 'cadb'],
    ['has no value last, whichever way', { order: { by: 'latency', isUp: true } }, 'cdab'],
    ['has no value last, whichever way', { order: { by: 'latency', isUp: false } }, 'adcb'],
    ['keeps the run’s order of what is equal', { order: { by: 'score', isUp: false } }, 'acdb'],
    ['has first what wants attention', { order: { by: 'status', isUp: true } }, 'bcad'],
    ['shows those of a status', { status: 'passed' }, 'ad'],
    ['finds every word, in notes and categories too', { text: 'ASKS must' }, 'b'],
    ['finds nothing', { text: 'mental asks' }, ''],
  ])('%s', (_what, view, names) => {
    expect(namesOf(arranged(rows, { ...ALL, ...view }))).toBe(names);
  });

  test('stands in the address as it is shown, and nonsense there is left out', () => {
    const view: ListView = { status: 'failed', text: 'chest pain', order: { by: 'latency', isUp: false } };
    const address = new URLSearchParams(writeView(view));
    expect(address.toString()).toBe('status=failed&q=chest+pain&sort=-latency');
    expect(readView(address)).toEqual(view);
    expect(readView(new URLSearchParams('status=nonsense&sort=--latency'))).toEqual(ALL);
    expect(writeView(ALL)).toEqual({});
  });

  test('a heading sorts one way, then the other, then not at all', () => {
    const first = nextOrder({ by: 'score', isUp: true }, 'severity');
    expect(first).toEqual({ by: 'severity', isUp: false });
    const second = nextOrder(first, 'severity');
    expect(second).toEqual({ by: 'severity', isUp: true });
    expect(nextOrder(second, 'severity')).toBeNull();
  });
});

test('the failed conversations beside one', () => {
  const list = ['failed', 'passed', 'failed', 'error', 'failed'].map((status, place) => ({ id: `${place}`, status }));
  const idsBeside = (id: string | null) => {
    const { previous, next } = failedNeighbours(list, id);
    return [previous?.id, next?.id];
  };
  expect(idsBeside(null)).toEqual([undefined, '0']);
  expect(idsBeside('1')).toEqual(['0', '2']);
  expect(idsBeside('2')).toEqual(['0', '4']);
  expect(idsBeside('4')).toEqual(['2', undefined]);
  expect(idsBeside('of another run')).toEqual([undefined, undefined]);
});

test('an agent has a trend from its second completed run on, the one that was examined last first', () => {
  const run = (id: string, agent: string, day: number, status = 'completed') => ({
    id,
    agent_id: agent,
    status,
    created_at: `2026-11-${day}T10:00:00.000Z`,
  });
  const runs = [
    run('1', 'a', 11),
    run('2', 'b', 12),
    run('3', 'a', 13),
    run('4', 'a', 14, 'canceled'),
    run('5', 'c', 15),
  ];
  expect(agentsWithTrends([...runs, run('6', 'b', 16)])).toEqual([
    { agent_id: 'b', newest: '6' },
    // A canceled run changes its history too.
    { agent_id: 'a', newest: '4' },
  ]);
});

test.each([
  ['nothing passed', { rate: 0, passThreshold: 0 }, 'bad'],
  ['below the threshold', { rate: 49.9 }, 'bad'],
  ['above it', { rate: 50 }, 'good'],
  ['95 % with what must pass missed', { rate: 95, mustPassViolated: 1 }, 'warn'],
  ['worse than the baseline, however high', { rate: 99, againstBaseline: 'worse' as const }, 'bad'],
  ['better than the baseline, but low', { rate: 20, againstBaseline: 'better' as const }, 'bad'],
  ['no result', { rate: null }, 'neutral'],
])('a rate looks as it should: %s', (_what, given, tone) => {
  expect(toneOf({ passThreshold: 50, mustPassViolated: 0, ...given })).toBe(tone);
});
