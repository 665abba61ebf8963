import { z } from 'zod';
import { Child } from './child';

export const collectorCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listen') }),
  /** Forgets what was counted. */
  z.object({ type: z.literal('take') }),
]);

type CollectorCommand = z.infer<typeof collectorCommand>;

/** A stub of a collector, in a process of its own: takes OTLP over HTTP and counts the spans. */
export class TraceCollector {
  private constructor(
    private readonly child: Child<CollectorCommand>,
    readonly url: string,
  ) {}

  static async start(): Promise<TraceCollector> {
    const child = Child.start<CollectorCommand>('trace-collector');
    const { url } = await child.ask({ type: 'listen' }, z.object({ url: z.string() }));
    return new TraceCollector(child, url);
  }

  /** The number of spans that have arrived since the previous call. */
  async take(): Promise<number> {
    return (await this.child.ask({ type: 'take' }, z.object({ spans: z.int() }))).spans;
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}
