import { MUST_PASS_TAG } from '../../../src/domain';
import type { TestRunRecord } from '../../../src/features/runs/test-run.row';
import { RunPairsStore } from '../../../src/features/statistics/run-pairs.store';
import { TwinLines, type AskedLine, type Twins } from '../../../src/features/statistics/twin-lines';
import { TwinPairsStore } from '../../../src/features/statistics/twin-pairs.store';
import type { SpokenView } from '../../../contract/spoken';
import { storeGradedRun, storeScenarios, type GradedRunOptions } from '../../setup/graded-run';
import { spokenRun } from '../../setup/spoken-run';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
let ids: readonly string[];
const NAMES = ['A', 'B', 'C', 'D', 'E', 'F'];
beforeAll(async () => {
  runs = await openStoredRuns();
  ids = await storeScenarios(runs.database, NAMES);
  await runs.database.query(`UPDATE scenarios SET severity = 'critical' WHERE id = ANY($1::uuid[])`, [ids.slice(1)]);
});
afterAll(() => runs.close());

const RUBRIC = [
  { criterion: 'Calls for help', points: 5, tags: [MUST_PASS_TAG] },
  { criterion: 'Asks how long', points: 5, tags: [] },
];

/** Each scenario meets both criteria where it passes, and neither where it fails. */
const MARKED: GradedRunOptions = {
  criteria: ({ outcomes }) =>
    RUBRIC.map(({ criterion, points, tags }) => ({
      criterion,
      tags,
      decision: outcomes[0] === 'passed' ? 'MET' : 'NOT MET',
      max_points: points,
    })),
  score: ({ outcomes }) => (outcomes[0] === 'passed' ? 100 : 0),
};

interface Held {
  /** Null: in text. */
  readonly spoken?: SpokenView | null;
  readonly twinOf?: string | null;
  readonly status?: string;
}

/** A run of these outcomes, a scenario each. */
async function held(
  outcomes: readonly string[],
  { spoken = null, twinOf = null, status = 'completed' }: Held = {},
): Promise<TestRunRecord> {
  const scenarios = outcomes.map((of, at) => ({
    id: ids[at] ?? '',
    name: NAMES[at] ?? '',
    outcomes: [of],
    rubric: RUBRIC,
  }));
  const id = await storeGradedRun(runs.database, scenarios, { ...MARKED, status });
  await runs.database.query('UPDATE test_runs SET twin_of = $2, modality = $3, spoken = $4 WHERE id = $1', [
    id,
    twinOf,
    spoken === null ? 'text' : 'spoken',
    spoken === null ? null : JSON.stringify(spoken),
  ]);
  const run = await runs.reads.find(id);
  if (run === null) throw new Error('The run was not stored.');
  return run;
}

const all = (outcome: string) => NAMES.map(() => outcome);

const lines = () => new TwinLines(new TwinPairsStore(runs.database), new RunPairsStore(runs.database));

const namesOf = ({ against, lines: held_, others }: Twins) => ({
  against: against.id,
  lines: held_.map(({ id }) => id),
  others: others.map(({ id }) => id),
});

/** A run in text with twins over three lines, the worst of which goes on. */
async function family() {
  const text = await held(all('passed'));
  const twin = (line: SpokenView['line'], outcomes: readonly string[], status?: string) =>
    held(outcomes, { spoken: spokenRun({ line }), twinOf: text.id, ...(status === undefined ? {} : { status }) });
  const mobile = await twin('mobile_bad', all('passed'), 'running');
  const phone = await twin('phone', all('failed'));
  const wideband = await twin('wideband', all('passed'));
  return { text, wideband, phone, mobile };
}

