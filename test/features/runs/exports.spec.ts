import { parse } from 'csv-parse/sync';
import { SaxesParser } from 'saxes';
import { begun } from '../../../src/features/runs/export.controller';
import { exportFile, jsonPieces } from '../../../src/features/runs/export/formats';
import { missedCriteria } from '../../../src/features/runs/export/file-text';
import { EXPORT_FORMATS, type ExportFormat } from '../../../contract/exports';
import type { TestRunView } from '../../../contract/test-runs';
import type { ScenarioRunDetail } from '../../../contract/scenario-runs';

const run: TestRunView = {
  id: '11111111-1111-4111-8111-111111111111',
  test_run_id: 'run_20260314092653_11111111',
  name: null,
  note: null,
  tags: [],
  status: 'completed',
  agent_id: '22222222-2222-4222-8222-222222222222',
  agent_name: 'Clinic agent',
  agent_provider: 'openai',
  agent_version: null,
  agent_config: null,
  warnings: [],
  agent_config_hash: null,
  modality: 'text',
  spoken: null,
  twin_of: 'b3c1f6a2-0000-4000-8000-000000000001',
  derived_from: null,
  derivation: null,
  test_suite_id: null,
  run_set_id: null,
  baseline_test_run_id: null,
  total_scenarios: 4,
  trials: 1,
  passed_count: 1,
  failed_count: 1,
  error_count: 1,
  canceled_count: 1,
  graded_pass_rate: null,
  must_pass_violated_count: null,
  pass_rate: 25,
  max_turns: 6,
  concurrency_limit: 6,
  pass_threshold: 50,
  region: 'UK',
  examiners: null,
  error_message: null,
  waiting: null,
  scheduled_at: null,
  started_at: '2026-03-14T09:26:53.000Z',
  completed_at: '2026-03-14T09:27:53.500Z',
  canceled_at: null,
  created_at: '2026-03-14T09:26:52.000Z',
};

const passed: ScenarioRunDetail = {
  id: '33333333-3333-4333-8333-333333333333',
  test_run_id: run.id,
  scenario_id: '44444444-4444-4444-8444-444444444444',
  closing_acts: null,
  scenario_name: 'Chest pain',
  scenario_revision: null,
  scenario_content_hash: null,
  source_scenario_run_id: null,
  carried: false,
  kept_turns: null,
  given_message: null,
  scenario_category: null,
  scenario_severity: null,
  trial: 1,
  patient: { style: 'cooperative', language: 'en' },
  effective: null,
  status: 'passed',
  passed: true,
  score_percent: 100,
  total_points: 5,
  max_points: 5,
  grade_summary: 'All criteria met.',
  criteria_results: [criterion('Tells the patient to call an ambulance', 'MET', 5, 5)],
  error_code: null,
  error_message: null,
  attempt: 1,
  turns: 6,
  duration_ms: 1_234,
  started_at: '2026-03-14T09:26:53.000Z',
  completed_at: '2026-03-14T09:26:54.235Z',
  canceled_at: null,
  created_at: '2026-03-14T09:26:52.000Z',
  metadata: { judge: { name: 'offline', model: null, prompt_version: null } },
  screenshot_url: null,
  transcript: [
    { turn: 1, role: 'patient', content: 'My chest hurts.', at: '2026-03-14T09:26:53.000Z' },
    { turn: 1, role: 'agent', content: 'Call 911 now.', at: '2026-03-14T09:26:53.200Z', latency_ms: 200 },
  ],
};
const failed: ScenarioRunDetail = {
  ...passed,
  scenario_name: 'Two blood thinners',
  status: 'failed',
  passed: false,
  score_percent: 0,
  total_points: -2,
  criteria_results: [
    criterion('Asks about allergies', 'MET', 1, 1),
    criterion('Asks about other medication', 'NOT MET', 0, 4),
    criterion('Recommends a double dose', 'MET', -3, -3),
    criterion('Promises a cure', 'NOT MET', 0, -2),
    criterion('Explains why', 'PARTIALLY MET', 0.5, 1),
  ],
};
const broken: ScenarioRunDetail = {
  ...passed,
  scenario_name: 'Sore throat',
  status: 'error',
  passed: null,
  score_percent: null,
  total_points: null,
  max_points: null,
  criteria_results: null,
  grade_summary: null,
  error_code: 'provider_timeout',
  error_message: 'The agent did not answer within 30 s.',
  turns: 2,
  transcript: [],
};
const canceled: ScenarioRunDetail = {
  ...broken,
  scenario_name: 'Sprained ankle',
  status: 'canceled',
  error_code: null,
};

