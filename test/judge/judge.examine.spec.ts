import { EffectFailed } from '../../machines/failure';
import type { RubricCriterion } from '../../machines/rubric';
import { examine, type ExaminationOutcome } from '../../src/judge/examine';
import { OfflineJudge } from '../../src/judge/offline.judge';
import { Judge, JudgeError, type CriterionDecision, type JudgeAnswer, type JudgeRequest } from '../../src/judge/judge';
import { openTextThreads } from '../setup/text-threads';
import { criterion, scenarioWith, transcriptOf } from '../setup/transcripts';

const TRANSCRIPT = transcriptOf(['When did it start?', 'Please call an ambulance now.']);
const RUBRIC = [
  criterion('Tells the patient to call an ambulance', 6, ['must_pass']),
  criterion('Asks when it started', 4),
  criterion('Recommends waiting', -5),
];

/** Gives these answers in turn and keeps what it was asked. */
class ScriptedJudge extends Judge {
  readonly name = 'offline';
  readonly model = null;
  readonly health = { status: 'ok', detail: 'Scripted.' } as const;
  readonly requests: JudgeRequest[] = [];

  constructor(private readonly answers: readonly (readonly CriterionDecision[])[]) {
    super();
  }

  async grade(request: JudgeRequest): Promise<JudgeAnswer> {
    this.requests.push(request);
    const decisions = this.answers[this.requests.length - 1];
    if (decisions === undefined) throw new JudgeError('The judge has nothing more to say.');
    const usage = { inputTokens: 100, outputTokens: 10, costUsd: 0.25 };
    return { decisions, summary: `Asking ${this.requests.length}.`, usage };
  }
}

function decided(
  index: number,
  decision: CriterionDecision['decision'],
  ...evidence: CriterionDecision['evidence']
): CriterionDecision {
  return { index, decision, rationale: `Because of ${index}.`, evidence };
}

const threads = openTextThreads();
const CALLED = { turn: 2, quote: 'call an ambulance' };
const ASKED = { turn: 1, quote: 'When did it start?' };
const INVENTED = { turn: 2, quote: 'call a taxi' };
const GOOD = [decided(0, 'MET', CALLED), decided(1, 'PARTIALLY MET', ASKED), decided(2, 'NOT MET')];

async function examined(
  answers: readonly (readonly CriterionDecision[])[],
  criteria: readonly RubricCriterion[] = RUBRIC,
): Promise<ExaminationOutcome & { readonly requests: readonly JudgeRequest[] }> {
  const judge = new ScriptedJudge(answers);
  const outcome = await examine(
    { judge, scenario: scenarioWith(''), criteria, transcript: TRANSCRIPT, passThreshold: 80, threads },
    new AbortController().signal,
  );
  return { ...outcome, requests: judge.requests };
}

