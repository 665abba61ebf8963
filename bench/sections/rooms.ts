import {
  inRoomsOf,
  RoomProcesses,
  timeKnownAgents,
  timingErrorOf,
  type KnownTurn,
  type TimingError,
} from '../../src/agents';
import type { Bench, Section } from '../bench';
import { usageOf, type ProcessUsage } from '../process-usage';
import type { Measurement } from '../report';

const ROOMS = 10;
const TURNS = 8;
/** Rooms that are held once more, to see what memory each leaves behind. */
const MORE_VISITS = 2;
/** As `osce speech calibrate` has them. */
const DELAYS_MS = [300, 800, 1_500, 3_000];

/** Spoken conversations at once in rooms of a real server. */
export const rooms: Section = {
  name: 'rooms',
  about: `${ROOMS} spoken conversations at once in rooms of the LiveKit server of LIVEKIT_URL: errors of times, late sound, processor, memory`,
  run: async (bench) => {
    const server = serverOf(process.env);
    if (server === null) {
      bench.progress('rooms: left out. Set LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET of a LiveKit server.');
      return;
    }
    const processes = new RoomProcesses();
    // What carries calls keeps no program alive.
    const untilClosed = setInterval(() => undefined, 60_000);
    try {
      await run(bench, (count, turns) => hold(processes, server, count, turns));
    } finally {
      await processes.close();
      clearInterval(untilClosed);
    }
  },
};

interface Server {
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

function serverOf(environment: Readonly<Record<string, string | undefined>>): Server | null {
  const { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = environment;
  return url === undefined || apiKey === undefined || apiSecret === undefined ? null : { url, apiKey, apiSecret };
}

/** What a visit to some rooms took of the process that holds them. */
interface Visit {
  readonly error: TimingError;
  /** Of one core, for all rooms, while all of them were held. */
  readonly processorShare: number;
  readonly mostResidentBytes: number;
  /** Once all rooms have been left. */
  readonly leftResidentBytes: number;
}

async function hold(processes: RoomProcesses, server: Server, count: number, turns: number): Promise<Visit> {
  const callAgent = inRoomsOf(processes, server.url, server);
  const samples: { readonly at: number; readonly usage: ProcessUsage }[] = [];
  const sample = (): void => {
    const [pid] = processes.pids;
    if (pid !== undefined) samples.push({ at: performance.now(), usage: usageOf(pid) });
  };
  const script = Array.from({ length: turns }, (_, place): KnownTurn => {
    return { delayMs: DELAYS_MS[place % DELAYS_MS.length] ?? 0, speechMs: 600, yieldsAfterMs: null };
  });
  const timed = await timeKnownAgents(
    { callAgent, turns: script, onTurn: sample },
    count,
    AbortSignal.timeout(600_000),
  );
  // The last call that ends ends before the others: from the first turn to this one all of them were held.
  const held = samples.slice(0, -count + 1);
  const [first, last] = [held[0], held.at(-1)];
  const processorShare =
    first === undefined || last === undefined || last === first
      ? Number.NaN
      : (last.usage.processorMs - first.usage.processorMs) / (last.at - first.at);
  const mostResidentBytes = Math.max(...samples.map(({ usage }) => usage.residentBytes));
  sample();
  return {
    error: timingErrorOf(timed),
    processorShare,
    mostResidentBytes,
    leftResidentBytes: samples.at(-1)?.usage.residentBytes ?? Number.NaN,
  };
}

async function run(bench: Bench, visit: (count: number, turns: number) => Promise<Visit>): Promise<void> {
  bench.progress('rooms: one room');
  const lone = await visit(1, bench.isQuick ? 2 : TURNS);
  bench.progress(`rooms: ${ROOMS} rooms`);
  const many = await visit(ROOMS, bench.isQuick ? 2 : TURNS);
  let last = many;
  for (let time = 1; time <= MORE_VISITS; time += 1) {
    bench.progress(`rooms: ${ROOMS} rooms again`);
    last = await visit(ROOMS, 1);
  }
  report(bench, lone, many, last);
}

function report(bench: Bench, lone: Visit, many: Visit, last: Visit): void {
  const load = `${ROOMS} rooms, their agents in one process and the server on the same machine, ${many.error.turns} turns`;
  const tell = (what: string, unit: Measurement['unit'], value: number, floor: number | null, limit: number): void =>
    bench.report({
      section: 'rooms',
      what,
      load,
      unit,
      value,
      range: null,
      floor,
      goal: { of: 'value', is: 'at most', limit },
    });
  const { latency, unreliable, unheard, turns, heardPieces } = many.error;
  tell(
    "error of an agent's latency, p95; floor: one room",
    'ms',
    latency?.p95 ?? Number.NaN,
    lone.error.latency?.p95 ?? null,
    60,
  );
  tell('turns whose times say nothing, and that is said', 'share', unreliable / turns, null, 1);
  tell('turns that were not heard', 'share', unheard / turns, null, 0);
  tell(
    'sound that came more than 20 ms late',
    'share',
    (heardPieces?.late ?? 0) / (heardPieces?.pieces ?? 0),
    null,
    0.001,
  );
  tell('processor of the process that holds rooms, a room', 'share', many.processorShare / ROOMS, null, 0.07);
  const megabytes = (bytes: number): number => bytes / 1024 ** 2;
  const aRoom = (many.mostResidentBytes - lone.mostResidentBytes) / (ROOMS - 1);
  tell('memory of that process, a room', 'MB', megabytes(aRoom), null, 8);
  const stays = (last.leftResidentBytes - many.leftResidentBytes) / (ROOMS * MORE_VISITS);
  tell('memory that stays after a room', 'MB', megabytes(stays), null, 1);
}
