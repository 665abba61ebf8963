import { InProcessBus } from '../../../src/engine/bus/in-process.bus';
import { waitingContract } from './bus.contract';

waitingContract(
  'InProcessBus',
  async (options) => {
    const bus = new InProcessBus(options);
    return { connect: async () => bus, close: () => bus.close() };
  },
  { ackWaitMs: 100, dedupeWindowMs: 100 },
  { separateClients: false },
);
