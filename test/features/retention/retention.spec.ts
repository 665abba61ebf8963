import { createLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import { AgentsStore } from '../../../src/features/agents/agents.store';
import { AuditStore, type AuditRecord } from '../../../src/features/audit/audit.store';
import { Retention } from '../../../src/features/retention/retention';
import { Jobs } from '../../../src/platform/jobs/jobs';
import { UpkeepTask } from '../../../src/platform/jobs/upkeep';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
beforeEach(async () => {
  runs = await openStoredRuns();
});
afterEach(() => runs.close());

/** Retention that keeps runs for so many days, round by round, and what it logs. */
function retentionFor(days: string) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const jobs = new Jobs(runs.database, log);
  const retention = new Retention(jobs, new AgentsStore(runs.database), settingsFrom({ RETENTION_DAYS: days }), log);
  const clearing = new UpkeepTask(retention.clearing, runs.database, log);
  const retiring = new UpkeepTask(retention.retiring, runs.database, log);
  return { jobs, lines, clearing, clear: () => clearing.round(), retire: () => retiring.round() };
}

async function canceledRun(endedDaysAgo: number): Promise<string> {
  const { testRunId } = await runs.createRun({ scenarios: 60 });
  await runs.testRuns.cancel(testRunId);
  await runs.database.query(
    `UPDATE test_runs SET created_at = created_at - make_interval(days => $2),
       completed_at = completed_at - make_interval(days => $2) WHERE id = $1`,
    [testRunId, endedDaysAgo],
  );
  return testRunId;
}

/** What the audit trail says, or says of one run. */
async function recordsOf(resourceId?: string): Promise<readonly AuditRecord[]> {
  const { records } = await new AuditStore(runs.database).list({ limit: 100, offset: 0, resourceId });
  return records;
}

const left = async () => (await runs.database.query<{ id: string }>('SELECT id FROM test_runs')).map(({ id }) => id);

test('what is too old goes with all that belongs to it, and the log says what and how much that was', async () => {
  const old: string[] = [];
  for (let run = 0; run < 21; run += 1) old.push(await canceledRun(31));
  const young = await canceledRun(29);
  const { retire, clear, lines } = retentionFor('30');
  await retire();
  expect(await left()).toEqual([young]);
  await clear();
  expect(lines).toEqual([
    expect.objectContaining({ msg: 'Runs that ended too long ago were deleted', runs: 20, retentionDays: 30 }),
    expect.objectContaining({ msg: 'Runs that ended too long ago were deleted', runs: 1, retentionDays: 30 }),
    expect.objectContaining({
      msg: 'What deleted runs left behind was cleared away',
      runs: 21,
      scenarioRuns: 21 * 60,
      turns: 0,
      events: expect.any(Number),
      seconds: expect.any(Number),
    }),
  ]);
  const told = lines.flatMap(({ testRunIds }) => (Array.isArray(testRunIds) ? testRunIds : []));
  expect(told.sort()).toEqual(old.sort());
  expect(await runs.database.query('SELECT DISTINCT test_run_id FROM scenario_runs')).toEqual([{ test_run_id: young }]);
});

test('an auditor finds by its id, and by its label, that the service deleted a run, when and why', async () => {
  const old = await canceledRun(31);
  const [run] = await runs.database.query<{ label: string }>('SELECT label FROM test_runs WHERE id = $1', [old]);
  await retentionFor('30').retire();
  const record = {
    at: expect.any(Date),
    who: 'the service',
    role: 'retention',
    address: null,
    method: 'DELETE',
    route: 'RETENTION_DAYS=30',
    resource: 'tests',
    resource_ids: [old, run?.label],
    fields: [],
    request_id: null,
    status: 204,
    replayed: false,
    completed_at: expect.any(Date),
  };
  expect(await recordsOf(old)).toEqual([expect.objectContaining(record)]);
  expect(await recordsOf(run?.label)).toEqual([expect.objectContaining(record)]);
});

test('each run has one record, and one of its own, however many processes delete at a time', async () => {
  const old: string[] = [];
  for (let run = 0; run < 21; run += 1) old.push(await canceledRun(31));
  const young = await canceledRun(29);
  await Promise.all([retentionFor('30').retire(), retentionFor('30').retire()]);
  await retentionFor('30').retire();
  expect((await recordsOf()).map(({ resource_ids: [id] }) => id).sort()).toEqual(old.sort());
  expect(await left()).toEqual([young]);
});

test('what cannot be recorded is not deleted; what is deleted later is recorded once', async () => {
  const old = await canceledRun(31);
  await runs.database.query('ALTER TABLE audit_records ADD CONSTRAINT full_up CHECK (false) NOT VALID');
  await expect(retentionFor('30').retire()).rejects.toThrow('full_up');
  expect(await left()).toEqual([old]);
  await runs.database.query('ALTER TABLE audit_records DROP CONSTRAINT full_up');
  await retentionFor('30').retire();
  expect({ left: await left(), records: await recordsOf() }).toMatchObject({ left: [], records: [{ status: 204 }] });
});

test('a trail that somebody has locked holds no run up: they are deleted another time', async () => {
  const old = await canceledRun(31);
  await runs.database.transaction(async (tx) => {
    await tx.query('LOCK TABLE audit_records IN ACCESS EXCLUSIVE MODE');
    await expect(retentionFor('30').retire()).rejects.toThrow('lock timeout');
  });
  expect(await left()).toEqual([old]);
});

test('by itself nothing is too old; what is deleted by hand is cleared away all the same', async () => {
  const old = await canceledRun(4_000);
  const { retire, clear, lines } = retentionFor('');
  await retire();
  expect(await left()).toEqual([old]);
  await clear();
  expect(lines).toEqual([]);
  await runs.testRuns.delete(old);
  await clear();
  expect(lines).toEqual([expect.objectContaining({ runs: 1, scenarioRuns: 60 })]);
});

test('a process that stops leaves the rest to the next', async () => {
  await runs.testRuns.delete(await canceledRun(0));
  const stopping = retentionFor('').clearing;
  await stopping.stop();
  await stopping.round();
  expect(await runs.database.query('SELECT FROM deleted_test_runs')).toHaveLength(1);
  await retentionFor('').clear();
  expect(await runs.database.query('SELECT FROM scenario_runs')).toEqual([]);
});

test('erases deleted agents from its start on, with their credentials, but none that a run still needs', async () => {
  const { jobs } = retentionFor('30');
  const { testRunId } = await runs.createRun();
  await runs.database.query(
    `INSERT INTO agents (provider, name, config, deleted_at) VALUES ('openai', 'Deleted', '{}', now() - interval '1 hour')`,
  );
  await runs.database.query(
    `UPDATE agents SET deleted_at = now() - interval '1 hour' WHERE id = (SELECT agent_id FROM test_runs WHERE id = $1)`,
    [testRunId],
  );
  jobs.onApplicationBootstrap();
  await jobs.beforeApplicationShutdown();
  expect(await runs.database.query('SELECT name FROM agents')).toEqual([{ name: 'Agent' }]);
});
