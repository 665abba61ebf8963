import { UsageFailure } from '../failure';

export interface Line {
  /** From 1. */
  readonly number: number;
  /** The line without its line end; a UsageFailure where it is not text. */
  readonly text: string | UsageFailure;
}

const LINE_FEED = 0x0a;
/** Far above the 1 MiB that a request may have. */
const LONGEST_LINE = 8 * 1024 * 1024;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The lines of a file of any size, with only one of them in memory. Not node:readline: that also ends lines at U+2028, which
 * JSON allows inside a text.
 */
export async function* linesOf(chunks: AsyncIterable<unknown>): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 1;
  const take = (): Line => {
    const line = { number, text: length > LONGEST_LINE ? tooLong() : decoded(Buffer.concat(parts), number) };
    parts = [];
    length = 0;
    number += 1;
    return line;
  };
  for await (const chunk of chunks) {
    let rest = bytesOf(chunk);
    for (let at = rest.indexOf(LINE_FEED); at >= 0; at = rest.indexOf(LINE_FEED)) {
      add(rest.subarray(0, at));
      yield take();
      rest = rest.subarray(at + 1);
    }
    add(rest);
  }
  if (length > 0) yield take();

  function add(bytes: Buffer): void {
    length += bytes.length;
    // A line that is too long is not kept; its end is still searched for.
    if (length <= LONGEST_LINE) parts.push(bytes);
  }
}

function bytesOf(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk;
  return chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.from(String(chunk));
}

function tooLong(): UsageFailure {
  return new UsageFailure('is longer than 8 MiB');
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Buffer, number: number): string | UsageFailure {
  try {
    const text = decoder.decode(bytes);
    return number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  } catch {
    return new UsageFailure('is not UTF-8 text');
  }
}
