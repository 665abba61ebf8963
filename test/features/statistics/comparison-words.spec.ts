import type { QuestionTest } from '../../../contract/comparison';
import {
  counted,
  criteriaSentence,
  fine,
  intervalText,
  movementOf,
  number,
  pointsText,
  pText,
} from '../../../src/features/statistics/comparison-words';
import { fallenQuestion } from '../../setup/fallen-question';

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

describe('how far a comparison says that something moved', () => {
  it.each<[QuestionTest['on'], Partial<QuestionTest>, string]>([
    ['passed', {}, 'the pass rate fell by 10 points, from 80 to 70 %'],
    ['score', { before: 70, after: 71, difference: 1 }, 'the mean score rose by 1 point, from 70 to 71 %'],
    ['passed', { difference: -0.05 }, 'the pass rate fell by 0.1 points, from 80 to 70 %'],
    ['score', { after: 80, difference: 0.04 }, 'the mean score was 80 % before and 80 % after'],
    ['passed', { before: 0, after: 0, difference: 0 }, 'the pass rate was 0 % before and could not fall'],
    ['passed', { before: 0.01, after: 0, difference: -0.01 }, 'the pass rate was 0 % before and 0 % after'],
    ['passed', { before: 0, after: 0.01, difference: 0.01 }, 'the pass rate was 0 % before and 0 % after'],
    ['score', { before: null, after: null, difference: null }, 'the mean score was 0 % before and could not fall'],
    [
      'must_pass',
      { before: 0.5, after: 1, difference: -0.5 },
      'must-pass violations rose by 0.5 per conversation, from 0.5 to 1',
    ],
    [
      'must_pass',
      { before: 1, after: 0.5, difference: 0.5 },
      'must-pass violations fell by 0.5 per conversation, from 1 to 0.5',
    ],
    [
      'must_pass',
      { before: 1, after: 0.99, difference: 0.005 },
      'must-pass violations fell by 0.01 per conversation, from 1 to 0.99',
    ],
    ['must_pass', { before: 1, after: 1, difference: 0.004 }, 'must-pass violations were 1 per conversation in both'],
  ])('%s: %j', (on, changes, words) => {
    expect(movementOf(fallenQuestion(on, changes))).toBe(words);
  });

  it('has the interval in the direction of the words, of violations with two decimals', () => {
    expect(intervalText(fallenQuestion('passed', { low: -15.25, high: 5 }), 95)).toBe('95 % interval −15.2 to 5');
    expect(intervalText(fallenQuestion('must_pass', { low: -0.25, high: 0.125 }), 99.5)).toBe(
      '99.5 % interval −0.12 to 0.25',
    );
    expect(intervalText(fallenQuestion('must_pass', { low: null, high: null }), 95)).toBe('95 % interval 0 to 0');
    expect(intervalText(fallenQuestion('score', { low: null, high: null }), 95)).toBe('95 % interval 0 to 0');
  });

  it('has numbers of few decimals, p-values of two digits, and nouns that agree', () => {
    expect([number(-0.04), number(12.345), fine(-0.126), fine(2)]).toEqual(['0', '12.3', '−0.13', '2']);
    expect([pText(0.00009), pText(0.0001), pText(0.01234), pText(1)]).toEqual([
      'less than 0.0001',
      '0.0001',
      '0.012',
      '1',
    ]);
    expect([pointsText(1.04), pointsText(1.1), pointsText(-1)]).toEqual(['1 point', '1.1 points', '−1 points']);
    expect([counted(1, 'pair'), counted(1_200, 'pair'), counted(2, 'criterion', 'criteria')]).toEqual([
      '1 pair',
      '1,200 pairs',
      '2 criteria',
    ]);
  });

  it('names two kinds with “and” alone', () => {
    const groups = [group('history', -20, 0.01), group('safety', -9, 0.02)];
    expect(criteriaSentence(found({ groups }))).toContain('history and safety were met less well by more');
  });
});
