import { scriptFactsOf } from '../../../src/examiners/tester/patient-script';
import { isTouched } from '../../../src/examiners/tester/topics';
import { termsOf } from '../../../src/examiners/rules/words';

/** Whether the last fact of a script is touched by these words of the agent. */
function touched(script: string, text: string): boolean {
  const fact = scriptFactsOf(script).at(-1);
  return fact !== undefined && isTouched(fact, { text, terms: new Set(termsOf(text)) });
}

describe('what a fact is about is touched', () => {
  test.each([
    ['by a word of the fact', 'If asked, you juggle.', 'Do you juggle?', true],
    ['by no everyday word', 'If asked, you need a hat.', 'Do you need a fork?', false],
    ['by no other word', 'If asked, you juggle.', 'Do you knit?', false],
    ['by words for its topic', 'If asked about other medicines, you juggle.', 'What do you take?', true],
    ['by words for no other topic', 'If asked about other medicines, you juggle.', 'Where do you work?', false],
    ['by no question for medicines where it names none', 'If asked, you juggle.', 'Any treatment?', false],
    ['by a question for medicines where it names one', 'If asked, you swallow warfarin.', 'Any treatment?', true],
    ['by what it says where it names no topic', 'If asked, your father juggles.', 'Any siblings?', true],
    ['by the topic alone where it names one', 'If asked about hobbies, your father juggles.', 'Any siblings?', false],
  ])('%s', (_how, script, text, is) => {
    expect(touched(script, text)).toBe(is);
  });
});
