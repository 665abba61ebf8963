import { cpus } from 'node:os';
import {
  ProviderError,
  RoomProcesses,
  timeKnownAgents,
  timingErrorOf,
  type KnownTurn,
  type TimingError,
} from '../agents';

/**
 * `osce speech calibrate`: examines an agent whose delays are known on this machine, and prints what is left between what it did and what
 * was measured.
 */

/** Delays of agents as they are: quick, usual, slow, and one that looks something up. */
const DELAYS_MS = [300, 800, 1_500, 3_000];
const YIELDS_MS = [0, 300, 600];
/** Every so many turns the agent is interrupted. */
const INTERRUPTED_EVERY = 3;
const SPEECH_MS = 600;
/** Long enough to be interrupted. */
const LONG_SPEECH_MS = 3_000;
/** A machine that is busier loses ticks. */
const LEAST_IDLE = 0.25;
const HOUR_MS = 3_600_000;

interface Wanted {
  readonly turns: number;
  readonly rooms: number;
  readonly isJson: boolean;
}

function script(turns: number): KnownTurn[] {
  return Array.from({ length: turns }, (_, place) => {
    const isInterrupted = place % INTERRUPTED_EVERY === INTERRUPTED_EVERY - 1;
    const yieldsAfterMs = YIELDS_MS[Math.floor(place / INTERRUPTED_EVERY) % YIELDS_MS.length] ?? 0;
    return {
      delayMs: DELAYS_MS[place % DELAYS_MS.length] ?? 0,
      speechMs: isInterrupted ? LONG_SPEECH_MS : SPEECH_MS,
      yieldsAfterMs: isInterrupted ? yieldsAfterMs : null,
    };
  });
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

async function calibrate({ turns, rooms, isJson }: Wanted, signal: AbortSignal): Promise<void> {
  const { LIVEKIT_URL: url = '', LIVEKIT_API_KEY: apiKey = '', LIVEKIT_API_SECRET: apiSecret = '' } = process.env;
  const processes = new RoomProcesses();
  // Processes that hold rooms keep no program alive: without this one, Node ends in silence while it waits for them.
  const untilClosed = setInterval(() => undefined, HOUR_MS);
  const idle = new IdleShare();
  const progress = new Progress(turns * rooms);
  try {
    const keys = { apiKey, apiSecret };
    const check = { rooms: processes, url, keys, turns: script(turns), onTurn: () => progress.step() };
    const timed = await timeKnownAgents(check, rooms, signal);
    progress.clear();
    const error = timingErrorOf(timed);
    const share = idle.value();
    const report = { rooms, idle_share: Math.round(share * 100) / 100, ...jsonOf(error) };
    process.stdout.write(isJson ? `${JSON.stringify(report, null, 2)}\n` : textOf(error, rooms, share));
  } finally {
    progress.clear();
    await processes.close().finally(() => clearInterval(untilClosed));
  }
}

function jsonOf({ turns, unreliable, unheard, wayMs, latency, yields }: TimingError): Record<string, unknown> {
  return {
    turns,
    unreliable_turns: unreliable,
    unheard_turns: unheard,
    way_ms: wayMs,
    latency_error_ms: latency,
    yield_error_ms: yields,
  };
}

function textOf(
  { turns, unreliable, unheard, wayMs, latency, yields }: TimingError,
  rooms: number,
  idle: number,
): string {
  const spread = (one: TimingError['latency']): string =>
    one === null
      ? 'not measured'
      : `p50 ${one.p50.toFixed(1)} ms, p95 ${one.p95.toFixed(1)} ms, largest ${one.max.toFixed(1)} ms, ${one.turns} turns`;
  const lines = [
    `An agent whose delays are known, ${turns} turns${rooms === 1 ? '' : ` in ${rooms} rooms at once`}, on this machine:`,
    `  way to the agent and back   ${wayMs === null ? 'not measured' : `${wayMs.toFixed(1)} ms, part of every latency at the patient's ear`}`,
    `  error of a latency          ${spread(latency)}`,
    `  error of a yield            ${spread(yields)}`,
    `  turns that say nothing      ${unreliable} of ${turns}, because there was a hole in the sound`,
  ];
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

const [turns = '24', rooms = '1', json] = process.argv.slice(2);
const isJson = json === '--json';
calibrate({ turns: Number(turns), rooms: Number(rooms), isJson }, ending.signal).catch((error: unknown) => {
  if (ending.signal.aborted) return;
  const sentence = sentenceOf(error);
  if (isJson) process.stdout.write(`${JSON.stringify({ error: sentence })}\n`);
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 2;
});
