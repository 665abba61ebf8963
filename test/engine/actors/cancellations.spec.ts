import { ActorHost } from '../../../src/engine/actors/actor-host';
import { Cancellations } from '../../../src/engine/actors/cancellations';
import { Settlements } from '../../../src/engine/actors/settlements';
import { subjects } from '../../../src/engine/bus/bus';
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

/** A process that supervises two runs; of another, it would hear over its bus. */
async function open() {
  const supervisors = openSupervisors(runs);
  const { owner, actors, bus } = supervisors;
  const executed = executedRows(runs, supervisors, threads);
  const host = new ActorHost(executed.actors, actors);
  const cancellations = new Cancellations(bus, host, runs.ownership);
  cleanups.push(supervisors.close, executed.close);
  const claims = [await runs.createRun({ owner }), await runs.createRun({ owner })];
  for (const claim of claims) actors.supervise(claim);
  const [one = '', other = ''] = claims.map(({ testRunId }) => testRunId);
  return { bus, actors, cancellations, one, other };
}

describe('a stored cancellation', () => {
  test('that another process announces ends the actors of that run here, and no others', async () => {
    const { bus, actors, cancellations, one, other } = await open();
    cancellations.start();
    await runs.testRuns.cancel(one);
    bus.publish(subjects.cancelTestRun(one), {});
    await eventually(() => expect(actors.listIds()).toEqual([other]));
    cancellations.stop();
    await runs.testRuns.cancel(other);
    bus.publish(subjects.cancelTestRun(other), {});
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(actors.listIds()).toEqual([other]);
  });

  test('is looked up before it is believed: what the rows do not say ends nobody', async () => {
    const { bus, actors, cancellations, one, other } = await open();
    cancellations.start();
    for (const id of [one, other, 'unknown']) bus.publish(`osce.test-run.command.cancel.${id}`, {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(actors.listIds()).toEqual([one, other]);
    // Having said so in vain changes nothing.
    await runs.testRuns.cancel(one);
    bus.publish(subjects.cancelTestRun(one), {});
    await eventually(() => expect(actors.listIds()).toEqual([other]));
    cancellations.stop();
  });

  test('is told to every process when it is announced here', async () => {
    const { bus, cancellations, one } = await open();
    const heard: string[] = [];
    bus.subscribe(subjects.anyCancel, (_payload, subject) => heard.push(subject));
    cancellations.announce(one);
    await eventually(() => expect(heard).toEqual([subjects.cancelTestRun(one)]));
  });

  test('ends the actors of its own process before the announcement returns, while the bus is down', async () => {
    const { bus, actors, cancellations, one, other } = await open();
    await bus.close();
    cancellations.announce(one);
    expect(actors.listIds()).toEqual([other]);
  });
});

test('a report of an end that nobody understands settles nothing', async () => {
  const { bus, one } = await open();
  const heard: string[] = [];
  const settlements = new Settlements(bus);
  const listening = settlements.listen(one, (id) => heard.push(id));
  for (const payload of [null, {}, { scenario_run_id: 7 }]) bus.publish(subjects.settlement(one), payload);
  settlements.announce(one, 'ended');
  await eventually(() => expect(heard).toEqual(['ended']));
  listening.unsubscribe();
});
