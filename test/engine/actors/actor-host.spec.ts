import { ActorHost } from '../../../src/engine/actors/actor-host';
import { instantNow } from '../../../src/engine/actors/two-clock-instant';
import { OfflineJudge } from '../../../src/examiners/judge/offline.judge';
import { OfflineTester } from '../../../src/examiners/tester/offline.tester';
import { eventually } from '../../setup/eventually';
import { executedRows } from '../../setup/executed-rows';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { openSupervisors } from '../../setup/supervisors';
import { openTextThreads } from '../../setup/text-threads';

const threads = openTextThreads();
let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
afterAll(() => runs.close());

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A process that supervises a run. */
async function open() {
  const supervisors = openSupervisors(runs);
  const { owner, actors } = supervisors;
  const executed = executedRows(runs, supervisors, threads);
  cleanups.push(supervisors.close, executed.close);
  const run = await runs.createRun({ owner });
  actors.supervise(run);
  return { host: new ActorHost(executed.actors, actors), supervisors, executed, owner, run };
}

describe('the actors of a process', () => {
  test('are of every run that it supervises or executes something of, each named once', async () => {
    const { host, executed, owner, run } = await open();
    const elsewhere = await runs.createRun();
    for (const { testRunId, unsettled } of [run, elsewhere, elsewhere]) {
      const ref = { scenarioRunId: unsettled[0] ?? '', testRunId, owner, attempt: 1 };
      executed.actors.leases.push(executed.leases.begin(ref, instantNow()));
    }
    expect(host.listTestRunIds()).toEqual([run.testRunId, elsewhere.testRunId]);
    expect([...host.listLive()].map(({ kind, id }) => [kind, id])).toEqual([['test_run', run.testRunId]]);
  });

  test('are shown to those who look on when they start, of both kinds', async () => {
    const { host, executed, supervisors } = await open();
    const shown: string[] = [];
    host.onStarting(({ kind, id }) => shown.push(`${kind} ${id}`));
    const run = await runs.createRun({ owner: supervisors.owner });
    const [scenarioRunId = ''] = run.unsettled;
    supervisors.actors.supervise(run);
    const claim = await runs.claim(scenarioRunId, run.testRunId, supervisors.owner);
    if (claim.kind !== 'claimed') throw new Error('The scenario run was not claimed.');
    const players = { tester: new OfflineTester(threads), judge: new OfflineJudge(threads) };
    // It has no rubric, so that its actor ends without a conversation.
    await executed.actors.execute(claim.record, players, instantNow());
    expect(shown).toEqual([`test_run ${run.testRunId}`, `scenario_run ${scenarioRunId}`]);
  });

  test('are idle only once every supervisor has released its row, too', async () => {
    const { host, run } = await open();
    host.releaseAll();
    expect([host.liveScenarioRuns, host.isIdle]).toEqual([0, false]);
    await eventually(() => expect(host.isIdle).toBe(true));
    const rows = await runs.database.query('SELECT status, owner FROM test_runs WHERE id = $1', [run.testRunId]);
    expect(rows).toEqual([{ status: 'running', owner: null }]);
  });
});
