import { callTime, canSpeak, estimatedMinutes, PROVIDER_KINDS, readNoise, soundInWords } from '../../src/domain';
import { InProcessRequestBudget } from '../../src/agents/outbound/in-process.request-budget';
import { ProviderRegistry } from '../../src/agents/registry';
import { spokenRun } from '../setup/spoken-run';

test.each([
  ['babble:10', { kind: 'babble', snrDb: 10 }],
  ['pink:0', { kind: 'pink', snrDb: 0 }],
  ['hum:40', { kind: 'hum', snrDb: 40 }],
  ['hum:41', null],
  ['babble:-1', null],
  ['babble:1.5', null],
  ['babble: 1', null],
  ['babble:100', null],
  ['Babble:10', null],
  ['rain:10', null],
  ['constructor:10', null],
  ['babble', null],
  [':10', null],
  ['', null],
])('noise is a kind and a level: %j', (text, noise) => {
  expect(readNoise(text)).toEqual(noise);
});

test('a sound in words names what was asked for, and the seed where it decides anything', () => {
  expect(soundInWords(spokenRun())).toBe('espeak-ng 1.51 en-us over wideband without a transcriber');
  expect(soundInWords(spokenRun({ line: 'mobile_bad', seed: 5 }))).toContain('over mobile_bad of seed 5');
  expect(soundInWords(spokenRun({ noise: 'hum:20', seed: 6 }))).toContain('with hum:20 of seed 6');
  expect(soundInWords(spokenRun({ sounds: ['pauses'], seed: 7 }))).toContain('with pauses of seed 7');
  expect(
    soundInWords(
      spokenRun({
        rate: 1.5,
        noise: 'hum:20',
        sounds: ['pauses', 'coughs'],
        seed: 8,
        ear: { engine: 'e', model: 'm' },
      }),
    ),
  ).toBe(
    'espeak-ng 1.51 en-us at 1.5 times its rate over wideband with hum:20 with pauses, coughs of seed 8 heard by e m',
  );
});

test('minutes are estimated by turns, and rounded up', () => {
  expect([estimatedMinutes(1, 5), estimatedMinutes(40, 6), estimatedMinutes(0, 6)]).toEqual([3, 120, 0]);
});

test('the kinds that the page offers a voice for are those whose providers speak', async () => {
  const providers = new ProviderRegistry({ budget: new InProcessRequestBudget() });
  const speaking = PROVIDER_KINDS.filter((kind) => providers.find(kind)?.speaks === true);
  await providers.close();
  expect(PROVIDER_KINDS.filter(canSpeak)).toEqual(speaking);
  expect(speaking.length).toBeGreaterThan(0);
});

test.each([
  [0, '0:00'],
  [999, '0:00'],
  [9_000, '0:09'],
  [59_999, '0:59'],
  [60_000, '1:00'],
  [3_725_000, '62:05'],
])('%d ms of a call are shown as %s', (ms, shown) => {
  expect(callTime(ms)).toBe(shown);
});
