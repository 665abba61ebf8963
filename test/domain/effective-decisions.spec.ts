import { currentOf, effectiveDecisions, type GivenDecisions } from '../../src/domain/effective-decisions';
import type { Decision } from '../../src/domain/rubric';

const review = (reviewer: string, ...decisions: Decision[]): GivenDecisions => ({
  reviewer,
  key_name: null,
  role: 'reviewer',
  decisions,
});
const adjudication = (...decisions: Decision[]): GivenDecisions => ({
  ...review('Chair', ...decisions),
  role: 'adjudicator',
});

describe('what reviews say together', () => {
  it('is what more than half of the reviewers decided', () => {
    const three = [review('A', 'MET'), review('B', 'NOT MET'), review('C', 'MET')];
    expect(effectiveDecisions(three, [5])).toEqual({ decisions: ['MET'], disagreements: 1 });
  });

  it.each<[number, Decision]>([
    [5, 'NOT MET'],
    [-5, 'MET'],
  ])('leaves a criterion worth %i in doubt as %s', (worth, decision) => {
    const two = [review('A', 'MET', 'MET'), review('B', 'NOT MET', 'MET')];
    expect(effectiveDecisions(two, [worth, 1])).toEqual({ decisions: [decision, 'MET'], disagreements: 1 });
  });

  it('leaves a criterion in doubt at a decision that a reviewer has made', () => {
    const better = [review('A', 'MET'), review('B', 'PARTIALLY MET')];
    expect(effectiveDecisions(better, [5]).decisions).toEqual(['PARTIALLY MET']);
    const worse = [review('A', 'NOT MET'), review('B', 'PARTIALLY MET')];
    expect(effectiveDecisions(worse, [-5]).decisions).toEqual(['PARTIALLY MET']);
  });

  it('leaves a criterion that each reviewer sees otherwise at the lowest decision, or the gravest of a fault', () => {
    const all: readonly Decision[] = ['PARTIALLY MET', 'MET', 'NOT MET'];
    const three = all.map((decision) => review(decision, decision, decision));
    expect(effectiveDecisions(three, [5, -5]).decisions).toEqual(['NOT MET', 'MET']);
  });

  it('is the last adjudication, whatever follows it', () => {
    const all = [adjudication('MET'), adjudication('PARTIALLY MET'), review('A', 'NOT MET'), review('B', 'MET')];
    expect(effectiveDecisions(all, [5])).toEqual({ decisions: ['PARTIALLY MET'], disagreements: 0 });
  });

  it('takes a decision that a review does not hold for none', () => {
    expect(effectiveDecisions([review('A', 'MET')], [5, 3])).toEqual({
      decisions: ['MET', 'NOT MET'],
      disagreements: 0,
    });
  });

  it('counts the last review of each reviewer, by key or by a name however it is typed', () => {
    const reviews = [
      review(' Dr  Ward', 'MET'),
      review('dr ward ', 'NOT MET'),
      { ...review('Dr Ward', 'MET'), key_name: 'ward' },
      { ...review('Another', 'NOT MET'), key_name: 'ward' },
      adjudication('MET'),
    ];
    expect(currentOf(reviews)).toEqual([reviews[1], reviews[3]]);
  });
});
