import { z } from 'zod';
import { Child } from './child';

export const endpointCommand = z.object({ type: z.literal('serve'), document: z.string() });

type EndpointCommand = z.infer<typeof endpointCommand>;

/** The floor of a read: a Nest application with one endpoint that sends a text, in a process of its own. */
export class BareEndpoint {
  private constructor(
    private readonly child: Child<EndpointCommand>,
    readonly url: string,
  ) {}

  /** @param document the JSON text that every request is answered with */
  static async start(document: string): Promise<BareEndpoint> {
    const child = Child.start<EndpointCommand>('bare-endpoint');
    const { url } = await child.ask({ type: 'serve', document }, z.object({ url: z.string() }));
    return new BareEndpoint(child, url);
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}
