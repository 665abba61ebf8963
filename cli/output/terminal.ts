import { createColors } from 'picocolors';
import { escapeInJson, harmlessJson, oneLine } from './harmless-text';

export type Colors = ReturnType<typeof createColors>;
export type Stream =
  NodeJS.WriteStream | (NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number });

/** The width used for logs, which have no width. */
const LOG_WIDTH = 120;
const NARROWEST = 40;
const READY = ['drain', 'close', 'error'] as const;

/** One of the two output streams of the process: what it can show, and whether its reader has left. */
export class Screen {
  readonly isTerminal: boolean;
  readonly colors: Colors;
  private readerLeft = false;

  constructor(
    readonly stream: Stream,
    environment: Readonly<Record<string, string | undefined>>,
  ) {
    this.isTerminal = stream.isTTY === true;
    // Picocolors alone would also colour the logs of CI servers. https://no-color.org: any value but the empty one.
    const isPlain = (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb';
    this.colors = createColors(this.isTerminal && !isPlain);
    stream.on('error', () => {
      this.readerLeft = true;
    });
  }

  /** Characters that fit on a line. */
  get width(): number {
    return this.columns === null ? LOG_WIDTH : Math.max(NARROWEST, this.columns);
  }

  /** The width of the terminal; null where there is none, or it has no width. */
  get columns(): number | null {
    const columns = this.isTerminal ? (this.stream.columns ?? 0) : 0;
    return columns > 0 ? columns : null;
  }

  /** False once the reader of the pipe has left (`| head`): writing is then useless. */
  get isRead(): boolean {
    return !this.readerLeft;
  }

  line(text = ''): void {
    this.write(`${text}\n`);
  }

  write(text: string): void {
    if (this.isRead) this.stream.write(text);
  }

  /** JSON unchanged for a file or a pipe; for a terminal, which would interpret some of it, the same with escapes. */
  harmless(json: string): string {
    return this.isTerminal ? escapeInJson(json) : json;
  }

  /** Writes and waits until the reader has room for more, or has left. */
  async flow(chunk: string | Uint8Array): Promise<void> {
    if (!this.isRead || this.stream.write(chunk)) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        for (const name of READY) this.stream.off(name, go);
        resolve();
      };
      for (const name of READY) this.stream.on(name, go);
    });
  }
}

/** A command's output: its answer on standard output, everything else on standard error. */
export class Output {
  constructor(
    /** For the answer. */
    readonly out: Screen,
    /** For progress, remarks and errors. */
    readonly err: Screen,
    /** `--json`: the answer is one JSON document. */
    readonly isJson: boolean,
  ) {}

  /** The command's answer: as JSON, or as the lines that `write` prints. */
  answer(value: unknown, write: (screen: Screen) => void): void {
    if (this.isJson) this.out.line(harmlessJson(value));
    else write(this.out);
  }

  remark(sentence: string): void {
    this.err.line(sentence);
  }

  warn(sentence: string): void {
    this.err.line(`${this.err.colors.yellow('Warning:')} ${oneLine(sentence)}`);
  }

  fail(sentence: string): void {
    const lines = sentence.split('\n').map(oneLineKeepingIndent);
    this.err.line(`${this.err.colors.red('osce:')} ${lines.join('\n')}`);
    if (this.isJson) this.out.line(harmlessJson({ error: sentence }));
  }
}

function oneLineKeepingIndent(line: string): string {
  return (/^ */.exec(line)?.[0] ?? '') + oneLine(line);
}
