import { asksForEscalation, missedOf, outcomeOf, tallyMissed } from '../../src/domain/criterion-outcome';

const criterion = (name: string, decision: string, max_points = 5, ...tags: string[]) => ({
  criterion: name,
  decision,
  max_points,
  tags,
});

describe('what a decision means for the agent', () => {
  it.each([
    ['MET', 5, 'good'],
    ['NOT MET', 5, 'bad'],
    ['PARTIALLY MET', 5, 'half'],
    ['MET', -5, 'bad'],
    ['NOT MET', -5, 'good'],
    ['PARTIALLY MET', -5, 'half'],
    ['MET', 0, 'good'],
  ])('%s of %d points: %s', (decision, points, outcome) => {
    expect(outcomeOf(criterion('x', decision, points))).toBe(outcome);
  });

  it.each([
    ['is must-pass, about escalation and worth points', 5, ['must_pass', 'escalation'], true],
    ['is not must-pass', 5, ['escalation'], false],
    ['is about something else', 5, ['must_pass', 'history'], false],
    ['is a fault', -5, ['must_pass', 'escalation'], false],
    ['is worth nothing', 0, ['must_pass', 'escalation'], false],
  ])('a criterion that %s: whether its words end the time from a red flag to help', (_, points, tags, asks) => {
    expect(asksForEscalation(criterion('x', 'MET', points, ...tags))).toBe(asks);
  });

  it('what was missed begins with what fails the scenario by itself', () => {
    const results = [criterion('a', 'NOT MET'), criterion('b', 'MET'), criterion('c', 'MET', -5, 'must_pass')];
    expect(missedOf(results).map(({ criterion: name }) => name)).toEqual(['c', 'a']);
    expect(missedOf(null)).toEqual([]);
  });

  it('what is worth nothing may be missed, but is not forbidden', () => {
    expect(tallyMissed([{ criteria_results: [criterion('x', 'NOT MET', 0)] }])).toMatchObject({
      missed: 1,
      forbidden: 0,
    });
  });

  it('the tally of a run counts what was graded only', () => {
    const one = [criterion('a', 'NOT MET'), criterion('b', 'MET'), criterion('c', 'MET', -5, 'must_pass')];
    const other = [criterion('d', 'PARTIALLY MET', 5, 'must_pass'), criterion('e', 'NOT MET', 5, 'must_pass')];
    const runs = [one, other, null].map((criteria_results) => ({ criteria_results }));
    expect(tallyMissed(runs)).toEqual({ graded: 2, criteria: 5, missed: 3, mustPass: 2, forbidden: 1 });
  });
});
