import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A span as the Collector's own types have it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty at the root. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface OtlpReceiver {
  /** Where each transport is taken, and nothing else is. */
  readonly endpoints: Readonly<Record<'http' | 'grpc', string>>;
  /** What has arrived by now of a trace. */
  spansOf(traceId: string): readonly ReceivedSpan[];
  stop(): Promise<void>;
}

const SOURCE = join(__dirname, '..', 'peers', 'otlp');
/** The first build compiles the whole receiver, and fetches it where it never was. */
export const BUILT_WITHIN_MS = 900_000;

/** Builds test/peers/otlp into a folder and starts it. */
export async function startOtlpReceiver(folder: string): Promise<OtlpReceiver> {
  const program = join(folder, 'otlp');
  execFileSync('go', ['build', '-o', program, '.'], { cwd: SOURCE, timeout: BUILT_WITHIN_MS });
  const child = spawn(program, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  if (first.length === 0) throw new Error('The receiver of traces does not start.');
  const received: ReceivedSpan[] = [];
  lines.on('line', (line) => void received.push(JSON.parse(line)));
  return {
    endpoints: JSON.parse(String(first[0])),
    spansOf: (traceId) => received.filter((span) => span.traceId === traceId),
    stop: async () => {
      const ended = once(child, 'exit');
      if (child.kill('SIGTERM')) await ended;
    },
  };
}
