import { requirementOf } from '../../../src/examiners/judge/requirement';

const partsOf = (criterion: string) =>
  requirementOf({ criterion, points: 1 }).ways.flatMap((parts) => parts.map(({ terms }) => terms));

describe('What a criterion requires to be said', () => {
  it.each<readonly [string, readonly (readonly string[])[]]>([
    ['Mentions the arm, jaw and neck', [['arm'], ['jaw'], ['neck']]],
    ['Mentions the arm or jaw, and the neck', [['arm', 'jaw'], ['neck']]],
    ['Mentions the neck, and the arm or jaw', [['neck'], ['arm', 'jaw']]],
    ['Mentions the arm, the jaw or the neck', [['arm', 'jaw', 'neck']]],
    ['Mentions one or more of arm and jaw', [['arm'], ['jaw']]],
    ['Mentions fruit, such as fig, pear and plum', [['fruit', 'fig', 'pear', 'plum']]],
    ['Mentions the arm or', [['arm']]],
    ['Mentions the arm and such', [['arm']]],
    ['Says that the cream helps', [['cream', '?it'], ['help']]],
    ['Says that she coughs until the fever settles', [['cough'], ['fever'], ['settle']]],
    ['Friends rest', [['friend'], ['rest']]],
    ['Suggests that friends rest', [['friend', '?third'], ['rest']]],
    ['Suggests that her friend rests', [['friend', '?third'], ['rest']]],
    ['Suggests rest with her friend', [['rest'], ['friend']]],
    ['Mentions more salt or pepper', [['more'], ['salt', 'pepper']]],
    ['Mentions salt or more pepper', [['salt', 'pepper']]],
    ['Mentions sleep for herself', [['sleep'], ['herself']]],
    ['Mentions sleep herself', [['sleep'], ['herself'], ['?oneself']]],
    ['Mentions the arm, such pain, and the jaw', [['arm'], ['pain'], ['jaw']]],
    ['Mentions the arm, and the arm again', [['arm']]],
  ])('%s', (criterion, parts) => {
    expect(partsOf(criterion)).toEqual(parts);
  });

  it('is read up to its 24th part', () => {
    const words = Array.from({ length: 30 }, (_, number) => `mark${number}`);
    expect(partsOf(`Mentions ${words.join(', ')}`)).toEqual(words.slice(0, 24).map((word) => [word]));
  });
});
