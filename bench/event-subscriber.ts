import { once } from 'node:events';
import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import { z } from 'zod';
import { monotonicMs } from './clock';

const streamed = z.looseObject({
  type: z.string(),
  scenario_run_id: z.string().optional(),
  turn: z.int().optional(),
  agent_message: z.string().optional(),
  latency_ms: z.number().optional(),
  error_count: z.int().optional(),
  error: z.string().optional(),
});
export type StreamedEvent = z.infer<typeof streamed>;

/** One subscriber of an event stream. */
export class EventSubscriber {
  private rest = '';

  private constructor(
    private readonly request: ClientRequest,
    private readonly response: IncomingMessage,
    onEvent: (event: StreamedEvent, heardAt: number) => void,
  ) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.read(text, onEvent));
  }

  /** Resolves when the stream is open. `heardAt` is on the clock that all processes share. */
  static async open(url: string, onEvent: (event: StreamedEvent, heardAt: number) => void): Promise<EventSubscriber> {
    const request = get(url, { agent: false });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      request.once('error', reject);
    });
    if (response.statusCode !== 200) throw new Error(`${url} was answered ${response.statusCode}.`);
    return new EventSubscriber(request, response, onEvent);
  }

  /** Resolves when the server ends the stream. */
  async ended(): Promise<void> {
    if (!this.response.readableEnded) await once(this.response, 'end');
  }

  close(): void {
    this.response.on('error', () => undefined);
    this.request.destroy();
  }

  private read(text: string, onEvent: (event: StreamedEvent, heardAt: number) => void): void {
    const heardAt = monotonicMs();
    const messages = (this.rest + text).split('\n\n');
    this.rest = messages.pop() ?? '';
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1];
      if (data !== undefined) onEvent(streamed.parse(JSON.parse(data)), heardAt);
    }
  }
}
