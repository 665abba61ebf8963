import { canSpeak, isOnTelephone, isVoiceOnly, PROVIDER_KINDS } from '../../src/domain/provider-kinds';

test('agents of three kinds can speak, and those behind a media stream cannot do anything else', () => {
  expect(PROVIDER_KINDS.filter(canSpeak)).toEqual(['livekit', 'pipecat', 'media-stream']);
  expect(PROVIDER_KINDS.filter((kind) => isVoiceOnly(kind))).toEqual(['media-stream']);
  expect([canSpeak('later'), isVoiceOnly('later')]).toEqual([false, false]);
});

test.each([
  ['livekit', { phone_number: '+441' }, true],
  ['livekit', { phoneNumber: '+441' }, true],
  ['livekit', { phone_number: '' }, false],
  ['livekit', { phone_number: null }, false],
  ['livekit', {}, false],
  ['pipecat', { phone_number: '+441' }, false],
])('whether a %s agent with %j is rung, and only speaks: %s', (kind, config, isRung) => {
  expect(isOnTelephone(kind, config)).toBe(isRung);
  expect(isVoiceOnly(kind, config)).toBe(isRung);
});
