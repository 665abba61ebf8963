import { z } from 'zod';
import { Child } from './child';

export const readCommand = z.object({
  type: z.literal('read'),
  url: z.string(),
  connections: z.int(),
  seconds: z.number(),
});

type ReadCommand = z.infer<typeof readCommand>;

const served = z.object({
  requestsPerSecond: z.number(),
  p99Ms: z.number(),
  /** Processor time of the generator divided by wall time: near 1 the generator measures itself. */
  processorShare: z.number(),
});
export type Served = z.infer<typeof served>;

/** Asks for one address as fast as it is answered, one request a connection at a time, from a process of its own. */
export class ReadLoad {
  private readonly child = Child.start<ReadCommand>('read-load');

  /** @throws Error when an answer is not a 200 */
  read(url: string, connections: number, seconds: number): Promise<Served> {
    return this.child.ask({ type: 'read', url, connections, seconds }, served);
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}
