import { z } from 'zod';
import { Child } from './child';

export const crowdCommand = z.discriminatedUnion('type', [
  /** Opens so many streams; resolves when every one of them has begun. */
  z.object({ type: z.literal('open'), url: z.string(), subscribers: z.int() }),
  /** Resolves when every stream has ended. */
  z.object({ type: z.literal('gather') }),
]);

type CrowdCommand = z.infer<typeof crowdCommand>;

const gathered = z.object({
  /** For each turn that all subscribers received: milliseconds from the event's `at` until the last one had it. */
  delays: z.array(z.number()),
  /** Turns that at least one subscriber never received. */
  incomplete: z.int(),
});
export type Gathered = z.infer<typeof gathered>;

/** Many subscribers of one event stream, in a process of their own. */
export class SubscriberCrowd {
  private readonly child = Child.start<CrowdCommand>('subscriber-crowd');

  async open(url: string, subscribers: number): Promise<void> {
    await this.child.ask({ type: 'open', url, subscribers }, z.unknown());
  }

  gather(): Promise<Gathered> {
    return this.child.ask({ type: 'gather' }, gathered);
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}
