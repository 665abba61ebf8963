import { randomUUID } from 'node:crypto';
import {
  appendedEvent,
  appendEvents,
  lockRun,
  readFields,
  settledBy,
  storedFieldsOf,
  type EventDraft,
} from '../../../src/engine/ledger/run-log';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

const scenario_run_id = randomUUID();
const [scenario_id, run_id] = [randomUUID(), randomUUID()];
const AT = new Date('2026-11-21T10:00:00.000Z');
const COUNTS = { total: 1, passed: 1, failed: 0, error: 0, canceled: 0, running: 0, pending: 0 };

const TURN: EventDraft = {
  type: 'transcript_update',
  scenario_run_id,
  turn: 2,
  patient_message: 'My chest hurts.',
  agent_message: 'Call 999.',
  latency_ms: 5,
};
const COMPLETE: EventDraft = { type: 'scenario_complete', scenario_run_id, status: 'failed' };
const FAILED: EventDraft = { type: 'scenario_error', scenario_run_id, error_code: 'provider_timeout', error: 'No.' };
const CANCELED: EventDraft = { type: 'scenario_canceled', scenario_run_id };
const STARTED: EventDraft = { type: 'test_run_started', total_scenarios: 1, scenarios_launched: 1 };

it.each<[EventDraft, string | null]>([
  [COMPLETE, 'failed'],
  [{ ...COMPLETE, status: 'passed' }, 'passed'],
  [FAILED, 'error'],
  [CANCELED, 'canceled'],
  [TURN, null],
  [STARTED, null],
])('the event %j settles its scenario run as %s', (draft, settled) => {
  expect(settledBy(draft)).toBe(settled);
});

describe('what the log keeps of an event', () => {
  it('is which turn it is, and not what was said in it', () => {
    expect(storedFieldsOf(TURN)).toStrictEqual({ type: 'transcript_update', scenario_run_id, turn: 2 });
  });

  it('is all of any other', () => {
    for (const draft of [COMPLETE, FAILED, CANCELED, STARTED]) expect(storedFieldsOf(draft)).toStrictEqual(draft);
  });
});

describe('an event as its subscribers hear it', () => {
  it('is as it was written, with its place', () => {
    for (const draft of [TURN, CANCELED, STARTED]) {
      expect(appendedEvent(run_id, draft, { seq: 3, at: AT, whole: null })).toEqual({
        ...draft,
        run_id,
        seq: 3,
        at: AT.toISOString(),
      });
    }
  });

  it.each([[COMPLETE], [FAILED]])('has what the database added to %j', (draft) => {
    const added = { scenario_id, counts: COUNTS };
    const whole = JSON.stringify({ ...draft, ...added });
    expect(appendedEvent(run_id, draft, { seq: 3, at: AT, whole })).toMatchObject({ ...draft, ...added, seq: 3 });
  });

  it('is none where the stored text is no event', () => {
    expect(() => readFields('{"type":"test_run_forgotten"}')).toThrow('an event of no known shape');
    expect(() => appendedEvent(run_id, COMPLETE, { seq: 3, at: AT, whole: null })).toThrow();
  });
});

describe('a locked run', () => {
  let runs: StoredRuns;
  beforeAll(async () => {
    runs = await openStoredRuns();
  });
  afterAll(() => runs.close());

  it('is as it stands, and none where there is none', async () => {
    const run = await runs.newRun();
    await runs.testRuns.create(run);
    await runs.database.engine.transaction(async (tx) => {
      expect(await lockRun(tx, run.id)).toEqual({ id: run.id, status: 'running', attempt: 1, owner: run.owner });
      expect(await lockRun(tx, randomUUID())).toBeUndefined();
    });
  });

  it('has its events appended in their order, none where there are none', async () => {
    const run = await runs.newRun();
    const { unsettled } = await runs.testRuns.create(run);
    const [id = ''] = unsettled;
    const begun: EventDraft = { type: 'grading_started', scenario_run_id: id };
    await runs.database.engine.transaction(async (tx) => {
      await lockRun(tx, run.id);
      expect(await appendEvents(tx, run.id, [])).toEqual([]);
      const events = await appendEvents(tx, run.id, [begun, { ...STARTED, scenarios_launched: 0 }]);
      expect(events).toMatchObject([
        { ...begun, run_id: run.id, seq: 2 },
        { ...STARTED, scenarios_launched: 0, seq: 3 },
      ]);
    });
    const rows = await runs.database.query(
      'SELECT seq::int, scenario_run_id FROM run_log WHERE test_run_id = $1 ORDER BY seq',
      [run.id],
    );
    expect(rows).toEqual([
      { seq: 1, scenario_run_id: null },
      { seq: 2, scenario_run_id: id },
      { seq: 3, scenario_run_id: null },
    ]);
  });
});
