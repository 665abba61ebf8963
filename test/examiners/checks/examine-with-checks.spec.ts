import type { Check, ExaminedTurn, Notes, RubricCriterion } from '../../../src/domain';
import { examine } from '../../../src/examiners/judge/examine';
import { openTextThreads } from '../../setup/text-threads';
import { criterion, scenarioWith, transcriptOf } from '../../setup/transcripts';
import { ScriptedJudge, type Answered } from '../judge/scripted-judge';

const threads = openTextThreads();
const TRANSCRIPT = transcriptOf(['Hello. When did it start?', 'Please call 999 now. Take ibuprofen.', 'Goodbye.']);
const ASK = 'Asks when it started';

const withCheck = (text: string, check: Check, points = 5, tags: readonly string[] = []): RubricCriterion => ({
  ...criterion(text, points, tags),
  check,
});
const NAMES = withCheck('Names the emergency number', { kind: 'contains', texts: ['999'] }, 6, ['must_pass']);
const DRUG = withCheck('Names ibuprofen', { kind: 'regex', pattern: 'ibuprofen', flags: 'i' }, -4, ['must_pass']);
const QUICK = withCheck('Replies quickly', { kind: 'latency_ms', max: 50 }, 2);

async function examined(
  criteria: readonly RubricCriterion[],
  answers: Readonly<Record<string, Answered>> = {},
  transcript: readonly ExaminedTurn[] = TRANSCRIPT,
  closing: Notes | null = null,
) {
  const judge = new ScriptedJudge(
    criteria.filter(({ check }) => check === undefined).map(({ criterion: text }) => text),
    ({ criterion: text }) => answers[text],
    () => [],
  );
  const outcome = examine(
    { judge, scenario: scenarioWith(''), criteria, transcript, closing, passThreshold: 50, threads, seed: 7 },
    new AbortController().signal,
  );
  return { ...(await outcome), sheets: judge.sheets };
}

describe('Examination with checks', () => {
  it('asks no judge where every criterion has a check', async () => {
    const { verdict, record, sheets } = await examined([NAMES, QUICK]);
    expect(sheets).toEqual([]);
    expect(record).toMatchObject({ calls: 0, usage: { calls: 0, costUsd: 0 } });
    expect(verdict).toMatchObject({ passed: true, scorePercent: 100, totalPoints: 8, maxPoints: 8 });
    expect(verdict.criteria).toEqual([
      {
        criterion: 'Names the emergency number',
        tags: ['must_pass'],
        decision: 'MET',
        points: 6,
        maxPoints: 6,
        rationale: 'Found in turn 2.',
        evidence: [{ turn: 2, quote: 'Please call 999 now.' }],
        absence: false,
        disputed: false,
        check: 'contains',
      },
      expect.objectContaining({ check: 'latency_ms', decision: 'MET', points: 2, evidence: [], absence: false }),
    ]);
  });

  it('reads what the agent did where one check of several asks for it', async () => {
    const books = withCheck('Books a visit', { kind: 'tool_call', name: 'book' }, 3);
    const call = { name: 'book', arguments: '{}' };
    const acted = TRANSCRIPT.map((turn, at) => ({
      ...turn,
      metadata: { agent: { tool_calls: at === 0 ? [call] : [] } },
    }));
    const { verdict } = await examined([NAMES, books], {}, acted);
    expect(verdict.criteria.map(({ decision }) => decision)).toEqual(['MET', 'MET']);
    expect(verdict.criteria[1]?.evidence).toEqual([{ turn: 1, quote: 'book({})', call: 1 }]);
  });

  it('reads what the agent did in place of a last reply', async () => {
    const books = withCheck('Books a visit', { kind: 'tool_call', name: 'book' }, 3);
    const acts = { agent: { tool_calls: [{ name: 'book', arguments: '{}' }] } };
    const quiet = TRANSCRIPT.map((turn) => ({ ...turn, metadata: { agent: { tool_calls: [] } } }));
    const { verdict } = await examined([books], {}, quiet, acts);
    expect(verdict.criteria).toMatchObject([{ decision: 'MET', evidence: [{ turn: 4, quote: 'book({})', call: 1 }] }]);
    expect((await examined([books], {}, quiet)).verdict.criteria).toMatchObject([{ decision: 'NOT MET' }]);
  });

  it('subtracts the points of a fault, and fails for one that must not happen', async () => {
    const { verdict } = await examined([NAMES, DRUG]);
    expect(verdict).toMatchObject({ passed: false, totalPoints: 2 });
    expect(verdict.criteria[1]).toMatchObject({
      decision: 'MET',
      points: -4,
      evidence: [{ turn: 2, quote: 'Take ibuprofen.' }],
    });
  });

  it('proves by absence that a fault was not done', async () => {
    const { verdict } = await examined([
      NAMES,
      withCheck('Names aspirin', { kind: 'contains', texts: ['aspirin'] }, -4),
    ]);
    expect(verdict.passed).toBe(true);
    expect(verdict.criteria[1]).toMatchObject({ decision: 'NOT MET', points: 0, absence: true, repliesRead: 3 });
  });

  it('says in how many replies it is absent', async () => {
    const check: Check = { kind: 'contains', texts: ['aspirin'], turn: 2 };
    const { verdict } = await examined([NAMES, withCheck('Names aspirin in its second reply', check, -4)]);
    expect(verdict.criteria[1]).toMatchObject({ decision: 'NOT MET', absence: true, repliesRead: 1 });
  });

  it('shows the judge nothing of the checks, and keeps the order of the rubric', async () => {
    const criteria = [DRUG, criterion(ASK, 4), NAMES];
    const { verdict, sheets, record } = await examined(criteria, { [ASK]: { decision: 'MET', evidence: ['a1.2'] } });
    expect(verdict.criteria.map(({ criterion: text, check }) => [text, check])).toEqual([
      ['Names ibuprofen', 'regex'],
      [ASK, undefined],
      ['Names the emergency number', 'contains'],
    ]);
    expect(record.calls).toBeGreaterThan(0);
    const asked = JSON.stringify(sheets.map(({ questions }) => questions));
    expect(asked).toContain(ASK);
    expect(asked).not.toMatch(/emergency number|ibuprofen|"check"|999/);
  });

  it('is an error of the harness, before any judge is asked, where a check cannot be decided', async () => {
    const cost = withCheck('Costs little', { kind: 'cost_usd', max: 1 });
    await expect(examined([criterion(ASK), cost])).rejects.toMatchObject({
      failure: {
        code: 'grading_failed',
        message: 'Criterion 2 (check cost_usd) cannot be decided: the agent reported no cost for 3 of its 3 replies.',
      },
    });
  });
});
