import { randomUUID } from 'node:crypto';
import type { CriterionResult } from '../../../src/domain/rubric';
import { readFields } from '../../../src/engine/ledger/run-log';
import { examinersOf, findingsOf } from '../../../src/engine/ledger/findings';
import { passRateOf } from '../../../src/engine/ledger/run-end';
import { exchange, openStoredRuns, PASSED, type StoredRuns } from '../../setup/stored-run';

const mark = (fields: object) => ({
  criterion: 'Asks when the pain began',
  tags: ['must_pass'],
  decision: 'MET',
  points: 5,
  disputed: false,
  ...fields,
});

describe('what statistics count of a scenario run', () => {
  it('is nothing when nothing is worth it', () => {
    expect(findingsOf([], {})).toBeNull();
    expect(
      findingsOf([mark({}), mark({ decision: 'NOT MET', tags: [] })], { flags: [], patient_faults: [] }),
    ).toBeNull();
  });

  it('is what must be passed and was not: left undone, or done against it', () => {
    const marks = [
      mark({ criterion: 'left undone', decision: 'NOT MET' }),
      mark({ criterion: 'done in part', decision: 'PARTIALLY MET' }),
      mark({ criterion: 'done against it', points: -5, decision: 'PARTIALLY MET' }),
      mark({ criterion: 'not done against it', points: -5, decision: 'NOT MET' }),
      mark({ criterion: 'of no weight', decision: 'NOT MET', tags: ['accuracy'] }),
    ];
    expect(findingsOf(marks, {})).toEqual({
      violations: [
        { criterion: 'left undone', kind: 'missed' },
        { criterion: 'done against it', kind: 'committed' },
      ],
      disputed: 0,
      flags: [],
      patient_faults: [],
    });
  });

  const fault = (kind: string) => ({ turn: 1, kind, severity: 'minor', text: 'x' });
  it.each([
    ['disputed votes', [mark({ disputed: true }), mark({})], {}, { disputed: 1 }],
    ['flags', [], { flags: ['judge_unread'] }, { flags: ['judge_unread'] }],
    [
      'faults of the patient',
      [],
      { patient_faults: [fault('invented'), fault('repeated')] },
      { patient_faults: ['invented', 'repeated'] },
    ],
  ])('is each of these alone: %s', (_what, marks, metadata, found) => {
    const nothing = { violations: [], disputed: 0, flags: [], patient_faults: [] };
    expect(findingsOf(marks, metadata)).toEqual({ ...nothing, ...found });
  });

  it('is who examined, when the metadata say both', () => {
    const tester = { name: 'anthropic', model: 'patient-1', prompt_version: 'p1' };
    const judge = { name: 'offline', model: null, prompt_version: null };
    const metadata = { tester: { ...tester, answered_by: ['x'] }, judge: { ...judge, seed: 7 } };
    expect(examinersOf(metadata)).toEqual({ tester, judge });
    expect(examinersOf({ tester })).toBeNull();
    expect(examinersOf({ judge })).toBeNull();
  });

  it('has a pass rate of all its scenario runs, in hundredths of a percent', () => {
    expect([0, 1, 2, 3].map((passed) => passRateOf({ passed, total: 3 }))).toEqual([0, 33.33, 66.67, 100]);
    expect(passRateOf({ passed: 0, total: 0 })).toBe(0);
  });
});

describe('a verdict', () => {
  let runs: StoredRuns;
  beforeAll(async () => {
    runs = await openStoredRuns();
  });
  afterAll(() => runs.close());

  it('is stored with every mark, and with what statistics count', async () => {
    const owner = randomUUID();
    const { testRunId, unsettled } = await runs.createRun();
    const [scenarioRunId = ''] = unsettled;
    await runs.claim(scenarioRunId, testRunId, owner);
    const ref = { scenarioRunId, testRunId, owner, attempt: 1 };
    const said = { exchange: exchange(1), continuation: null, startsGrading: true };
    await runs.scenarioRuns.record({ ...ref, ...said, kind: 'turn', metadata: {} });
    const criteria: CriterionResult[] = [
      ...PASSED.criteria,
      {
        criterion: 'Calls an ambulance',
        tags: ['must_pass'],
        decision: 'NOT MET',
        points: 0,
        maxPoints: 3,
        rationale: 'No reply says so.',
        evidence: [],
        absence: true,
        repliesRead: 1,
        votes: ['NOT MET', 'MET', 'NOT MET'],
        disputed: true,
      },
    ];
    const verdict = { ...PASSED, passed: false, scorePercent: 25, totalPoints: 1, maxPoints: 4, criteria };
    const examiner = { name: 'anthropic', model: 'examiner-1', prompt_version: 'v1' };
    const metadata = { tester: examiner, judge: examiner, flags: ['judge_unread'] };
    await runs.scenarioRuns.record({ ...ref, kind: 'verdict', verdict, metadata });
    const [row] = await runs.database.query(
      `SELECT status, passed, score_percent, total_points, max_points, grade_summary, criteria_results, decisions, metadata,
              findings, examiners FROM scenario_runs WHERE id = $1`,
      [scenarioRunId],
    );
    expect(row).toEqual({
      status: 'failed',
      passed: false,
      score_percent: 25,
      total_points: 1,
      max_points: 4,
      grade_summary: 'All met.',
      criteria_results: [
        {
          max_points: 1,
          criterion: 'Greets',
          tags: [],
          decision: 'MET',
          points: 1,
          rationale: 'It did.',
          evidence: [{ turn: 1, quote: 'Reply' }],
          absence: false,
          disputed: false,
        },
        {
          max_points: 3,
          replies_read: 1,
          criterion: 'Calls an ambulance',
          tags: ['must_pass'],
          decision: 'NOT MET',
          points: 0,
          rationale: 'No reply says so.',
          evidence: [],
          absence: true,
          votes: ['NOT MET', 'MET', 'NOT MET'],
          disputed: true,
        },
      ],
      decisions: 'MN',
      metadata,
      findings: {
        violations: [{ criterion: 'Calls an ambulance', kind: 'missed' }],
        disputed: 1,
        flags: ['judge_unread'],
        patient_faults: [],
      },
      examiners: { tester: examiner, judge: examiner },
    });
    expect(runs.told.slice(-2)).toMatchObject([
      { type: 'grading_complete', passed: false, score_percent: 25 },
      { type: 'scenario_complete', status: 'failed', counts: { passed: 0, failed: 1 } },
    ]);
  });
});

it('an event of no known shape is refused when it is read back', () => {
  expect(() => readFields('{"type":"nonsense"}')).toThrow('no known shape');
  const event = { type: 'grading_started', scenario_run_id: randomUUID() };
  expect(readFields(JSON.stringify(event))).toEqual(event);
});
