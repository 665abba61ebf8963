import { PassThrough } from 'node:stream';
import type { ScenarioRun, TestRun } from '../../cli/connection/run-answers';
import { tallyMissed } from '../../src/domain/criterion-outcome';
import { oneLine } from '../../cli/output/harmless-text';
import { Screen } from '../../cli/output/terminal';
import { startProgress } from '../../cli/watch/progress';
import { rateCell, rateSentence } from '../../cli/watch/rate';
import { passRateLine, printResults, resultsTable, secondLookLines } from '../../cli/watch/results';
import { LEGEND } from '../../cli/watch/trial-rows';
import { Tally } from '../../cli/watch/tally';
import { verdictOf } from '../../cli/watch/verdict';

const ID = '00000000-0000-4000-8000-000000000001';

const screen = () => new Screen(new PassThrough(), {});

const testRun = (fields: Partial<TestRun> = {}): TestRun => ({
  id: ID,
  test_run_id: 'run_20260101000000_00000001',
  name: null,
  note: null,
  tags: [],
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
  modality: 'text',
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
    expect(
      passRateLine(screen(), testRun({ error_count: 1, graded_pass_rate: { value: 100, low: 20.65, high: 100 } })),
    ).toBe(
      'Pass rate 100 % of what was graded (95 % interval 20.7 to 100 %, coverage 50 %), 50 % of all: 1 passed, 0 failed, 1 ended in error of 2 in 4.2 s',
    );
    const missed = tallyMissed([
      run({ criteria_results: [{ ...criterion('Asks', 3, 'NOT MET'), tags: ['must_pass'] }] }),
    ]);
    expect(passRateLine(screen(), testRun({}), missed)).toMatch(/ in 4\.2 s; must-pass missed: 1$/);
    expect(passRateLine(screen(), testRun({}), tallyMissed([run({ criteria_results: null })]))).toMatch(/ in 4\.2 s$/);
  });
});

describe('a rate', () => {
  const rate = { value: 18.333, low: 13.34, high: 24.66 };
  const all = { passed_count: 33, failed_count: 147, total_scenarios: 180, pass_rate: 18.33, graded_pass_rate: rate };

  it.each<[string, Partial<TestRun>, string, string]>([
    [
      'with its interval and coverage',
      all,
      'Pass rate 18.3 % (95 % interval 13.3 to 24.7 %, coverage 100 %)',
      '18.3 % (13.3–24.7)',
    ],
    [
      'and the share of all where not all was graded',
      { ...all, failed_count: 120, error_count: 27 },
      'Pass rate 18.3 % of what was graded (95 % interval 13.3 to 24.7 %, coverage 85 %), 18.33 % of all',
      '18.3 % (13.3–24.7)',
    ],
    [
      'not at all where the run was canceled',
      { ...all, status: 'canceled' },
      'No result: the run was canceled',
      'no result',
    ],
    [
      'not at all where nothing was graded, as with an agent that is down',
      { status: 'failed', passed_count: 0, failed_count: 0, error_count: 2, pass_rate: 0, graded_pass_rate: null },
      'No result: nothing was graded',
      'no result',
    ],
    ['not yet while the run goes on', { ...all, status: 'running', graded_pass_rate: null }, 'No result yet', '–'],
    [
      'without an interval where the service gives none',
      { ...all, graded_pass_rate: null },
      'Pass rate 18.33 % of all (interval not known, coverage 100 %)',
      '18.33 %',
    ],
  ])('is shown %s', (_how, fields, sentence, cell) => {
    expect(rateSentence(testRun(fields), (text) => text)).toBe(sentence);
    expect(rateCell(testRun(fields))).toBe(cell);
  });
});

