import { EventClient } from '../setup/event-client';
import { untilFinal } from '../setup/examination';
import { Examination, SCENARIOS, TURNS } from './examination';

let examination: Examination;
let subscriber: EventClient;
beforeEach(async () => {
  examination = await Examination.start({ processes: 2 });
});
afterEach(async () => {
  subscriber.close();
  await examination.close();
});

/** start and end of the run; start, turns, start of grading, its end and the verdict of each scenario run. */
const EVENTS = 2 + SCENARIOS * (1 + TURNS + 3);
const EVERY_SEQ = Array.from({ length: EVENTS }, (_, at) => at + 1);

async function subscribe(id: string, headers: Record<string, string> = {}): Promise<EventClient> {
  return EventClient.open(`${examination.cluster.process(1).url}/events?run_id=${id}`, headers);
}

test('a subscriber of another process hears each event once and in order', async () => {
  const id = await examination.startRun();
  subscriber = await subscribe(id);
  expect(await subscriber.ended).toBe(true);
  expect(subscriber.ids).toEqual(EVERY_SEQ);
});

test('also when that process is cut off from NATS meanwhile', async () => {
  const { cluster } = examination;
  const id = await examination.startRun();
  subscriber = await subscribe(id);
  await examination.untilTurns(id, 20);
  cluster.member(1).toNats.cut();
  await examination.untilTurns(id, 60);
  await cluster.member(1).toNats.restore();
  expect(await subscriber.ended).toBe(true);
  expect(subscriber.ids).toEqual(EVERY_SEQ);
});

test('and when it has to go on at another process than it began at', async () => {
  const { cluster } = examination;
  const id = await examination.startRun();
  subscriber = await EventClient.open(`${cluster.process(0).url}/events?run_id=${id}`);
  await examination.untilTurns(id, 40);
  await cluster.process(0).end('SIGKILL');
  expect(await subscriber.ended).toBe(false);
  const heard = subscriber.ids;
  subscriber = await subscribe(id, { 'last-event-id': String(heard.at(-1)) });
  await untilFinal(cluster.process(1).api, id, 90_000);
  expect(await subscriber.ended).toBe(true);
  const all = [...heard, ...subscriber.ids];
  expect(all).toEqual(Array.from(all, (_, at) => at + 1));
  expect(subscriber.events.at(-1)?.data).toMatchObject({ type: 'test_run_complete', passed_count: SCENARIOS });
});
