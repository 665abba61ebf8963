import { examinerNames } from '../../web/src/runs/examiner-names';

describe('who took part in a run', () => {
  const examiner = (name: string, model: string | null = null) => ({ name, model, prompt_version: null });
  const named = { tester: examiner('offline'), judge: examiner('anthropic', 'examiner-1') };

  it('is said by the first scenario run that names both', () => {
    const later = { tester: examiner('later'), judge: examiner('later') };
    const scenarioRuns = [{ metadata: {} }, { metadata: named }, { metadata: later }];
    expect(examinerNames(scenarioRuns)).toBe('offline and anthropic examiner-1');
    expect(examinerNames([{ metadata: later }])).toBe('later and later');
  });

  it.each([
    ['nobody', {}],
    ['the patient alone', { tester: named.tester }],
  ])('is not known when %s is named', (_what, metadata) => {
    expect(examinerNames([{ metadata }])).toBeNull();
  });
});