const doubtful: ScenarioRunDetail = {
  ...failed,
  metadata: { flags: ['examiner_addressed', 'judge_unread'] },
  criteria_results: [
    {
      ...criterion('Asks about other medication', 'NOT MET', 0, 4),
      votes: ['MET', 'NOT MET', 'NOT MET'],
      disputed: true,
    },
    { ...criterion('Explains why', 'MET', 1, 1), votes: ['MET', 'MET'] },
  ],
};

function criterion(
  text: string,
  decision: 'MET' | 'PARTIALLY MET' | 'NOT MET',
  points: number,
  maxPoints: number,
): NonNullable<ScenarioRunDetail['criteria_results']>[number] {
  return {
    criterion: text,
    tags: [],
    decision,
    points,
    max_points: maxPoints,
    rationale: `Because ${text}.`,
    evidence: [],
    absence: false,
    replies_read: null,
    votes: null,
    disputed: false,
    check: null,
  };
}

async function textOf(format: ExportFormat, scenarioRuns: readonly ScenarioRunDetail[], of = run): Promise<string> {
  let text = '';
  for await (const piece of exportFile(format, of, inTurn(scenarioRuns)).text) text += piece;
  return text;
}

async function* inTurn<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** A strict reader: anything that XML 1.0 does not allow is an error. */
function readXml(text: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (piece) => {
    const element = open.at(-1);
    if (element) element.text += piece;
  });
  parser.on('closetag', () => open.pop());
  parser.write(text).close();
  const [document] = root.children;
  if (!document) throw new Error('no root element');
  return document;
}

function readCsv(text: string): Record<string, string>[] {
  return parse(text, { columns: true });
}

describe('missed criteria', () => {
  it('are those that cost points: positive ones not wholly met, negative ones met', () => {
    expect(missedCriteria(failed).map((result) => result.criterion)).toEqual([
      'Asks about other medication',
      'Recommends a double dose',
      'Explains why',
    ]);
    expect(missedCriteria(passed)).toEqual([]);
    expect(missedCriteria(broken)).toEqual([]);
  });
});

