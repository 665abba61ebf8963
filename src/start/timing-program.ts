import { cpus } from 'node:os';
import {
  calibrationTurns,
  inRoomsOf,
  LineThread,
  onLinesOf,
  ProviderError,
  RoomProcesses,
  timeKnownAgents,
  timingErrorOf,
  type CallKnownAgent,
  type TimingError,
} from '../agents';
import { TargetGuard } from '../platform/targets';

/**
 * `osce speech calibrate`: examines an agent whose delays are known on this machine, and prints what is left between what it did and what
 * was measured.
 */

/** A machine that is busier loses ticks. */
const LEAST_IDLE = 0.25;
const HOUR_MS = 3_600_000;

interface Wanted {
  /** Where calls are held: in rooms, or on lines as Twilio Media Streams carries them. */
  readonly over: 'rooms' | 'lines';
  readonly turns: number;
  /** At once. */
  readonly calls: number;
  readonly isJson: boolean;
}

/** What calls an agent, and what ends with the last call. */
interface Ways {
  readonly callAgent: CallKnownAgent;
  close(): Promise<void>;
}

function waysOver(over: Wanted['over']): Ways {
  if (over === 'lines') {
    const lines = new LineThread();
    return { callAgent: onLinesOf(lines, TargetGuard.local()), close: () => lines.close() };
  }
  const { LIVEKIT_URL: url = '', LIVEKIT_API_KEY: apiKey = '', LIVEKIT_API_SECRET: apiSecret = '' } = process.env;
  const rooms = new RoomProcesses();
  return { callAgent: inRoomsOf(rooms, url, { apiKey, apiSecret }), close: () => rooms.close() };
}

/** The share of the processors' time that nothing used since it was made, 0..1. */
class IdleShare {
  private readonly before = IdleShare.times();

  value(): number {
    const now = IdleShare.times();
    return (now.idle - this.before.idle) / Math.max(1, now.all - this.before.all);
  }

  private static times(): { readonly idle: number; readonly all: number } {
    let [idle, all] = [0, 0];
    for (const { times } of cpus()) {
      idle += times.idle;
      all += times.idle + times.user + times.sys + times.nice + times.irq;
    }
    return { idle, all };
  }
}

async function calibrate({ over, turns, calls, isJson }: Wanted, signal: AbortSignal): Promise<void> {
  const ways = waysOver(over);
  // What carries calls keeps no program alive: without this one, Node ends in silence while it waits for them.
  const untilClosed = setInterval(() => undefined, HOUR_MS);
  const idle = new IdleShare();
  const progress = new Progress(turns * calls);
  try {
    const check = { callAgent: ways.callAgent, turns: calibrationTurns(turns), onTurn: () => progress.step() };
    const timed = await timeKnownAgents(check, calls, signal);
    progress.clear();
    const error = timingErrorOf(timed);
    const share = idle.value();
    const report = { [over]: calls, idle_share: Math.round(share * 100) / 100, ...jsonOf(error) };
    process.stdout.write(isJson ? `${JSON.stringify(report, null, 2)}\n` : textOf(error, `${calls} ${over}`, share));
  } finally {
    progress.clear();
    await ways.close().finally(() => clearInterval(untilClosed));
  }
}

function jsonOf(error: TimingError): Record<string, unknown> {
  const { turns, unreliable, unheard, wayMs, latency, yields, heardPieces } = error;
  return {
    turns,
    unreliable_turns: unreliable,
    unheard_turns: unheard,
    way_ms: wayMs,
    latency_error_ms: latency,
    yield_error_ms: yields,
    heard_pieces: heardPieces,
  };
}

function textOf(error: TimingError, calls: string, idle: number): string {
  const { turns, unreliable, unheard, wayMs, latency, yields, heardPieces } = error;
  const spread = (one: TimingError['latency']): string =>
    one === null
      ? 'not measured'
      : `p50 ${one.p50.toFixed(1)} ms, p95 ${one.p95.toFixed(1)} ms, largest ${one.max.toFixed(1)} ms, ${one.turns} turns`;
  const lines = [
    `An agent whose delays are known, ${turns} turns${/^1 /.test(calls) ? '' : ` over ${calls} at once`}, on this machine:`,
    `  way to the agent and back   ${wayMs === null ? 'not measured' : `${wayMs.toFixed(1)} ms, part of every latency at the patient's ear`}`,
    `  error of a latency          ${spread(latency)}`,
    `  error of a yield            ${spread(yields)}`,
    `  turns that say nothing      ${unreliable} of ${turns}, because there was a hole in the sound`,
  ];
  if (heardPieces !== null) {
    lines.push(`  sound more than 20 ms late  ${heardPieces.late} of ${heardPieces.pieces} pieces`);
  }
  if (unheard > 0) lines.push(`  turns that were not heard   ${unheard} of ${turns}`);
  if (idle < LEAST_IDLE) {
    lines.push(
      `The machine was idle for ${Math.round(idle * 100)} % of the time: below ${LEAST_IDLE * 100} % it loses sound, and its times are worse than on a quiet one.`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** A line on a terminal; nothing anywhere else. */
class Progress {
  private done = 0;

  constructor(private readonly all: number) {}

  step(): void {
    this.done += 1;
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${this.done} of ${this.all} turns`);
  }

  clear(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  }
}

const ending = new AbortController();
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    process.exitCode = code;
    ending.abort();
  });
}

/** What is said of an address is said of an agent's config, and there is none here. */
function sentenceOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return error instanceof ProviderError ? said.replace("url in the agent's config", '--livekit (LIVEKIT_URL)') : said;
}

const [over, turns = '24', calls = '1', json] = process.argv.slice(2);
const isJson = json === '--json';
const wanted: Wanted = {
  over: over === 'lines' ? 'lines' : 'rooms',
  turns: Number(turns),
  calls: Number(calls),
  isJson,
};
calibrate(wanted, ending.signal).catch((error: unknown) => {
  if (ending.signal.aborted) return;
  const sentence = sentenceOf(error);
  if (isJson) process.stdout.write(`${JSON.stringify({ error: sentence })}\n`);
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 2;
});
