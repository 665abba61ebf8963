import {
  calibrationTurns,
  inRoomsOf,
  RoomProcesses,
  timeKnownAgents,
  timingErrorOf,
  type TimingError,
} from '../../src/agents';
import type { Bench, Section } from '../bench';
import { usageOf, type ProcessUsage } from '../process-usage';
import type { Measurement } from '../report';

const ROOMS = 10;
const TURNS = 8;
/** Rooms that are held once more, to see what memory each leaves behind. */
const MORE_VISITS = 2;

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

interface Sample {
  /** Of `performance.now()`, in ms. */
  readonly at: number;
  readonly usage: ProcessUsage;
}

/** What a visit to some rooms took of the process that holds them. */
interface Visit {
  readonly error: TimingError;
  /** One at the end of every turn. */
  readonly samples: readonly Sample[];
  /** Once all rooms have been left. */
  readonly left: Sample;
}

async function hold(processes: RoomProcesses, server: Server, count: number, turns: number): Promise<Visit> {
  const callAgent = inRoomsOf(processes, server.url, server);
  const sampled = (): Sample => {
    const [pid] = processes.pids;
    if (pid === undefined) throw new Error('The process that holds the rooms has ended.');
    return { at: performance.now(), usage: usageOf(pid) };
  };
  const samples: Sample[] = [];
  const check = { callAgent, turns: calibrationTurns(turns), onTurn: () => samples.push(sampled()) };
  const timed = await timeKnownAgents(check, count, AbortSignal.timeout(600_000));
  return { error: timingErrorOf(timed), samples, left: sampled() };
}

/** Of one core, from the first turn that ended to the first call that did: until then all rooms were held. */
function processorShareOf({ samples }: Visit, count: number): number {
  const [first, last] = [samples[0], samples.at(-count)];
  if (first === undefined || last === undefined) return Number.NaN;
  return (last.usage.processorMs - first.usage.processorMs) / (last.at - first.at);
}

const mostResidentBytes = ({ samples }: Visit): number => Math.max(...samples.map(({ usage }) => usage.residentBytes));

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
  const tell = (
    what: string,
    unit: Measurement['unit'],
    value: number,
    limit: number | null,
    floor: number | null = null,
  ): void => {
    const goal = limit === null ? null : ({ of: 'value', is: 'at most', limit } as const);
    bench.report({ section: 'rooms', what, load, unit, value, range: null, floor, goal });
  };
  const { latency, yields, unreliable, unheard, turns, heardPieces } = many.error;
  const loneLatency = lone.error.latency?.p95 ?? null;
  tell("error of an agent's latency, p95; floor: one room", 'ms', latency?.p95 ?? Number.NaN, 60, loneLatency);
  tell('error of a yield, p95', 'ms', yields?.p95 ?? Number.NaN, null);
  tell('turns whose times say nothing, which is said of them', 'share', unreliable / turns, null);
  tell('turns that were not heard', 'share', unheard / turns, 0);
  const lateShare = heardPieces === null ? Number.NaN : heardPieces.late / heardPieces.pieces;
  tell('sound that came more than 20 ms late', 'share', lateShare, 0.001);
  tell('processor of the process that holds rooms, a room', 'share', processorShareOf(many, ROOMS) / ROOMS, 0.07);
  const megabytes = (bytes: number): number => bytes / 1024 ** 2;
  const aRoom = (mostResidentBytes(many) - mostResidentBytes(lone)) / (ROOMS - 1);
  tell('memory of that process, a room', 'MB', megabytes(aRoom), 8);
  const stays = (last.left.usage.residentBytes - many.left.usage.residentBytes) / (ROOMS * MORE_VISITS);
  tell('memory that stays after a room', 'MB', megabytes(stays), 1);
}
