import { kindInWords, twinsInOrder, wayInWords, type SpokenOptions } from '../../src/domain';

const held = (spoken: Partial<SpokenOptions> | null, day = 1) => ({
  spoken: spoken === null ? null : { line: 'wideband' as const, noise: null, sounds: [], ...spoken },
  created_at: `2026-01-0${day}T00:00:00.000Z`,
});

test('twins stand from text to the worst line, and of the same way the oldest first', () => {
  const family = [
    { ...held(null), spoken: { line: 'satellite', noise: null, sounds: [] } },
    held({ line: 'mobile_bad' }),
    held({ line: 'phone', noise: 'babble:10' }),
    held({ sounds: ['coughs', 'pauses'] }),
    held({ line: 'phone' }, 2),
    held({ line: 'phone' }),
    held({}),
    held(null),
  ];
  expect(
    twinsInOrder(family).map(({ spoken, created_at }) => `${wayInWords(spoken)}, ${created_at.slice(8, 10)}`),
  ).toEqual([
    'in text, 01',
    'spoken over wideband, 01',
    'spoken over wideband with coughs, pauses, 01',
    'spoken over phone, 01',
    'spoken over phone, 02',
    'spoken over phone with babble:10, 01',
    'spoken over mobile_bad, 01',
    'spoken over satellite, 01',
  ]);
});

test('kinds of criteria are named alike wherever they are shown', () => {
  const kinds = [
    { by: 'must_pass', group: 'must_pass' },
    { by: 'must_pass', group: 'others' },
    { by: 'severity', group: 'critical' },
    { by: 'severity', group: null },
  ];
  expect(kinds.map(kindInWords)).toEqual([
    'must-pass criteria',
    'criteria that are not must-pass',
    'criteria of critical scenarios',
    'criteria of scenarios that no longer exist',
  ]);
});
