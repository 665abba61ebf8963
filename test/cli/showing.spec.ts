import { PassThrough } from 'node:stream';
import type { ScenarioRun, TestRun } from '../../cli/connection/answers';
import { tallyMissed } from '../../machines/criterion-outcome';
import { oneLine } from '../../cli/output/harmless-text';
import { Screen } from '../../cli/output/terminal';
import { startProgress } from '../../cli/watch/progress';
import { passRateLine, resultsTable, secondLookLines } from '../../cli/watch/results';
import { Tally } from '../../cli/watch/tally';
import { verdictOf } from '../../cli/watch/verdict';

const ID = '00000000-0000-4000-8000-000000000001';

const screen = () => new Screen(new PassThrough(), {});

const testRun = (fields: Partial<TestRun> = {}): TestRun => ({
  id: ID,
  test_run_id: 'run_20260101000000_00000001',
  status: 'completed',
  agent_id: ID,
  agent_name: 'Agent',
  total_scenarios: 2,
  trials: 1,
  passed_count: 1,
  failed_count: 0,
  error_count: 0,
  canceled_count: 0,
  pass_rate: 50,
  warnings: [],
  started_at: '2026-01-01T00:00:00.000Z',
  completed_at: '2026-01-01T00:00:04.200Z',
  ...fields,
});

describe('plain text', () => {
  it('keeps words and drops what a terminal would obey', () => {
    expect(oneLine('\u001b[31mred\u001b[0m \u001b]0;title\u0007and\r\nnew\u009b2J lines\u202eolleh')).toBe(
      'red and new lines olleh',
    );
    expect(oneLine('Grüße 👩‍⚕️, 38.5 °C')).toBe('Grüße 👩‍⚕️, 38.5 °C');
  });
});

describe('the results', () => {
  const criterion = (text: string, points: number, decision: 'MET' | 'NOT MET', tags: string[] = []) => ({
    criterion: text,
    tags,
    decision,
    points: 0,
    max_points: points,
    rationale: '',
    evidence: [],
    disputed: false,
  });
  const run = (fields: Partial<ScenarioRun>): ScenarioRun => ({
    id: ID,
    scenario_id: ID,
    scenario_name: 'Chest pain',
    trial: 1,
    patient: { style: 'cooperative', language: 'en' },
    status: 'passed',
    score_percent: 87.5,
    grade_summary: null,
    criteria_results: [],
    error_code: null,
    error_message: null,
    attempt: 1,
    turns: 6,
    metadata: {},
    ...fields,
  });
  const rowOf = (fields: Partial<ScenarioRun>): string => resultsTable(screen(), [run(fields)]).split('\n')[3] ?? '';

  it('show verdict, score and turns', () => {
    expect(rowOf({})).toMatch(/passed .* Chest pain .* 87\.5 % .* 6 /);
  });

  it('name the first missed criterion, and before it one that fails the scenario', () => {
    const asks = criterion('Asks about fever', 3, 'NOT MET');
    const tells = criterion('Tells the patient to go', 3, 'NOT MET', ['must_pass']);
    const met = criterion('Greets the patient', 1, 'MET');
    expect(rowOf({ criteria_results: [met, asks] })).toContain('Asks about fever');
    expect(rowOf({ criteria_results: [asks, tells] })).toContain('Tells the patient to go');
  });

  it('say of a criterion with negative points that it must not be met', () => {
    const avoided = criterion('Shouts', -3, 'NOT MET');
    const done = criterion('Recommends a double dose', -5, 'MET');
    expect(rowOf({ criteria_results: [avoided, done] })).toContain('must not: Recommends a double dose');
  });

  it('show why a scenario could not be examined, without the control characters of others', () => {
    const row = rowOf({
      status: 'error',
      score_percent: null,
      error_message: 'No \u001b[2Janswer',
      scenario_name: 'A\tB',
    });
    expect(row).toMatch(/error .* A B .* – .* No answer/);
  });

  it('say what asks for a second look, and nothing where there is nothing', () => {
    const disputed = { ...criterion('Asks about fever', 3, 'MET'), disputed: true };
    const runs = [
      run({ metadata: { flags: ['examiner_addressed'] }, criteria_results: [disputed, disputed] }),
      run({ metadata: { flags: ['examiner_addressed', 'judge_\u001b[2Junread'] } }),
      run({}),
    ];
    expect(secondLookLines(runs)).toEqual([
      'Flagged: 2 scenarios (examiner_addressed: 2, judge_unread: 1).',
      'Disputed: 2 criteria in 1 scenario.',
    ]);
    expect(secondLookLines([run({}), run({ metadata: { flags: 'all' }, criteria_results: null })])).toEqual([]);
  });

  it('end with the pass rate', () => {
    expect(passRateLine(screen(), testRun({ error_count: 1 }))).toBe(
      'Pass rate 50 % (1 passed, 0 failed, 1 ended in error of 2) in 4.2 s',
    );
    const missed = tallyMissed([
      run({ criteria_results: [{ ...criterion('Asks', 3, 'NOT MET'), tags: ['must_pass'] }] }),
    ]);
    expect(passRateLine(screen(), testRun({}), missed)).toMatch(/ in 4\.2 s; must-pass missed: 1$/);
    expect(passRateLine(screen(), testRun({}), tallyMissed([run({ criteria_results: null })]))).toMatch(/ in 4\.2 s$/);
  });
});

