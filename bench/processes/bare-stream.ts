import { z } from 'zod';
import { Child } from './child';

export const streamCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('serve') }),
  /** Sends every subscriber so many events, one at a time, and then ends their streams. */
  z.object({ type: z.literal('tell'), events: z.int(), everyMs: z.number() }),
]);

type StreamCommand = z.infer<typeof streamCommand>;

/** The floor of an event stream: node:http writes the same text to every subscriber, in a process of its own. */
export class BareStream {
  private readonly child = Child.start<StreamCommand>('bare-stream');

  async serve(): Promise<string> {
    return (await this.child.ask({ type: 'serve' }, z.object({ url: z.string() }))).url;
  }

  async tell(events: number, everyMs: number): Promise<void> {
    await this.child.ask({ type: 'tell', events, everyMs }, z.unknown());
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}
