import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../setup/eventually';
import { Examination, SCENARIOS } from './examination';

let examination: Examination;
afterEach(() => examination.close());

async function healthOf(number: number): Promise<{ status: number; bus: string; database: string }> {
  const { status, body } = await examination.cluster.process(number).api.get('/health');
  return { status, bus: body.checks.bus.status, database: body.checks.database.status };
}

test('a process that NATS does not answer says so; the run ends all the same', async () => {
  examination = await Examination.start({ processes: 2 });
  const { cluster } = examination;
  const id = await examination.startRun();
  await examination.untilTurns(id, 20);
  cluster.member(0).toNats.drop();
  await eventually(async () => {
    expect(await healthOf(0)).toEqual({ status: 503, bus: 'error', database: 'ok' });
  }, 30_000);
  expect(await healthOf(1)).toEqual({ status: 200, bus: 'ok', database: 'ok' });
  await cluster.member(0).toNats.restore();
  await examination.expectWhole(id, { waitOn: 1, lookOn: 0 });
  await eventually(async () => expect(await healthOf(0)).toEqual({ status: 200, bus: 'ok', database: 'ok' }), 30_000);
});

test('what is under way ends while NATS is away', async () => {
  examination = await Examination.start({ processes: 2 });
  const { cluster } = examination;
  const id = await examination.startRun({ concurrency_limit: SCENARIOS });
  await examination.untilTurns(id, SCENARIOS * 2);
  await cluster.nats.kill();
  await examination.expectWhole(id, { waitOn: 1, lookOn: 0 });
  expect(await healthOf(0)).toEqual({ status: 503, bus: 'error', database: 'ok' });
});

test('a process that loses the database for longer than a lease is fenced off, and comes back', async () => {
  examination = await Examination.start({ processes: 2 });
  const { cluster } = examination;
  const id = await examination.startRun();
  await examination.untilTurns(id, 40);
  cluster.member(0).toPostgres.drop();
  await sleep(20_000);
  await cluster.member(0).toPostgres.restore();
  await examination.expectWhole(id, { waitOn: 1, lookOn: 1 });
  expect(await examination.countTakenOver(id)).toBeGreaterThan(0);
  await eventually(async () => expect(await healthOf(0)).toEqual({ status: 200, bus: 'ok', database: 'ok' }), 45_000);
});

test('a slow network makes a run slow and nothing else', async () => {
  examination = await Examination.start({ processes: 2 });
  for (const { toNats, toPostgres } of examination.cluster.members) {
    toNats.delay(60);
    toPostgres.delay(20);
  }
  const id = await examination.startRun();
  await examination.expectWhole(id, { waitOn: 0, lookOn: 1 });
  expect(await examination.countTakenOver(id)).toBe(0);
});

test('PostgreSQL crashes in the middle of a run and starts again', async () => {
  examination = await Examination.start({ processes: 2, ownPostgres: true });
  const id = await examination.startRun();
  await examination.untilTurns(id, 40);
  examination.cluster.database.crash?.();
  await examination.expectWhole(id, { waitOn: 0, lookOn: 1 });
});

test('a process that has lost both servers for good ends when it is told to, and the others finish its work', async () => {
  examination = await Examination.start({ processes: 2 });
  const { cluster } = examination;
  const id = await examination.startRun();
  await examination.untilTurns(id, 40);
  cluster.member(0).toNats.drop();
  cluster.member(0).toPostgres.drop();
  // Without the limit of 10 s that the service sets itself it would not end at all, and neither would this wait.
  await cluster.process(0).end('SIGTERM');
  await examination.expectWhole(id, { waitOn: 1, lookOn: 1 });
  expect(await examination.countTakenOver(id)).toBeGreaterThan(0);
});
