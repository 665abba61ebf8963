import { standingOf, type Tally } from '../../web/src/runs/standing';

const tally = (counts: Partial<Tally>): Tally => ({
  passed: 0,
  failed: 0,
  error: 0,
  canceled: 0,
  active: 0,
  total: 10,
  ...counts,
});

describe('what the large number of a run says', () => {
  it('a run of which everything was graded needs no word more', () => {
    expect(standingOf(tally({ passed: 8, failed: 2 }), 'completed')).toEqual({
      rate: 80,
      caption: 'passed',
      caveat: null,
    });
  });

  it('errors count as not passed, and that stands beside the rate with what of the graded ones passed', () => {
    const { rate, caveat } = standingOf(tally({ passed: 6, failed: 2, error: 2 }), 'completed');
    expect(rate).toBe(60);
    expect(caveat).toBe(
      '2 ended in error: this says nothing about the agent, but counts as not passed. Of the 8 graded, 6 passed (75\u00a0%).',
    );
  });

  it('where the interval of the graded ones is known, it stands with their rate', () => {
    const { caveat } = standingOf(tally({ passed: 6, failed: 2, error: 2 }), 'completed', { low: 40.93, high: 92.85 });
    expect(caveat).toContain('Of the 8 graded, 6 passed (75\u00a0%; 95 % interval 41–93\u00a0%).');
  });

  it.each([
    ['canceled', 'The run was canceled'],
    ['failed', 'The run could not be carried out'],
  ] as const)('a run that was %s has no result', (status, sentence) => {
    expect(standingOf(tally({ failed: 2, canceled: 8 }), status)).toEqual({
      rate: null,
      caption: 'no result',
      caveat: `${sentence}: it says little about the agent. Of the 2 graded, 0 passed (0\u00a0%).`,
    });
    expect(standingOf(tally({ canceled: 10 }), status).caveat).toBe(`${sentence}: it says nothing about the agent.`);
  });

  it('while it goes on the rate is that of what was graded, and none before the first', () => {
    expect(standingOf(tally({ active: 6, error: 1 }), null)).toEqual({
      rate: null,
      caption: 'none graded yet',
      caveat: null,
    });
    expect(standingOf(tally({ passed: 1, failed: 3, active: 6 }), null)).toEqual({
      rate: 25,
      caption: 'of 4 graded so far',
      caveat: null,
    });
  });
});
