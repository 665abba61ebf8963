/**
 * The live actors that carry out runs, and what keeps them alive: taking work, heartbeats, leases, cancellation, and the
 * reconciler that mends what a lost process left. Features come here to have a run begun or canceled, and to look at the actors
 * of this process.
 */

// The actors of this process.
export { ActorsModule } from './actors.module';
export { ActorsLifecycle } from './actors.lifecycle';
export { ActorHost } from './actor-host';
export type { LiveActor } from './live-actor';
export { TestRunActors } from './test-run-actors';
export { Cancellations } from './cancellations';
export { SpokenConversations } from './spoken-conversations';
export { untilAvailable } from './persistent-retry';

// This process among the others.
export { ProcessId } from './process-id';
export { ServiceProcesses } from './service-processes';
export { ProcessesStore } from './processes.store';
