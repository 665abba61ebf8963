import { examinerNames } from '../../web/src/runs/examiner-names';

describe('who took part in a run', () => {
  const named = { tester: { name: 'offline', model: null }, judge: { name: 'anthropic', model: 'examiner-1' } };

  it('is said by the first scenario run that names both', () => {
    const later = { tester: { name: 'later' }, judge: { name: 'later' } };
    const scenarioRuns = [{ metadata: {} }, { metadata: named }, { metadata: later }];
    expect(examinerNames(scenarioRuns)).toBe('offline and anthropic examiner-1');
    expect(examinerNames([{ metadata: later }])).toBe('later and later');
  });

  it.each([
    ['nobody', {}],
    ['the patient alone', { tester: named.tester }],
    ['nothing', { ...named, judge: null }],
    ['a text', { ...named, judge: 'anthropic' }],
    ['no name', { ...named, judge: { model: 'examiner-1' } }],
    ['a name that is no text', { ...named, judge: { name: 1 } }],
  ])('is not known when %s is named', (_what, metadata) => {
    expect(examinerNames([{ metadata }])).toBeNull();
  });
});