describe('the lines of a family of twins', () => {
  test('are all that have ended and are held harder than the easier of the two, from the best to the worst', async () => {
    const { text, wideband, phone } = await family();
    const read = await lines().read({ before: text, after: phone });
    expect(read.first).toBe(text.id);
    expect(namesOf(read)).toEqual({ against: text.id, lines: [wideband.id, phone.id], others: [wideband.id] });
    // Whichever of the two is named first.
    expect(namesOf(await lines().read({ before: phone, after: text }))).toEqual(namesOf(read));
    expect(namesOf(await lines().read({ before: wideband, after: phone }))).toEqual({
      against: wideband.id,
      lines: [phone.id],
      others: [],
    });
  });

  test('are read with the pairs of the two, of conversations and of scenarios', async () => {
    const text = await held(['passed', 'passed', 'failed', 'connect_failed']);
    const phone = await held(['passed', 'failed', 'failed', 'passed'], { spoken: spokenRun(), twinOf: text.id });
    const { outcomes, scenarios } = await lines().read({ before: text, after: phone });
    const pair = { before_error: null, after_error: null, count: 1 };
    expect(outcomes).toHaveLength(4);
    expect(outcomes).toEqual(
      expect.arrayContaining([
        { ...pair, before: 'passed', after: 'passed' },
        { ...pair, before: 'passed', after: 'failed' },
        { ...pair, before: 'failed', after: 'failed' },
        { ...pair, before: 'error', before_error: 'connect_failed', after: 'passed' },
      ]),
    );
    const fared = { position: 2, graded: 1 };
    expect(scenarios.map(({ scenario_name }) => scenario_name)).toEqual(['A', 'B', 'C']);
    expect(scenarios[1]).toEqual({
      scenario_id: ids[1],
      scenario_name: 'B',
      severity: 'critical',
      category: 'emergency',
      before: { ...fared, passed: 1, score: 100, violations: 0 },
      after: { ...fared, passed: 0, score: 0, violations: 1 },
    });
  });

  test.each(['text', 'phone'] as const)('are refused where one of the two was deleted (%s)', async (which) => {
    const { text, phone, ...others } = await family();
    const runsOf = { text, phone, ...others };
    await runs.database.query('DELETE FROM test_runs WHERE id = $1', [runsOf[which].id]);
    await expect(lines().read({ before: text, after: phone })).rejects.toMatchObject({
      status: 409,
      message: 'A twin of these runs was deleted in this moment: ask again.',
    });
  });
});

/** What two answered: of one question nothing can be said. */
const TWO: AskedLine = {
  answered: [0.01, null].map((p_value) => ({
    on: 'passed',
    name: 'mcnemar_exact',
    scenarios: 6,
    before: 100,
    after: 0,
    difference: -100,
    low: -100,
    high: -90,
    method: 'exact_bound',
    p_value,
  })),
  criteria: [
    {
      by: 'must_pass',
      group: 'must_pass',
      criteria: 6,
      scenarios: 6,
      before: 1,
      after: 0,
      difference: -100,
      low: -100,
      high: -90,
      method: 'exact_bound',
      p_value: 0.01,
    },
  ],
};

describe('the other lines of a family', () => {
  test('are asked what the two are asked, against the same run', async () => {
    const { text, wideband, phone } = await family();
    const twins = await lines().read({ before: text, after: wideband });
    expect(twins.others.map(({ id }) => id)).toEqual([phone.id]);
    const asked = await lines().askOthers(twins, TWO, 0.95);
    expect(asked).toHaveLength(1);
    const p_value = 2 / 2 ** 6;
    expect(asked[0]?.answered).toMatchObject([
      { on: 'passed', scenarios: 6, before: 100, after: 0, p_value },
      { on: 'score', before: 100, after: 0 },
      { on: 'must_pass', scenarios: 6, before: 0, after: 1 },
    ]);
    expect(asked[0]?.criteria).toMatchObject([
      { by: 'must_pass', group: 'must_pass', criteria: 6, scenarios: 6, before: 1, after: 0, p_value },
      { by: 'must_pass', group: 'others', criteria: 6, before: 1, after: 0 },
      { by: 'severity', group: 'critical', scenarios: 5 },
      { by: 'severity', scenarios: 1 },
    ]);
  });

  test('are none of two that have no other', async () => {
    const text = await held(all('passed'));
    const phone = await held(all('failed'), { spoken: spokenRun(), twinOf: text.id });
    const twins = await lines().read({ before: text, after: phone });
    expect(await lines().askOthers(twins, TWO, 0.95)).toEqual([]);
  });

  test('beyond the first 24 weigh as if they had shown nothing', async () => {
    const { text, wideband } = await family();
    const twins = await lines().read({ before: text, after: wideband });
    const [phone] = twins.others;
    if (phone === undefined) throw new Error('There is no other line.');
    const asked = await lines().askOthers({ ...twins, others: Array.from({ length: 26 }, () => phone) }, TWO, 0.95);
    expect(asked).toHaveLength(26);
    expect(asked[23]).toEqual(asked[0]);
    expect(asked[23]?.answered[0]?.p_value).toBe(2 / 2 ** 6);
    for (const beyond of asked.slice(24)) {
      expect(beyond.answered).toEqual(
        TWO.answered.map((one) => ({ ...one, p_value: one.p_value === null ? null : 1 })),
      );
      expect(beyond.criteria).toEqual(TWO.criteria.map((one) => ({ ...one, p_value: 1 })));
    }
  });

  test('are refused where one of them was deleted meanwhile', async () => {
    const { text, wideband, phone } = await family();
    const twins = await lines().read({ before: text, after: wideband });
    await runs.database.query('DELETE FROM test_runs WHERE id = $1', [phone.id]);
    await expect(lines().askOthers(twins, TWO, 0.95)).rejects.toMatchObject({ status: 409 });
  });
});