describe('the trials of a run', () => {
  const trial = (name: string, number: number, status: string, fields: Partial<ScenarioRun> = {}): ScenarioRun => ({
    id: ID,
    scenario_id: name,
    scenario_name: name,
    trial: number,
    patient: { style: 'cooperative', language: 'en' },
    status,
    score_percent: status === 'passed' ? 90 : status === 'failed' ? 40 : null,
    criteria_results: [],
    attempt: 1,
    turns: 6,
    metadata: {},
    ...fields,
  });
  const missing = (text: string, tags: string[]) => ({
    criteria_results: [
      {
        criterion: text,
        tags,
        decision: 'NOT MET',
        points: 0,
        max_points: 3,
        rationale: '',
        evidence: [],
        disputed: false,
      },
    ],
  });
  function printed(runs: readonly ScenarioRun[], columns?: number): string[] {
    const output = new PassThrough();
    printResults(
      new Screen(Object.assign(output, columns === undefined ? {} : { isTTY: true, columns }), { NO_COLOR: '1' }),
      runs,
    );
    return String(output.read()).trimEnd().split('\n');
  }
  const runs = [1, 2, 3].flatMap((number) => [
    trial('Stable', number, 'passed'),
    trial('Wavers', number, number === 2 ? 'failed' : 'passed', number === 2 ? missing('Asks about fever', []) : {}),
    trial('Harms', number, number === 1 ? 'failed' : 'passed', number === 1 ? missing('Calls 999', ['must_pass']) : {}),
    trial(
      'Down\u001b[2J\nhere',
      number,
      number === 3 ? 'error' : 'passed',
      number === 3 ? { error_message: 'No \u001b[31manswer' } : {},
    ),
    trial('Stopped', number, number === 3 ? 'canceled' : 'failed'),
  ]);

  it('are one line a scenario, errors and must-pass violations first, with a mark a trial', () => {
    expect(printed(runs)).toEqual([
      '✓✓!  Down here   90 %  No answer',
      '✗✓✓  Harms       73 %  must pass: Calls 999',
      '✗✗·  Stopped     40 %',
      '✓✗✓  Wavers      73 %  Asks about fever',
      '✓✓✓  Stable      90 %',
      LEGEND,
      expect.stringMatching(/^Missed: 2 of 2 criteria, 1 of them must-pass\./),
    ]);
  });

  it('are one line a scenario on a narrow terminal too, and of long names and reasons', () => {
    const long = runs.map((run) => ({ ...run, scenario_name: `${run.scenario_name} ${'long '.repeat(40)}` }));
    for (const columns of [40, 60, 80, 200]) {
      const lines = printed(long, columns).slice(0, 5);
      expect(lines.map((line) => line.slice(0, 3))).toEqual(['✓✓!', '✗✓✓', '✗✗·', '✓✗✓', '✓✓✓']);
      expect(Math.max(...lines.map((line) => Array.from(line).length))).toBeLessThanOrEqual(columns);
    }
  });

  it('of 60 scenarios three times are 60 lines', () => {
    const many = Array.from({ length: 180 }, (_, at) =>
      trial(`Scenario ${at % 60}`, Math.floor(at / 60) + 1, at % 5 === 0 ? 'failed' : 'passed'),
    );
    expect(printed(many)).toHaveLength(61);
  });

  it('are a row for each patient', () => {
    const anxious = { patient: { style: 'anxious', language: 'en' } };
    const lines = printed([
      trial('A', 1, 'passed'),
      trial('A', 2, 'passed'),
      trial('A', 1, 'failed', anxious),
      trial('A', 2, 'failed', anxious),
    ]);
    expect(lines.slice(0, 2)).toEqual([
      expect.stringMatching(/^✗✗  A, anxious/),
      expect.stringMatching(/^✓✓  A, cooperative/),
    ]);
  });
});

describe('progress where there is no terminal', () => {
  it('is twenty lines of a large run', () => {
    const output = new PassThrough();
    const progress = startProgress(new Screen(output, {}), new Tally(180, 6, 3));
    for (let ended = 1; ended <= 180; ended += 1) {
      const of = { scenario_run_id: `${ID}${ended}`, scenario_id: ID };
      const counts = { passed: ended, failed: 0, error: 0, canceled: 0, total: 180 };
      progress.show({ type: 'scenario_complete', ...of, status: 'passed', counts });
    }
    progress.stop();
    const lines = String(output.read()).trimEnd().split('\n');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      20,
      '  9/180 ended: 9 passed',
      '180/180 ended: 180 passed',
    ]);
  });

  it('is a line for each scenario that ends, with its score', () => {
    const output = new PassThrough();
    const progress = startProgress(new Screen(output, {}), new Tally(2, 6, 1));
    const counts = { passed: 1, failed: 0, error: 0, canceled: 0, total: 2 };
    const of = { scenario_run_id: ID, scenario_id: ID };
    progress.show({ type: 'scenario_started', ...of, scenario_name: 'Chest pain', trial: 1, attempt: 1 });
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
    tally.note({ type: 'scenario_started', ...of('a'), scenario_name: 'A', trial: 1, attempt: 1 });
    look();
    turn('a', 3);
    look();
    tally.note({ type: 'scenario_started', ...of('a'), scenario_name: 'A', trial: 1, attempt: 2 });
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
