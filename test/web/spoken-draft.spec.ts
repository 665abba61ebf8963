import { IN_TEXT, obstacleToVoice, spokenDraftOf, spokenFields } from '../../web/src/start/spoken-draft';

const spoken = { voice: 'nova', rate: 1.5, line: 'phone', noise: 'hum:20', sounds: ['pauses'], seed: 0 } as const;

test('a spoken run is sent with what was chosen', () => {
  const draft = { ...IN_TEXT, isSpoken: true, voice: ' nova ', rate: '1.5', line: 'phone', noise: 'hum:20' } as const;
  expect(spokenFields({ ...draft, sounds: ['pauses'], spokenSeed: '0' })).toEqual({ modality: 'spoken', spoken });
});

test('what is left open is left to the service, and a run in text says nothing of a voice', () => {
  expect(spokenFields({ ...IN_TEXT, isSpoken: true })).toEqual({ modality: 'spoken', spoken: { line: 'wideband' } });
  expect(spokenFields({ ...IN_TEXT, line: 'phone', noise: 'hum:20' })).toEqual({});
});

test.each([
  [{ modality: 'spoken' as const, spoken: { ...spoken, sounds: [...spoken.sounds] } }],
  [{ modality: 'spoken' as const, spoken: { line: 'wideband' as const } }],
  [{}],
])('a stored run comes back from the form as it was: %j', (run) => {
  expect(spokenFields(spokenDraftOf(run))).toEqual(run);
});

test('an agent that cannot be spoken with is named', () => {
  const agents = [
    { name: 'phone', provider: 'livekit', config: {} },
    { name: 'chat', provider: 'openai', config: {} },
  ];
  expect(obstacleToVoice({ ...IN_TEXT, isSpoken: true }, agents)).toBe(
    'chat cannot be examined by voice: choose another agent, or do not examine by voice.',
  );
  expect(obstacleToVoice({ ...IN_TEXT, isSpoken: true }, agents.slice(0, 1))).toBeNull();
  expect(obstacleToVoice(IN_TEXT, agents)).toBeNull();
});

test.each([
  ['media-stream', {}],
  ['livekit', { phone_number: '+15550100' }],
])('an agent of %s that takes telephone calls is examined by voice only', (provider, config) => {
  const agents = [{ name: 'phone', provider, config }];
  expect(obstacleToVoice(IN_TEXT, agents)).toBe('phone can only be spoken with: examine by voice.');
  expect(obstacleToVoice({ ...IN_TEXT, isSpoken: true }, agents)).toBeNull();
});
