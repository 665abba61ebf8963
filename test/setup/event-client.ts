import { type ClientRequest, get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

export interface StreamMessage {
  readonly id: number | undefined;
  readonly data: Record<string, unknown>;
}

/** A subscriber over node:http that keeps everything it was sent, and can stop reading. */
export class EventClient {
  readonly messages: StreamMessage[] = [];
  readonly comments: string[] = [];
  /** Resolves when the stream is over: true when the server ended it, false when it broke. */
  readonly ended: Promise<boolean>;
  private rest = '';

  private constructor(
    private readonly request: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.take(text));
    response.on('error', () => undefined);
    this.ended = new Promise((resolve) => response.on('close', () => resolve(response.complete)));
  }

  static async open(url: string, headers: IncomingHttpHeaders = {}): Promise<EventClient> {
    const request = get(url, { headers, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => undefined);
    return new EventClient(request, response);
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  /** Ids of the events received, in the order they came. */
  get ids(): (number | undefined)[] {
    return this.events.map(({ id }) => id);
  }

  /** Everything but the first message, `connected`. */
  get events(): StreamMessage[] {
    return this.messages.slice(1);
  }

  /** The body of an answer that is no stream. */
  async body(): Promise<unknown> {
    await this.ended;
    return this.rest === '' ? undefined : JSON.parse(this.rest);
  }

  pause(): void {
    this.response.pause();
  }

  resume(): void {
    this.response.resume();
  }

  close(): void {
    this.request.destroy();
  }

  private take(text: string): void {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) this.read(block);
  }

  private read(block: string): void {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      if (line.startsWith(':')) this.comments.push(line);
      else fields.set(line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2));
    }
    const data = fields.get('data');
    if (data === undefined) return;
    const id = fields.get('id');
    this.messages.push({ id: id === undefined ? undefined : Number(id), data: JSON.parse(data) });
  }
}
