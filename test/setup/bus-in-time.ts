import type { Bus } from '../../src/engine/bus/bus';
import { inTime } from './eventually';

/** A bus of which nothing is awaited for longer than anything else that is to come: what stands still fails its test. */
export function busInTime(bus: Bus): Bus {
  return {
    publish: (...message) => bus.publish(...message),
    subscribe: (...listening) => bus.subscribe(...listening),
    request: (...question) => inTime(bus.request(...question)),
    respond: (...listening) => bus.respond(...listening),
    enqueue: (...work) => inTime(bus.enqueue(...work)),
    consume: (...listening) => bus.consume(...listening),
    status: () => bus.status(),
    close: () => inTime(bus.close()),
  };
}
