import { waitingContract } from './bus.contract';
import { startMachine } from './worker-machine';

waitingContract('WorkerBus', startMachine, { ackWaitMs: 300, dedupeWindowMs: 300 }, { separateClients: true });
