/**
 * Messages between the parts and processes of the service: publish, subscribe, request and a work queue, in this process or over
 * NATS. What is on the bus may get lost; what counts is in the rows.
 */

export { BusModule, type BusName } from './bus.module';
export { InProcessBus } from './in-process.bus';
export { serveWorker } from './worker-hub';
export { linkOver } from './worker-link';
export { Bus, subjects, BusError, BusStartError, type Subscription } from './bus';
