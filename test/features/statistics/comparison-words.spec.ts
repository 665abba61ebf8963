import { criteriaSentence } from '../../../src/features/statistics/comparison-words';

type Found = Parameters<typeof criteriaSentence>[0];

const group = (name: string | null, difference: number, adjusted_p_value: number | null): Found['groups'][number] => ({
  group: name,
  criteria: 3,
  scenarios: 9,
  before: 50,
  after: 50 + difference,
  difference,
  low: difference - 5,
  high: difference + 5,
  method: 'paired_bootstrap',
  p_value: 0.01,
  adjusted_p_value,
});

const found = (changes: Partial<Found>): Found => ({
  tested: 12,
  moved: 4,
  shown: 0,
  could_show: true,
  groups: [],
  level: 0.05,
  ...changes,
});

describe('what a comparison says of criteria', () => {
  it('names no kind that was not asked about, and counts those that were', () => {
    const groups = [group('history', -20, null), group('safety', -20, 0.2), group('advice', 20, 0.9)];
    expect(criteriaSentence(found({ groups }))).toBe(
      '4 of 12 criteria were met better or worse than before. Compared one by one, none of them changed by more than chance may account for among so many. ' +
        'Of 2 kinds of criteria none shows a change that chance does not explain.',
    );
    expect(criteriaSentence(found({ groups: [group('history', -20, null)] }))).not.toContain('kind');
  });

  it('lists the kinds that changed, those of no kind too, with “and” before the last', () => {
    const groups = [
      group('history', -20, 0.01),
      group('safety', -9, 0.02),
      group(null, -8, 0.049),
      group('advice', 20, 0.03),
    ];
    expect(criteriaSentence(found({ groups }))).toContain(
      'Of the criteria by kind, history, safety and those of no kind were met less well; advice were met better by more than chance explains.',
    );
  });

  it('takes a p-value at the level itself for chance', () => {
    expect(criteriaSentence(found({ groups: [group('history', -20, 0.05)] }))).toContain('Of 1 kind of criteria none');
  });

  it('says how many changed one by one, what could show nothing, and that nothing was compared', () => {
    expect(criteriaSentence(found({ shown: 2 }))).toContain('2 of them changed by more than chance');
    expect(criteriaSentence(found({ could_show: false }))).toContain('none of them could be shown to have changed');
    expect(criteriaSentence(found({ moved: 1, tested: 1 }))).toMatch(/^1 of 1 criterion was met better or worse/);
    expect(criteriaSentence(found({ moved: 0 }))).toBe('0 of 12 criteria were met better or worse than before.');
    expect(criteriaSentence(found({ tested: 0 }))).toBe('No criterion was compared.');
  });
});
