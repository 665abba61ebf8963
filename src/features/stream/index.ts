/** Sends committed events to clients as server-sent events, from the one that a client saw last: `/events`. */

export { StreamModule } from './stream.module';
export { EventLogStore } from './event-log.store';
