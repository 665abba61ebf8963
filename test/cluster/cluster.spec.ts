import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../setup/eventually';
import { eventsOf } from './expectations';
import { CONCURRENCY, Examination, SCENARIOS, TURNS } from './examination';

let examination: Examination;
beforeEach(async () => {
  examination = await Examination.start({ processes: 3 });
});
afterEach(() => examination.close());

test('three processes share the work of one run, within its concurrency limit', async () => {
  const id = await examination.startRun();
  await eventually(async () => expect(await examination.countOwners(id)).toBe(3));
  await examination.expectWhole(id, { waitOn: 1, lookOn: 2 });
  // Each message is sent once.
  expect(examination.agent.requests).toHaveLength(SCENARIOS * TURNS);
  expect(examination.peak).toBeLessThanOrEqual(CONCURRENCY);
});

test('requests_per_minute of an agent holds over all processes together', async () => {
  const id = await examination.startRun({}, { requests_per_minute: 1_200 });
  await examination.expectWhole(id, { waitOn: 1, lookOn: 2 });
  const { answeredAt } = examination;
  const spentMs = (answeredAt.at(-1) ?? 0) - (answeredAt[0] ?? 0);
  // One in 50 ms, less what may be caught up.
  expect(spentMs).toBeGreaterThan((SCENARIOS * TURNS - 1) * 50 - 200);
});

test('a killed supervisor costs seconds and nothing else', async () => {
  const { cluster } = examination;
  const undisturbed = await examination.startRun();
  const began = Date.now();
  await examination.expectWhole(undisturbed, { waitOn: 1, lookOn: 2 });
  const undisturbedMs = Date.now() - began;

  const id = await examination.startRun();
  await examination.untilTurns(id, 40);
  await cluster.process(0).end('SIGKILL');
  const killed = Date.now();
  await examination.expectWhole(id, { waitOn: 1, lookOn: 2 });
  // A lease is 15 s and the reconciler looks every 3 s.
  expect(Date.now() - killed).toBeLessThan(undisturbedMs + 25_000);
  expect(await examination.countTakenOver(id)).toBeGreaterThan(0);
});

test('a paused process loses its work to others and is one of them again when it wakes up', async () => {
  const { cluster } = examination;
  const id = await examination.startRun();
  await examination.untilTurns(id, 40);
  cluster.process(0).pause();
  await sleep(20_000);
  cluster.process(0).resume();
  await examination.expectWhole(id, { waitOn: 1, lookOn: 2 });
  expect(await examination.countTakenOver(id)).toBeGreaterThan(0);
  // It is one of the cluster again.
  await eventually(async () => expect((await cluster.process(0).api.get('/health')).status).toBe(200), 30_000);
});

test('a scheduled run starts once, although the process that took it is dead', async () => {
  const { cluster } = examination;
  const inThreeSeconds = new Date(Date.now() + 3_000).toISOString();
  const id = await examination.startRun({ scheduled_at: inThreeSeconds });
  await cluster.process(0).end('SIGKILL');
  await examination.expectWhole(id, { waitOn: 1, lookOn: 2 });
  const events = await eventsOf(cluster.process(1).api, id);
  expect(events.filter(({ type }) => type === 'test_run_started')).toHaveLength(1);
});
