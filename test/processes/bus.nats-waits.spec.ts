import { waitingContract } from '../engine/bus/bus.contract';
import { describeWithNats } from '../setup/describe-with-nats';
import { startNatsBuses } from '../setup/nats-harness';
import { NatsServer } from '../setup/nats-server';

describeWithNats('NatsBus', (binary) => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await NatsServer.start(binary);
  });
  afterAll(() => server.close());

  waitingContract(
    'NatsBus',
    (options) => startNatsBuses(server, options),
    { ackWaitMs: 500, dedupeWindowMs: 300 },
    { separateClients: true },
  );
});