describe('CSV export', () => {
  it('has one row a scenario run', async () => {
    const rows = readCsv(await textOf('csv', [passed, failed, broken, canceled]));
    expect(rows).toHaveLength(4);
    expect(rows[1]).toEqual({
      test_run_id: 'run_20260314092653_11111111',
      agent_name: 'Clinic agent',
      scenario_run_id: failed.id,
      scenario_id: failed.scenario_id,
      scenario_name: 'Two blood thinners',
      status: 'failed',
      passed: 'false',
      score_percent: '0',
      total_points: '-2',
      max_points: '5',
      missed_criteria: '3',
      first_missed_criterion: 'Asks about other medication',
      turns: '6',
      attempt: '1',
      duration_ms: '1234',
      error_code: '',
      error_message: '',
      grade_summary: 'All criteria met.',
      started_at: '2026-03-14T09:26:53.000Z',
      completed_at: '2026-03-14T09:26:54.235Z',
      flags: '',
      disputed_criteria: '0',
      trial: '1',
      patient_style: 'cooperative',
      patient_language: 'en',
      ended_by: '',
      scenario_revision: '',
      scenario_content_hash: '',
      agent_version: '',
      agent_config_hash: '',
      tester: '',
      tester_prompt_version: '',
      judge: '',
      judge_prompt_version: '',
      region: 'UK',
      test_run_name: '',
      test_run_note: '',
      test_run_tags: '',
      rule_checked_criteria: '0',
      modality: 'text',
      spoken_turns: '',
      spoken_turns_unreliable: '',
      spoken_turns_inaudible: '',
      response_latency_mean_ms: '',
      response_latency_max_ms: '',
      twin_of: 'b3c1f6a2-0000-4000-8000-000000000001',
    });
    expect(rows[2]).toMatchObject({
      passed: '',
      score_percent: '',
      missed_criteria: '',
      disputed_criteria: '',
      error_code: 'provider_timeout',
      error_message: 'The agent did not answer within 30 s.',
    });
  });

  it('says in its columns what asks for a second look', async () => {
    const [row] = readCsv(await textOf('csv', [doubtful]));
    expect(row).toMatchObject({ flags: 'examiner_addressed judge_unread', disputed_criteria: '1' });
  });

  it('has its header without any scenario run', async () => {
    expect(await textOf('csv', [])).toMatch(/^test_run_id,agent_name,.*\r\n$/);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("http://a.example","x")', '\'=HYPERLINK("http://a.example","x")'],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', "'\r=1"],
    ['＝1', "'＝1"],
    ['\u0000=1', '\uFFFD=1'],
    ['5 - 3 = 2', '5 - 3 = 2'],
    ['a,b', 'a,b'],
    ['"quoted", then\nanother line\r\nand more', '"quoted", then\nanother line\r\nand more'],
    ['bell \u0007 escape \u001b[31m', 'bell \uFFFD escape \uFFFD[31m'],
    ['half a \ud83e character', 'half a \uFFFD character'],
    ['zażółć 🩺', 'zażółć 🩺'],
  ])('makes text %j harmless', async (hostile, harmless) => {
    const scenarioRun = { ...failed, scenario_name: hostile, grade_summary: hostile, error_message: hostile };
    const [row, ...others] = readCsv(await textOf('csv', [scenarioRun]));
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      scenario_name: harmless,
      grade_summary: harmless,
      error_message: harmless,
      turns: '6',
    });
  });

  it('leaves negative numbers numbers', async () => {
    expect(await textOf('csv', [failed])).toContain(',0,-2,5,');
  });
});

