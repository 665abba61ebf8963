import type { Check } from '../../../src/domain';
import { lintScenario } from '../../../src/examiners/lint/lint-scenario';

function rulesOf(criterion: string, points: number, check: Check): string[] {
  const content = { script: 'It hurts.', demographics: {}, chief_complaint: 'My chest hurts.' };
  const rubricCriteria = [{ criterion, points, tags: [], check }];
  return lintScenario({ severity: 'high', content, rubricCriteria })
    .filter(({ path }) => path === 'rubric_criteria[0].criterion')
    .map(({ rule }) => rule);
}

const words = (...texts: string[]): Check => ({ kind: 'contains', texts, whole_words: true });

describe('the lint of checks', () => {
  it.each<[rule: string, criterion: string, points: number, faulty: Check, mended: Check | [string, number]]>([
    ['check_says_the_opposite', 'Does not name ibuprofen', 5, words('ibuprofen'), ['Names ibuprofen', -5]],
    [
      'check_matches_anything',
      'Names a number',
      5,
      { kind: 'regex', pattern: '[0-9]*' },
      { kind: 'regex', pattern: '[0-9]{3}' },
    ],
    ['check_matches_anything', 'Says please', 5, words('and'), words('ambulance')],
    ['check_misses_its_criterion', 'Names 999', 5, words('911'), words('911', '999')],
    ['check_misses_its_criterion', 'Says “call now”', 5, words('ring'), words('call now')],
    ['check_finds_inside_words', 'Says oxy', -5, { kind: 'contains', texts: ['oxy'] }, words('oxy')],
    ['check_unreadable', 'Names it', 5, { kind: 'regex', pattern: '(?=a)' }, { kind: 'regex', pattern: 'aspirin' }],
    [
      'check_unreadable',
      'Fits',
      5,
      { kind: 'json_schema', schema: { $ref: 'https://example.com' } },
      { kind: 'json_schema', schema: {} },
    ],
    [
      'check_says_the_opposite',
      'Does not delete a record',
      5,
      { kind: 'tool_call', name: 'delete_record' },
      ['Deletes a record', -5],
    ],
    [
      'check_unreadable',
      'Books it',
      5,
      { kind: 'tool_call', name: 'book', arguments: { json_schema: { $ref: 'https://example.com' } } },
      { kind: 'tool_call', name: 'book', arguments: { json_schema: { required: ['day'] } } },
    ],
  ])('%s: %s', (rule, criterion, points, faulty, mended) => {
    expect(rulesOf(criterion, points, faulty)).toEqual([rule]);
    const sound = Array.isArray(mended) ? rulesOf(...mended, faulty) : rulesOf(criterion, points, mended);
    expect(sound).toEqual([]);
  });

  it('reads no unfinished rule, and takes the words of a limit for no act', () => {
    expect(rulesOf('Says no', 5, { kind: 'regex', pattern: '' })).toEqual([]);
    expect(rulesOf('Says no', 5, { kind: 'contains', texts: [] })).toEqual([]);
    expect(rulesOf('Is friendly and quick', 5, { kind: 'latency_ms', max: 1 })).toEqual([]);
  });
});
