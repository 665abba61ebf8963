import { once } from 'node:events';
import { isNativeError } from 'node:util/types';
import type { Client, Connection } from 'pg';

/** What the driver's connection has beyond its types: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Rows are gathered up to this size, so that a row costs no turn of the event loop. */
const CHUNK_BYTES = 65_536;
/** The socket is not read from while so much waits. */
const MOST_WAITING_BYTES = 1_048_576;

/** What the driver calls while a COPY is its statement. Settles when the server is ready for the next one. */
abstract class Copy {
  readonly done: Promise<number>;
  private settle: { resolve(rows: number): void; reject(error: Error): void } | null = null;
  private rows = 0;
  protected failure: Error | null = null;

  constructor(private readonly sql: string) {
    this.done = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    // The caller that waits hears of it; the driver must not end the process before.
    this.done.catch(() => undefined);
  }

  submit(connection: Connection): void {
    connection.query(this.sql);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.rows = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0);
  }

  handleError(error: Error): void {
    this.failure ??= error;
    this.end();
    // A broken connection is never ready again.
    this.settle?.reject(this.failure);
  }

  handleReadyForQuery(): void {
    this.end();
    if (this.failure === null) this.settle?.resolve(this.rows);
    else this.settle?.reject(this.failure);
  }

  protected end(): void {
    // What only one of the two directions needs.
  }
}

class CopyTo extends Copy {
  private readonly ready: Buffer[] = [];
  private gathered: Buffer[] = [];
  private gatheredBytes = 0;
  private waitingBytes = 0;
  private connection: Connection | null = null;
  private ended = false;
  private wake: () => void = () => undefined;

  handleCopyData({ chunk }: { readonly chunk: Buffer }, connection: Connection): void {
    this.connection = connection;
    // A part of the driver's own buffer, which the next packet overwrites.
    this.gathered.push(Buffer.from(chunk));
    this.gatheredBytes += chunk.length;
    this.waitingBytes += chunk.length;
    if (this.gatheredBytes >= CHUNK_BYTES) this.hand();
    if (this.waitingBytes >= MOST_WAITING_BYTES) connection.stream.pause();
  }

  async *chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = this.ready.shift();
      if (chunk !== undefined) {
        this.waitingBytes -= chunk.length;
        if (this.waitingBytes < MOST_WAITING_BYTES) this.connection?.stream.resume();
        yield chunk;
      } else if (this.ended) {
        return;
      } else {
        await new Promise<void>((resolve) => (this.wake = resolve));
      }
    }
  }

  protected override end(): void {
    this.hand();
    this.ended = true;
    this.wake();
  }

  private hand(): void {
    if (this.gathered.length > 0) this.ready.push(Buffer.concat(this.gathered));
    this.gathered = [];
    this.gatheredBytes = 0;
    this.wake();
  }
}

class CopyFrom extends Copy {
  constructor(
    sql: string,
    private readonly data: AsyncIterable<Uint8Array>,
  ) {
    super(sql);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    void this.send(connection);
  }

  private async send(connection: CopyConnection): Promise<void> {
    try {
      for await (const chunk of this.data) {
        if (this.failure !== null) return;
        connection.sendCopyFromChunk(chunk);
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
      }
      connection.endCopyFrom();
    } catch (error) {
      // Kept: what the server then says is only that it was told to stop.
      this.failure ??= isNativeError(error) ? error : new Error(String(error));
      connection.sendCopyFail('The data ended early.');
    }
  }
}

/** Rows as COPY … TO STDOUT gives them, at the speed of their reader. Returns how many rows there were. */
export async function* copyOut(client: Client, sql: string): AsyncGenerator<Buffer, number> {
  const copy = client.query(new CopyTo(sql));
  yield* copy.chunks();
  return copy.done;
}

/** Sends data to COPY … FROM STDIN, at the speed of the server. Resolves with how many rows there were. */
export function copyIn(client: Client, sql: string, data: AsyncIterable<Uint8Array>): Promise<number> {
  return client.query(new CopyFrom(sql, data)).done;
}