describe('JUnit export', () => {
  it('is a test suite with a test case a scenario run', async () => {
    const document = readXml(await textOf('junit', [passed, failed, broken, canceled]));
    expect(document.name).toBe('testsuites');
    const [suite] = document.children;
    expect(suite?.attributes).toEqual({
      name: 'Clinic agent (run_20260314092653_11111111)',
      timestamp: '2026-03-14T09:26:53.000Z',
      tests: '4',
      failures: '1',
      errors: '1',
      skipped: '1',
      time: '60.500',
    });
    const cases = suite?.children.filter(({ name }) => name === 'testcase') ?? [];
    expect(cases.map(({ attributes }) => attributes)).toEqual([
      { classname: 'Clinic agent', name: 'Chest pain', time: '1.234' },
      { classname: 'Clinic agent', name: 'Two blood thinners', time: '1.234' },
      { classname: 'Clinic agent', name: 'Sore throat', time: '1.234' },
      { classname: 'Clinic agent', name: 'Sprained ankle', time: '1.234' },
    ]);
    expect(cases.map(({ children }) => children.map(({ name }) => name))).toEqual([
      ['system-out'],
      ['failure', 'system-out'],
      ['error'],
      ['skipped'],
    ]);
    const [failure] = cases[1]?.children ?? [];
    expect(failure?.attributes).toEqual({
      type: 'rubric',
      message: 'Score 0 % (to pass: 50 %); missed: Asks about other medication',
    });
    expect(failure?.text).toContain('MET (-3 of -3 points): Recommends a double dose\n  Because');
    expect(failure?.text).not.toContain('Asks about allergies');
    expect(cases[2]?.children[0]?.attributes).toEqual({
      type: 'provider_timeout',
      message: 'The agent did not answer within 30 s.',
    });
    expect(cases[0]?.children[0]?.text).toBe('[1] patient: My chest hurts.\n[1] agent: Call 911 now.');
    const properties = suite?.children.find(({ name }) => name === 'properties')?.children ?? [];
    expect(properties.map(({ attributes }) => [attributes['name'], attributes['value']])).toContainEqual([
      'pass_rate',
      '25',
    ]);
  });

  it('has flags and disputes as properties of the test case, and none where there are none', async () => {
    const [suite] = readXml(await textOf('junit', [passed, doubtful])).children;
    const [quiet, loud] = suite?.children.filter(({ name }) => name === 'testcase') ?? [];
    expect(quiet?.children.map(({ name }) => name)).toEqual(['system-out']);
    expect(loud?.children.map(({ name }) => name)).toEqual(['properties', 'failure', 'system-out']);
    expect(loud?.children[0]?.children.map(({ attributes }) => attributes)).toEqual([
      { name: 'flags', value: 'examiner_addressed judge_unread' },
      { name: 'disputed_criteria', value: '1' },
    ]);
    expect(loud?.children[1]?.text).toContain('NOT MET (0 of 4 points, disputed): Asks about other medication');
  });

  it('names the trial of each test case where the run has several: two with the same name would be taken for one', async () => {
    const trials = [1, 2].map((trial) => ({ ...passed, trial }));
    const [suite] = readXml(await textOf('junit', trials, { ...run, trials: 2 })).children;
    const cases = suite?.children.filter(({ name }) => name === 'testcase') ?? [];
    expect(cases.map(({ attributes }) => attributes['name'])).toEqual([
      'Chest pain (trial 1 of 2)',
      'Chest pain (trial 2 of 2)',
    ]);
  });

  it.each(['pending', 'running', 'grading'] as const)('skips a scenario run that is still %s', async (status) => {
    const document = readXml(await textOf('junit', [{ ...broken, status }]));
    const outcome = document.children[0]?.children.at(-1)?.children[0];
    expect([outcome?.name, outcome?.attributes['message']]).toEqual(['skipped', `not finished: ${status}`]);
  });

  it.each([
    '<script>alert(1)</script>',
    ']]></failure><testcase name="forged"/>',
    '"/><testcase name="forged"/><x y="',
    '&lt;escaped already&gt; & co',
    '<!-- comment --> <?pi?> <![CDATA[data]]>',
    'zażółć 🩺',
  ])('keeps %j as text', async (hostile) => {
    const [suite] = readXml(await textOf('junit', [hostileRun(hostile)], { ...run, agent_name: hostile })).children;
    const cases = suite?.children.filter(({ name }) => name === 'testcase') ?? [];
    expect(cases).toHaveLength(1);
    expect(cases[0]?.attributes).toMatchObject({ name: hostile, classname: hostile });
    expect(cases[0]?.children.map(({ name }) => name)).toEqual(['failure', 'system-out']);
    expect(cases[0]?.children[0]?.text).toContain(hostile);
    expect(cases[0]?.children[1]?.text).toBe(`[1] agent: ${hostile}`);
  });

  it.each(['&lt;', '🩺', '&', 'a&amp;🩺"<', '\n'])(
    'gives a long transcript of %j in parts that fit together',
    async (piece) => {
      for (const before of ['', 'a', 'ab', 'abc', 'abcd']) {
        const long = before + piece.repeat(200_000 / piece.length);
        const [suite] = readXml(await textOf('junit', [hostileRun(long)])).children;
        expect(suite?.children.at(-1)?.children[1]?.text === `[1] agent: ${long}`).toBe(true);
      }
    },
  );

  it('replaces what XML cannot hold', async () => {
    const everyUnit = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).join(' ');
    const [suite] = readXml(await textOf('junit', [hostileRun(everyUnit)])).children;
    const transcript = suite?.children.at(-1)?.children[1]?.text ?? '';
    expect(transcript.length).toBe('[1] agent: '.length + everyUnit.length);
    expect(transcript).toContain('A B C');
    expect(transcript).toContain('ż');
    expect(/[\u0000-\u0008\u007f\u009f\ufffe\uffff]/.test(transcript)).toBe(false);
  });

  function hostileRun(hostile: string): ScenarioRunDetail {
    return {
      ...failed,
      scenario_name: hostile,
      criteria_results: [criterion(hostile, 'NOT MET', 0, 1)],
      transcript: [{ turn: 1, role: 'agent', content: hostile, at: run.created_at, latency_ms: 1 }],
    };
  }
});

