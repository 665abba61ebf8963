import { foreignEmergencyNumbers, localised, REGIONS, servicesIn, type Region } from '../../src/domain/region';

test.each<[Region, string, string[]]>([
  ['US', '911', ['999', '112', '000']],
  ['UK', '999', ['911', '000']],
  ['EU', '112', ['911', '999', '000']],
  ['AU', '000', ['911', '999']],
])(
  'in %s emergency services are called at %s; numbers of other regions do not reach them',
  (region, usual, foreign) => {
    expect(servicesIn(region).emergencyNumbers[0]).toBe(usual);
    expect(foreignEmergencyNumbers(region)).toEqual(foreign);
  },
);

test('placeholders are filled in by region', () => {
  const text = 'Call {emergency_number}; or {crisis_line}, {poison_line}, {health_line}.';
  expect(REGIONS.map((region) => localised(text, region))).toEqual([
    'Call 911; or 988, 1-800-222-1222, the nurse line of your clinic or insurer.',
    'Call 999; or 116 123, 111, 111.',
    'Call 112; or 116 123, 112, 116 117.',
    'Call 000; or 13 11 14, 13 11 26, 1800 022 222.',
  ]);
});

test('each is filled in as often as it stands there, and what is no placeholder stays', () => {
  expect(localised('{emergency_number}, I said {emergency_number}.', 'UK')).toBe('999, I said 999.');
  for (const text of ['', '{name}', '{Emergency_Number}', '{ emergency_number }', 'emergency_number', '{{}}', '$&']) {
    expect(localised(text, 'UK')).toBe(text);
  }
});
