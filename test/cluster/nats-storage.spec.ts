import { describeWithNats } from '../setup/describe-with-nats';
import { EventClient } from '../setup/event-client';
import { eventually } from '../setup/eventually';
import { Examination } from './examination';

describeWithNats('three processes', (natsServer) => {
  let examination: Examination;
  let subscriber: EventClient | null = null;
  beforeEach(async () => {
    examination = await Examination.start({ processes: 3, natsServer });
  });
  afterEach(async () => {
    subscriber?.close();
    await examination.close();
  });

  test('end a run in the middle of which NATS comes back without its storage', async () => {
    const { cluster } = examination;
    const id = await examination.startRun();
    subscriber = await EventClient.open(`${cluster.process(2).url}/events?run_id=${id}`);
    await eventually(async () => expect(await examination.countOwners(id)).toBe(3));
    await examination.untilTurns(id, 40);
    await cluster.nats.kill();
    await cluster.nats.deleteStorage();
    await eventually(async () => {
      const { status, body } = await cluster.process(1).api.get('/health');
      expect(status).toBe(503);
      expect(body.checks.bus.status).toBe('error');
    }, 30_000);
    await cluster.nats.start();
    await examination.expectWhole(id, { waitOn: 1, lookOn: 2 });
    await eventually(async () => {
      const { status, body } = await cluster.process(0).api.get('/health');
      expect(status).toBe(200);
      expect(body.checks.bus.detail).toContain(natsServer.version);
    }, 30_000);

    // What nobody could tell while NATS was away was told afterwards.
    expect(await subscriber.ended).toBe(true);
    expect(subscriber.ids).toEqual(subscriber.ids.map((_, at) => at + 1));
    expect(subscriber.events.at(-1)?.data).toMatchObject({ type: 'test_run_complete' });
  });
});