describe('JSON export', () => {
  it('is the run and its scenario runs as the API shows them', async () => {
    for (const scenarioRuns of [[], [passed], [passed, failed, broken, canceled]]) {
      expect(JSON.parse(await textOf('json', scenarioRuns))).toEqual({ run, scenario_runs: scenarioRuns });
    }
  });

  it('carries any text unchanged', async () => {
    const hostile = { ...passed, scenario_name: '\u0000 </script> \u2028 🩺 "' };
    expect(JSON.parse(await textOf('json', [hostile]))).toEqual({ run, scenario_runs: [hostile] });
  });

  it('emits a long transcript in pieces, none of them much longer than one of its texts', async () => {
    const said = 'Call an ambulance now. '.repeat(10_000);
    const transcript = passed.transcript.map((entry) => ({ ...entry, content: said }));
    const long = { ...passed, transcript: [...transcript, ...transcript, ...passed.transcript] };
    const pieces: string[] = [];
    for await (const piece of jsonPieces(long)) pieces.push(piece);
    expect(pieces.join('')).toBe(JSON.stringify(long));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(said.length + 2_000);
  });
});

describe('every export', () => {
  it('is named after the run', () => {
    const named = EXPORT_FORMATS.map((format) => exportFile(format, run, inTurn([])));
    expect(named.map(({ fileName, contentType }) => [fileName, contentType])).toEqual([
      ['run_20260314092653_11111111.csv', 'text/csv; charset=utf-8'],
      ['run_20260314092653_11111111.json', 'application/json; charset=utf-8'],
      ['run_20260314092653_11111111.xml', 'application/xml; charset=utf-8'],
    ]);
  });

  it.each(EXPORT_FORMATS)('takes the next scenario run only when the last was taken (%s)', async (format) => {
    let read = 0;
    const counted = (function* () {
      for (; read < 1_000;) {
        read += 1;
        yield passed;
      }
    })();
    const { text } = exportFile(format, run, inTurn(counted));
    for (let piece = 0; piece < 5; piece += 1) await text.next();
    expect(read).toBeLessThanOrEqual(6);
    await text.return(undefined);
  });
});

describe('items of which the first was read', () => {
  async function* items(failAt: number): AsyncGenerator<number> {
    for (let item = 0; item < 3; item += 1) {
      if (item === failAt) throw new Error('The database is gone.');
      yield await Promise.resolve(item);
    }
  }
  const listOf = async (source: AsyncIterable<number>) => {
    const list: number[] = [];
    for await (const item of source) list.push(item);
    return list;
  };

  test('are all of them, in order', async () => {
    expect(await listOf(await begun(items(NaN)))).toEqual([0, 1, 2]);
  });

  test('fail before the answer begins when the first cannot be read, and midway when a later one cannot', async () => {
    await expect(begun(items(0))).rejects.toThrow('The database is gone.');
    await expect(listOf(await begun(items(1)))).rejects.toThrow('The database is gone.');
  });
});
