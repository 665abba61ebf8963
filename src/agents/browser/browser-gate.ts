import { Transform, type TransformCallback } from 'node:stream';

/** More than any answer that is used: text that is read has at most 2 million characters, a screenshot a few hundred kilobytes. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** Events that the driver does not listen to; a page can make them as large and as many as it likes. */
const UNWANTED =
  /^\{"method":"(Runtime\.(consoleAPICalled|exceptionThrown)|Log\.entryAdded|Network\.(webSocket\w+|eventSourceMessageReceived))"/;
const ENDS_BYTES = 200;
const NUL = Buffer.alloc(1);

/**
 * What a browser sends its driver, without what could harm the driver: events that the driver ignores are dropped, as are messages of
 * more than `maxBytes`; such an answer to a request, which the driver waits for, becomes an error. Chromium's pipe protocol: JSON,
 * each message ended by NUL. The driver makes a string of each message whatever its size, and takes its process down
 * when the string would be longer than the language allows.
 */
export class BrowserGate extends Transform {
  private parts: Buffer[] = [];
  private length = 0;
  /** The last bytes of a message that is too large. */
  private tail = Buffer.alloc(0);

  constructor(private readonly maxBytes = MAX_MESSAGE_BYTES) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      this.gather(chunk.subarray(start, end));
      this.finish();
      start = end + 1;
    }
    this.gather(chunk.subarray(start));
    done();
  }

  private gather(part: Buffer): void {
    if (part.length === 0) return;
    this.length += part.length;
    if (this.length <= this.maxBytes) {
      this.parts.push(part);
      return;
    }
    // The beginning says what it is, the end which page it is for.
    if (this.parts.length > 1) this.parts = [Buffer.concat(this.parts).subarray(0, ENDS_BYTES)];
    else if (this.parts.length === 0) this.parts = [part.subarray(0, ENDS_BYTES)];
    this.tail = Buffer.concat([this.tail, part.subarray(-ENDS_BYTES)]).subarray(-ENDS_BYTES);
  }

  private finish(): void {
    const message = this.length <= this.maxBytes ? Buffer.concat(this.parts) : this.refusal();
    if (message !== null && !UNWANTED.test(message.toString('latin1', 0, ENDS_BYTES))) {
      this.push(Buffer.concat([message, NUL]));
    }
    this.parts = [];
    this.length = 0;
    this.tail = Buffer.alloc(0);
  }

  /** What is sent instead of an answer that is too large; null for an event. */
  private refusal(): Buffer | null {
    const head = this.parts[0]?.toString('latin1', 0, ENDS_BYTES) ?? '';
    const id = /^\{"id":(\d+),/.exec(head)?.[1];
    if (id === undefined) return null;
    const sessionId = /"sessionId":"(\w+)"\}$/.exec(this.tail.toString('latin1'))?.[1];
    const error = { code: -32_000, message: `The page's answer has more than ${this.maxBytes} bytes.` };
    return Buffer.from(JSON.stringify({ id: Number(id), error, sessionId }));
  }
}