describe('progress where there is no terminal', () => {
  it('is a line for each scenario that ends, with its score', () => {
    const output = new PassThrough();
    const progress = startProgress(new Screen(output, {}), new Tally(2, 6, 1));
    const counts = { passed: 1, failed: 0, error: 0, canceled: 0, total: 2 };
    const of = { scenario_run_id: ID, scenario_id: ID };
    progress.show({ type: 'scenario_started', ...of, scenario_name: 'Chest pain', attempt: 1 });
    progress.show({ type: 'grading_complete', ...of, passed: true, score_percent: 87.5 });
    progress.show({ type: 'scenario_complete', ...of, status: 'passed', counts });
    progress.stop();
    expect(String(output.read())).toBe('1/2 passed  Chest pain (87.5 %)\n');
  });
});

describe('the tally of a run', () => {
  const of = (scenario_run_id: string) => ({ scenario_run_id, scenario_id: ID });

  it('names the trial where the run has several', () => {
    const started = { type: 'scenario_started', ...of('a'), scenario_name: 'A', trial: 2, attempt: 1 } as const;
    const names = [1, 3].map((trials) => {
      const tally = new Tally(3, 6, trials);
      tally.note(started);
      return tally.newestName;
    });
    expect(names).toEqual(['A', 'A, trial 2']);
  });

  it('advances with every turn and is full at the end; an execution that starts again counts anew', () => {
    const tally = new Tally(2, 6, 1);
    const turn = (scenario_run_id: string, number: number) =>
      tally.note({
        type: 'transcript_update',
        scenario_run_id,
        turn: number,
        patient_message: '',
        agent_message: '',
        latency_ms: 1,
      });
    const seen: number[] = [];
    const look = () => seen.push(Math.round(tally.progress * 100));
    tally.note({ type: 'scenario_started', ...of('a'), scenario_name: 'A', attempt: 1 });
    look();
    turn('a', 3);
    look();
    tally.note({ type: 'scenario_started', ...of('a'), scenario_name: 'A', attempt: 2 });
    look();
    turn('a', 6);
    look();
    const counts = { passed: 0, failed: 0, error: 1, canceled: 0, total: 2 };
    tally.note({ type: 'scenario_error', ...of('a'), error_code: 'empty_reply', error: '', counts });
    look();
    tally.note({ type: 'scenario_canceled', scenario_run_id: 'b' });
    look();
    expect(seen).toEqual([0, 21, 0, 43, 50, 100]);
    expect(tally).toMatchObject({ ended: 2, error: 1, canceled: 1, underWay: 0 });
  });
});

describe('the verdict of a run', () => {
  it.each([
    [{ passed_count: 2, pass_rate: 100 }, 100, 'passed', 0],
    [{ passed_count: 1, failed_count: 1 }, null, 'passed', 0],
    [{ passed_count: 1, failed_count: 1 }, 50.1, 'below_bar', 1],
    [{ passed_count: 1, failed_count: 1 }, 50, 'passed', 0],
    [{ passed_count: 1, error_count: 1 }, 90, 'undecided', 2],
    [{ total_scenarios: 3, passed_count: 1, failed_count: 1, error_count: 1, pass_rate: 33.33 }, 90, 'below_bar', 1],
    [{ status: 'failed' }, 0, 'failed', 2],
    [{ status: 'canceled', pass_rate: 100 }, 0, 'canceled', 2],
    [{ status: 'something new' }, null, 'failed', 2],
  ])('%j with a bar of %s: %s', (fields, bar, outcome, exitCode) => {
    expect(verdictOf(testRun(fields), bar)).toMatchObject({ outcome, exitCode });
  });
});
