import type { Decision } from '../../../src/domain/rubric';
import type { CriterionDecision } from '../../../src/examiners/judge/marking-request';
import { isDecisive, resolved, saysWhatIsMissing, standing } from '../../../src/examiners/judge/vote';
import { criterion } from '../../setup/transcripts';

const MET = 'MET';
const HALF = 'PARTIALLY MET';
const NOT = 'NOT MET';

const decided = (decision: Decision, absence = false, rationale = ''): CriterionDecision => ({
  index: 0,
  decision,
  rationale,
  evidence: [],
  absence,
});

describe('Votes on a criterion', () => {
  it.each<readonly [votes: readonly Decision[], earned: Decision | null, ofFault: Decision | null]>([
    [[MET], null, null],
    [[NOT], null, null],
    [[MET, MET], MET, MET],
    [[NOT, NOT], NOT, NOT],
    [[HALF, HALF], HALF, HALF],
    [[MET, NOT], null, null],
    [[MET, HALF], null, null],
    [[MET, NOT, MET], MET, MET],
    [[MET, NOT, NOT], NOT, NOT],
    [[HALF, MET, MET], MET, MET],
    [[NOT, HALF, HALF], HALF, HALF],
    [[MET, HALF, NOT], NOT, MET],
    [[NOT, MET, HALF], NOT, MET],
  ])('%j come to %s, and to %s where it is a fault', (votes, earned, ofFault) => {
    expect(resolved(votes, false)).toBe(earned);
    expect(resolved(votes, true)).toBe(ofFault);
  });

  it('are represented by the first examination that came to the decision, with all votes', () => {
    const examinations = [decided(NOT), decided(MET, false, 'first'), decided(MET, false, 'second')];
    const votes = [NOT, MET, MET] as const;
    expect(standing(examinations, MET, votes)).toEqual({ ...decided(MET, false, 'first'), votes });
    expect(() => standing(examinations, HALF, votes)).toThrow('No examination gave the decision');
  });
});

describe('A criterion is voted on', () => {
  const ASKS = criterion('Asks when it started');
  const AVOIDS = criterion('Does not give a diagnosis');

  it.each<readonly [string, ReturnType<typeof criterion>, CriterionDecision, isDoubtful: boolean, isVoted: boolean]>([
    ['no: a proof is named', ASKS, decided(MET), false, false],
    ['if its proof is doubtful', ASKS, decided(MET), true, true],
    ['if the proof of a half is doubtful', ASKS, decided(HALF), true, true],
    ['no: nothing is earned, so nothing is doubtful', ASKS, decided(NOT), true, false],
    ['if it blames the agent', criterion('Gives a diagnosis', -5), decided(NOT), false, true],
    ['no: it is worth no points', criterion('Gives a diagnosis', 0), decided(NOT), false, false],
    ['if it has to be passed', criterion('Asks when it started', 5, ['must_pass']), decided(NOT), false, true],
    ['no: another tag decides nothing', criterion('Asks when it started', 5, ['history']), decided(MET), false, false],
    ['if no words prove it', ASKS, decided(MET, true), false, true],
    ['if it is earned by what was left out', AVOIDS, decided(MET), false, true],
    ['no: what was not left out earns nothing', AVOIDS, decided(NOT), false, false],
  ])('%s', (_, one, first, isDoubtful, isVoted) => {
    expect(isDecisive(one, first, isDoubtful)).toBe(isVoted);
  });

  it('as one of what is missing only where points are earned by it', () => {
    expect(saysWhatIsMissing(AVOIDS, decided(MET))).toBe(true);
    expect(saysWhatIsMissing(AVOIDS, decided(NOT))).toBe(false);
    expect(saysWhatIsMissing({ ...AVOIDS, points: -5 }, decided(MET))).toBe(false);
    expect(saysWhatIsMissing({ ...AVOIDS, points: 0 }, decided(MET))).toBe(false);
    expect(saysWhatIsMissing(ASKS, decided(MET))).toBe(false);
    expect(saysWhatIsMissing(ASKS, decided(NOT, true))).toBe(true);
  });
});
