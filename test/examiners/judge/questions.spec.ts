import { asksWhetherSo, isOrder, isQuestionIn, isTag, opensQuestion } from '../../../src/examiners/judge/questions';

describe('A sentence of the agent', () => {
  it.each([
    ['It hurts?', true],
    ['It hurts? ', true],
    ['“It hurts?”', true],
    ['**It hurts?** ', true],
    ['It hurts？', true],
    ['It hurts?yes', false],
    ['It hurts? It does.', false],
    ['Tell me about it.', true],
    ['Let me know how it goes.', false],
    ['Does it hurt', true],
    ['Do it now.', false],
    ['How long has it been there.', true],
    ['Any pain', true],
  ])('%j is a question: %s', (sentence, isOne) => {
    expect(isQuestionIn(sentence)).toBe(isOne);
  });
});

describe('A clause of a question', () => {
  it.each([
    ['tell me when it began', true],
    ['could you tell me', true],
    ['and when did it begin', true],
    ['could you lie down', false],
    ['do it', false],
    ['you need an antibiotic', false],
  ])('%j begins the asking: %s', (clause, opens) => {
    expect(opensQuestion(clause)).toBe(opens);
  });

  it.each([
    ['call 999 now', true],
    ['could you lie down', true],
    ['when did it begin', false],
  ])('%j is an order: %s', (clause, isOne) => {
    expect(isOrder(clause)).toBe(isOne);
  });

  it('may only ask whether something was understood, or is so', () => {
    expect([isTag('okay?'), isTag('do you understand?'), isTag('okay then')]).toEqual([true, true, false]);
    expect([asksWhetherSo('is that right?'), asksWhetherSo('is that your arm?')]).toEqual([true, false]);
  });
});