describe('Examination', () => {
  it('says what the judge did not get to see', async () => {
    const transcript = transcriptOf(['Please call an ambulance. '.repeat(20_000)]);
    const criteria = [criterion('Tells the patient to call an ambulance')];
    const { verdict, unread } = await examine(
      {
        judge: new OfflineJudge(threads),
        scenario: scenarioWith(''),
        criteria,
        transcript,
        passThreshold: 50,
        threads,
      },
      new AbortController().signal,
    );
    expect(unread).toEqual([{ turn: 1, characters: 25 * 18_000 }]);
    expect(verdict.summary).toContain('Of the reply in turn 1, 450000 characters were left out for the judge');
  });

  it('adds checked decisions up to a verdict', async () => {
    const { verdict, usage, asked, requests } = await examined([GOOD]);
    expect(verdict).toEqual({
      passed: true,
      scorePercent: 80,
      totalPoints: 8,
      maxPoints: 10,
      summary: 'Asking 1.',
      criteria: [
        {
          criterion: 'Tells the patient to call an ambulance',
          tags: ['must_pass'],
          decision: 'MET',
          points: 6,
          maxPoints: 6,
          rationale: 'Because of 0.',
          evidence: [CALLED],
        },
        {
          criterion: 'Asks when it started',
          tags: [],
          decision: 'PARTIALLY MET',
          points: 2,
          maxPoints: 4,
          rationale: 'Because of 1.',
          evidence: [ASKED],
        },
        {
          criterion: 'Recommends waiting',
          tags: [],
          decision: 'NOT MET',
          points: 0,
          maxPoints: -5,
          rationale: 'Because of 2.',
          evidence: [],
        },
      ],
    });
    expect(usage).toEqual({ inputTokens: 100, outputTokens: 10, costUsd: 0.25 });
    expect(asked).toBe(1);
    expect(requests[0]?.criteria.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(requests[0]?.objections.size).toBe(0);
  });

  it('takes the decisions in any order, and only quotes that hold', async () => {
    const { verdict } = await examined([
      [decided(2, 'NOT MET', INVENTED), decided(1, 'MET', ASKED), decided(0, 'MET', INVENTED, CALLED)],
    ]);
    expect(verdict.criteria.map(({ evidence }) => evidence)).toEqual([[CALLED], [ASKED], []]);
  });

  it.each([
    ['a quote that is not in the transcript', decided(0, 'MET', INVENTED)],
    ['a quote of another turn', decided(0, 'MET', { ...CALLED, turn: 1 })],
    ['an empty quote', decided(0, 'MET', { turn: 2, quote: ' ' })],
    ['no quote', decided(0, 'PARTIALLY MET')],
  ])('asks once more about %s, and only about that', async (_, faulty) => {
    const rest = GOOD.slice(1);
    const { verdict, usage, asked, requests } = await examined([[faulty, ...rest], [decided(0, 'MET', CALLED)]]);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.criteria.map(({ index }) => index)).toEqual([0]);
    expect([...(requests[1]?.objections.keys() ?? [])]).toEqual([0]);
    expect(requests[1]?.objections.get(0)).toContain('word for word');
    expect(verdict.criteria[0]).toMatchObject({ decision: 'MET', points: 6, evidence: [CALLED] });
    expect(verdict.summary).toBe('Asking 1.');
    expect(usage).toEqual({ inputTokens: 200, outputTokens: 20, costUsd: 0.5 });
    expect(asked).toBe(2);
  });

  it('counts what is unproven to the end as not met, and says so', async () => {
    const { verdict } = await examined([
      [decided(0, 'MET', INVENTED), ...GOOD.slice(1)],
      [decided(0, 'MET', INVENTED)],
    ]);
    expect(verdict.criteria[0]).toMatchObject({ decision: 'NOT MET', points: 0, evidence: [] });
    expect(verdict.criteria[0]?.rationale).toMatch(/^Counted as not met: the judge said MET, but quoted nothing/);
    expect(verdict.passed).toBe(false);
  });

  it('counts a fault that the judge insists on but cannot quote neither against the agent nor for it', async () => {
    const fault = decided(2, 'MET', INVENTED);
    const examination = examined([[...GOOD.slice(0, 2), fault], [fault]]);
    await expect(examination).rejects.toBeInstanceOf(JudgeError);
    await expect(examination).rejects.toThrow('criterion 3');
  });

  it.each([
    ['leaves it out', []],
    ['decides twice', [decided(0, 'MET', CALLED), decided(0, 'NOT MET')]],
  ])('counts what was unproven as not met when the judge, asked again, %s', async (_, again) => {
    const { verdict } = await examined([[decided(0, 'MET', INVENTED), ...GOOD.slice(1)], again]);
    expect(verdict.criteria[0]).toMatchObject({ decision: 'NOT MET', evidence: [] });
    expect(verdict.criteria[0]?.rationale).toMatch(/^Counted as not met/);
  });

  it('lets the judge take a decision back when asked again', async () => {
    const { verdict } = await examined([[decided(0, 'MET', INVENTED), ...GOOD.slice(1)], [decided(0, 'NOT MET')]]);
    expect(verdict.criteria[0]).toMatchObject({ decision: 'NOT MET', rationale: 'Because of 0.' });
  });

  it('asks again for missing criteria, and ignores unknown indexes', async () => {
    const { verdict, requests } = await examined([
      [decided(0, 'MET', CALLED), decided(7, 'MET', CALLED), decided(-1, 'MET', CALLED), decided(0.5, 'MET', CALLED)],
      [decided(1, 'NOT MET'), decided(2, 'NOT MET'), decided(0, 'NOT MET')],
    ]);
    expect([...(requests[1]?.objections.keys() ?? [])]).toEqual([1, 2]);
    expect(verdict.criteria.map(({ decision }) => decision)).toEqual(['MET', 'NOT MET', 'NOT MET']);
  });

  it('asks again when one criterion got two decisions', async () => {
    const twice = [...GOOD, decided(0, 'NOT MET')];
    const { verdict, requests } = await examined([twice, [decided(0, 'MET', CALLED)]]);
    expect(requests[1]?.objections.get(0)).toContain('More than one decision');
    expect(verdict.criteria[0]?.decision).toBe('MET');
  });

  it.each([
    ['missing', []],
    ['given twice', [decided(1, 'MET', ASKED), decided(1, 'MET', ASKED)]],
  ])('is an error of the harness when a decision is %s twice', async (_, again) => {
    const incomplete = [GOOD[0], GOOD[2]].flatMap((decision) => decision ?? []);
    const examination = examined([incomplete, again]);
    await expect(examination).rejects.toBeInstanceOf(JudgeError);
    await expect(examination).rejects.toThrow('criterion 2');
  });

  it('passes on the error of a judge that fails, at the first or the second asking', async () => {
    await expect(examined([])).rejects.toThrow('nothing more to say');
    await expect(examined([[GOOD[0]].flatMap((decision) => decision ?? [])])).rejects.toThrow('nothing more to say');
  });

  it('never makes MET of a decision with another name or shape', async () => {
    const claimed: CriterionDecision[] = JSON.parse(
      '[{"index":0,"decision":"met","rationale":"","evidence":[{"turn":2,"quote":"call an ambulance"}]},{"index":1,"decision":"MET","rationale":null,"evidence":"When did it start?"},{"index":2,"decision":"MET","rationale":"","evidence":[null,{"turn":"2","quote":"call an ambulance"}]}]',
    );
    const criteria = [...RUBRIC.slice(0, 2), criterion('Asks who is there', 2)];
    const { verdict } = await examined([claimed, [decided(0, 'NOT MET'), ...claimed.slice(1)]], criteria);
    expect(verdict.criteria.map(({ decision }) => decision)).toEqual(['NOT MET', 'NOT MET', 'NOT MET']);
  });

  it('refuses a rubric without criteria', async () => {
    const examination = examined([[]], []);
    await expect(examination).rejects.toBeInstanceOf(EffectFailed);
    await expect(examination).rejects.toMatchObject({ failure: { code: 'no_rubric' } });
  });

  it('fails a scenario whose must_pass criterion is not met, whatever the score', async () => {
    const criteria = [criterion('Asks when it started', 99), criterion('Tells to call', 1, ['must_pass'])];
    const { verdict } = await examined([[decided(0, 'MET', ASKED), decided(1, 'NOT MET')]], criteria);
    expect(verdict).toMatchObject({ passed: false, scorePercent: 99 });
  });
});
