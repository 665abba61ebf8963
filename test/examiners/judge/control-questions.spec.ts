import { UNLIKELY_ACTS, controlQuestions } from '../../../src/examiners/judge/control-questions';
import type { NumberedSentence } from '../../../src/examiners/judge/marking-request';
import { numberTranscript } from '../../../src/examiners/judge/numbered-transcript';
import { SeededRandom } from '../../../src/examiners/judge/seeded-random';
import { transcriptOf } from '../../setup/transcripts';

const sentencesOf = (...replies: string[]) =>
  numberTranscript({ transcript: transcriptOf(replies), criteria: [] }).sentences;
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

/** What true control questions are made of one sentence. */
function claimsOf(sentence: string): string[] {
  const claims = SEEDS.map(
    (seed) => controlQuestions(sentencesOf(sentence), new SeededRandom(seed), new Set())[0]?.criterion ?? '',
  );
  return [...new Set(claims)].sort();
}

describe('Control questions', () => {
  it.each([
    ['Have any relatives had heart disease?', /^Asks(?: the patient)?: /],
    ['Use of blood thinners, any at all?', /^Asks(?: the patient)?: /],
    ['Call an ambulance now.', /^Tells the patient to call an ambulance now$/],
    ['Please sit down and please keep warm.', /^Tells the patient to sit down and please keep warm$/],
    ['Sit down and please keep warm.', /^Tells the patient to sit down and please keep warm$/],
    ['Rest is important after a fever.', /^(?:Says|Tells the patient): /],
    ['Have a glass of water nearby.', /^(?:Says|Tells the patient): /],
  ])('say of %j what it is', (sentence, claim) => {
    const claims = claimsOf(sentence);
    expect(claims.filter((text) => !claim.test(text))).toEqual([]);
  });

  it('use a different sentence and a different act the second time, where there is one', () => {
    const sentences = sentencesOf('When did the pain start?', 'Sit down and keep warm.');
    for (let seed = 0; seed < 200; seed += 1) {
      const random = new SeededRandom(seed);
      const used = new Set(controlQuestions(sentences, random, new Set()).map(({ source }) => source));
      const again = controlQuestions(sentences, random, used);
      expect(again.filter(({ source }) => used.has(source))).toEqual([]);
      expect(controlQuestions(sentencesOf('Please sit down now.'), random, new Set(['a1.1']))[0]?.source).toBe('a1.1');
    }
  });

  it.each([
    ['Please sit down now.', {}, true],
    ['Please sit down now.', { toExaminer: true }, false],
    ['Please sit down now.', { speaker: 'patient' as const }, false],
    ['Sit down.', {}, false],
    [`Sit ${'still '.repeat(14)}now.`, {}, true],
    [`Sit ${'still '.repeat(15)}now.`, {}, false],
    [`Sit down ${'x'.repeat(187)} now`, {}, true],
    [`Sit down ${'x'.repeat(188)} now`, {}, false],
    ['Please sit {down} now.', {}, false],
    ['Please mark the place now.', {}, false],
  ])('are made of %j with %j: %s', (text, more, isMade) => {
    const sentence: NumberedSentence = {
      ...{ id: 'a1.1', speaker: 'agent', turn: 1, text, toExaminer: false, leftOutBefore: 0 },
      ...more,
    };
    const [question] = controlQuestions([sentence], new SeededRandom(1), new Set());
    expect(question?.source === 'a1.1').toBe(isMade);
  });

  it.each([
    [
      'Have any relatives had heart disease?',
      ['Asks the patient: “Have any relatives had heart disease?”', 'Asks: have any relatives had heart disease'],
    ],
    ['Rest is important.', ['Says: rest is important', 'Tells the patient: “Rest is important”']],
  ])('are worded in one of two ways: %j', (sentence, claims) => {
    expect(claimsOf(sentence)).toEqual(claims);
  });

  it('name no act of which a word was said, as long as there are two others', () => {
    const untrueOf = (reply: string) =>
      SEEDS.map((seed) => controlQuestions(sentencesOf(reply), new SeededRandom(seed), new Set())[1]?.criterion ?? '');
    const lastThree = UNLIKELY_ACTS.slice(-3).map(({ criterion }) => criterion);
    const wordsWithout = (number: number) =>
      UNLIKELY_ACTS.slice(0, UNLIKELY_ACTS.length - number)
        .map(({ words: [word = ''] }) => word)
        .join(', ');
    expect(new Set(untrueOf(wordsWithout(3)))).toEqual(new Set(lastThree));
    expect(new Set(untrueOf(wordsWithout(1))).size).toBeGreaterThan(2);
    const [truth, untrue] = controlQuestions(sentencesOf(wordsWithout(1)), new SeededRandom(1), new Set());
    expect(truth?.criterion).toMatch(/^Does not do the following: \w/);
    expect(truth?.source).not.toBe(untrue?.source);
  });

  it('name no act that an ordinary consultation implies in other words', () => {
    const implied = /tropics|eye |bone|wrist|cheese|stocking|stool|hearing/i;
    expect(UNLIKELY_ACTS.filter(({ criterion }) => implied.test(criterion))).toEqual([]);
    expect(UNLIKELY_ACTS.length).toBeGreaterThan(15);
  });
});
