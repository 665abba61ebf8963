import { randomUUID } from 'node:crypto';
import {
  CountedRun,
  KnownTexts,
  newlyViolated,
  type ConversationColumns,
  type ViolatedConversation,
} from '../../../src/features/statistics/counted-run';

const USUAL = '{"style":"cooperative","language":"en"}';
const MISSED = { criterion: 'Calls for help', kind: 'missed' } as const;
const COMMITTED = { criterion: 'Gives "a dose"', kind: 'committed' } as const;

interface Row {
  readonly id: string;
  readonly position: number;
  readonly passed?: boolean;
  readonly tenths?: number | null;
  readonly decided?: string | null;
  readonly violated?: string | null;
}

const columnsOf = (rows: readonly Row[]): ConversationColumns => ({
  last: Math.max(...rows.map(({ position }) => position)),
  positions: rows.map(({ position }) => position),
  ids: rows.map(({ id }) => id),
  passed: rows.map(({ passed = true }) => passed),
  tenths: rows.map(({ tenths = null }) => tenths),
  decided: rows.map(({ decided = `M 1 ${USUAL}` }) => decided),
  violated: rows.map(({ violated = null }) => violated),
});

const counted = (...pieces: readonly (readonly Row[])[]): CountedRun => {
  const run = new CountedRun(new KnownTexts());
  for (const rows of pieces) run.add(columnsOf(rows));
  return run;
};

const [A, B] = [randomUUID(), randomUUID()];

describe('the conversations of a run', () => {
  test('are counted by scenario, over all pieces, in the order of the first of each', () => {
    const run = counted(
      [
        { id: B, position: 2, passed: false, tenths: 335 },
        { id: A, position: 3, tenths: 1000 },
      ],
      [
        { id: A, position: 1, passed: false, tenths: 1 },
        { id: B, position: 4, passed: false, decided: null },
      ],
    );
    expect(run.inOrder().map(({ scenario_id }) => scenario_id)).toEqual([A, B]);
    expect(run.scenarios.get(A)).toMatchObject({ position: 1, total: 2, graded: 2, passed: 1, score: 1001 / 20 });
    expect(run.scenarios.get(B)).toMatchObject({ position: 2, total: 2, graded: 1, passed: 0, score: 33.5 });
    expect(run.scenarios.get(B)?.decided).toHaveLength(1);
  });

  test('without a score are in no mean, and have none where no other has one', () => {
    const run = counted([
      { id: A, position: 1 },
      { id: A, position: 2, tenths: 0 },
      { id: B, position: 3 },
    ]);
    expect(run.scenarios.get(A)?.score).toBe(0);
    expect(run.scenarios.get(B)?.score).toBeNull();
  });

  test('are named by trial and patient, however the patient was written', () => {
    const texts = new KnownTexts();
    const usual = texts.conversation(`MNP 12 ${USUAL}`);
    expect(usual).toEqual({ letters: 'MNP', name: '12 cooperative en' });
    expect(texts.conversation(`MNP 12 ${USUAL}`)).toBe(usual);
    expect(texts.conversation('M 12 { "language": "en", "style": "cooperative" }').name).toBe(usual.name);
    expect(texts.conversation('M 12 ').name).toBe(usual.name);
    expect(texts.conversation(` 3 {"style":"anxious","language":"de"}`)).toEqual({ letters: '', name: '3 anxious de' });
  });

  test('tell what they violated, with or without a verdict', () => {
    const run = counted([
      { id: A, position: 1, passed: false, violated: JSON.stringify([MISSED, COMMITTED]) },
      { id: A, position: 2, violated: '[]' },
      { id: A, position: 3, passed: false, decided: null, violated: JSON.stringify([MISSED]) },
    ]);
    expect(run.scenarios.get(A)?.violations).toBe(3);
    expect(run.violated).toEqual([
      { scenario_id: A, position: 1, violations: [MISSED, COMMITTED] },
      { scenario_id: A, position: 3, violations: [MISSED] },
    ]);
  });

  test('are none of a run without any', () => {
    const none = { last: null, positions: [], ids: [], passed: [], tenths: [], decided: [], violated: [] };
    const run = new CountedRun(new KnownTexts());
    run.add(none);
    expect(run.inOrder()).toEqual([]);
  });
});

describe('what is newly violated', () => {
  const violated = (
    scenario_id: string,
    position: number,
    ...violations: ViolatedConversation['violations']
  ): ViolatedConversation => ({ scenario_id, position, violations });

  test('is what no conversation of the scenario violated before, in the order of the run', () => {
    const before = [violated(A, 9, MISSED), violated(B, 1, COMMITTED)];
    const after = [violated(B, 7, MISSED, COMMITTED), violated(A, 3, MISSED), violated(A, 2, COMMITTED, MISSED)];
    expect(newlyViolated(before, after)).toEqual([violated(A, 2, COMMITTED), violated(B, 7, MISSED)]);
    expect(newlyViolated([], after).map(({ position }) => position)).toEqual([2, 3, 7]);
  });
});
