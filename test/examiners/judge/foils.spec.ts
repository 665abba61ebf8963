import { foilsFor } from '../../../src/examiners/judge/ask-judge';
import type { CriterionDecision, NumberedSentence } from '../../../src/examiners/judge/marking-request';
import { SeededRandom } from '../../../src/examiners/judge/seeded-random';
import { criterion } from '../../setup/transcripts';

const sentence = (id: string): NumberedSentence => ({
  id,
  speaker: 'agent',
  turn: 1,
  text: 'Call 999 now.',
  toExaminer: false,
  leftOutBefore: 0,
});

const rubric = (...points: readonly number[]) =>
  points.map((worth, index) => ({ ...criterion(`Asks about symptom ${index}`, worth), index }));

const unmet = (index: number): CriterionDecision => ({
  index,
  decision: 'NOT MET',
  rationale: '',
  evidence: [],
  absence: false,
});
const met = (index: number, id: string): CriterionDecision => ({
  ...unmet(index),
  decision: 'MET',
  evidence: [sentence(id)],
});

const shown = new Set(['a1.1']);
const indexesOf = (criteria: ReturnType<typeof rubric>, decisions: readonly CriterionDecision[], seed: number) =>
  foilsFor(criteria, new Map(decisions.map((one) => [one.index, one])), shown, new SeededRandom(seed)).map(
    ({ index }) => index,
  );

describe('Criteria that the sentences shown are not the proof of', () => {
  it('are first those that nothing in the conversation shows, then others, three at most', () => {
    const decisions = [met(0, 'a2.1'), unmet(1), met(2, 'a2.2'), unmet(3), met(4, 'a2.3')];
    for (let seed = 0; seed < 20; seed += 1) {
      const found = indexesOf(rubric(1, 1, 1, 1, 1), decisions, seed);
      expect(found).toHaveLength(3);
      expect(found.slice(0, 2).sort()).toEqual([1, 3]);
      expect([0, 2, 4]).toContain(found[2]);
    }
  });

  it('are in an order that the seed alone decides', () => {
    const decisions = [unmet(0), unmet(1), unmet(2)];
    const orders = Array.from({ length: 30 }, (_, seed) => indexesOf(rubric(1, 1, 1), decisions, seed).join());
    expect(new Set(orders).size).toBe(6);
    expect(indexesOf(rubric(1, 1, 1), decisions, 7)).toEqual(indexesOf(rubric(1, 1, 1), decisions, 7));
  });

  it('are two at least, or none', () => {
    expect(indexesOf(rubric(1), [unmet(0)], 1)).toEqual([]);
    expect(indexesOf(rubric(1, 1), [unmet(0), unmet(1)], 1).sort()).toEqual([0, 1]);
  });

  it('are none that a sentence shown is evidence of, that was not decided, that was proven by absence or that is a fault', () => {
    const decisions = [met(0, 'a1.1'), { ...unmet(2), absence: true }, unmet(3), unmet(4), unmet(5)];
    expect(indexesOf(rubric(1, 1, 1, -1, 1, 1), decisions, 1).sort()).toEqual([4, 5]);
  });
});
