import { Chance } from './chance';

/** Processes of the cluster that the histories are played on. */
export const PROCESSES = 3;

/** A run that somebody starts in a history. Times are milliseconds from the beginning of the history. */
export interface PlannedRun {
  /** In the run's name, its agent's address and its scenarios' words, so that every outside call tells whose it is. */
  readonly tag: string;
  readonly at: number;
  /** The process that is asked first. */
  readonly on: number;
  readonly scenarios: number;
  readonly turns: number;
  readonly concurrency: number;
  readonly agentMs: number;
  readonly testerMs: number;
  readonly judgeMs: number;
  /** Milliseconds from its creation; null starts it at once. */
  readonly scheduledIn: number | null;
  readonly cancel: { readonly at: number; readonly on: number } | null;
}

/** What can happen to one process. `to` names the server whose connections are hurt. */
export type MemberHurt =
  | { readonly kind: 'kill'; readonly downMs: number }
  | { readonly kind: 'restart' }
  | { readonly kind: 'pause'; readonly forMs: number }
  | { readonly kind: 'cut' | 'drop'; readonly to: Upstream; readonly forMs: number }
  | { readonly kind: 'delay'; readonly to: Upstream; readonly forMs: number; readonly byMs: number };

export type Upstream = 'nats' | 'postgres';

/** What can happen to the servers that all processes use. */
export type ServerHurt =
  | { readonly kind: 'nats restart'; readonly awayMs: number; readonly deletesStorage: boolean }
  | { readonly kind: 'postgres crash' };

export interface Planned<Hurt> {
  readonly at: number;
  readonly hurt: Hurt;
}

/** One random history. What happens to one process happens in turn, what happens to different ones at the same time. */
export interface Plan {
  readonly runs: readonly PlannedRun[];
  /** For each process. */
  readonly members: readonly (readonly Planned<MemberHurt>[])[];
  readonly servers: readonly Planned<ServerHurt>[];
}

const LAST_HURT_AT = 7_000;
/** Longer than a lease: the work of whoever is away for so long goes to others. */
const BEYOND_A_LEASE = [16_000, 20_000] as const;

/** The history with this number; the same for the same seed. */
export function planHistory(seed: string, number: number): Plan {
  const chance = new Chance(`${seed}:${number}`);
  const runs = Array.from({ length: chance.between(1, 3) }, (_, at) => planRun(chance, `h${number}r${at + 1}x`));
  const members = Array.from({ length: PROCESSES }, (): Planned<MemberHurt>[] => []);
  const servers: Planned<ServerHurt>[] = [];
  for (let left = chance.between(2, 5); left > 0; left -= 1) {
    const at = chance.between(300, LAST_HURT_AT);
    const kind = chance.pick(KINDS);
    const member = members[chance.between(0, PROCESSES - 1)];
    switch (kind) {
      case 'nats restart':
        servers.push({
          at,
          hurt: { kind, awayMs: chance.between(200, 5_000), deletesStorage: chance.happens(0.6) },
        });
        break;
      case 'postgres crash':
        servers.push({ at, hurt: { kind } });
        break;
      case 'rolling restart':
        for (const [place, hurts] of members.entries())
          hurts.push({ at: at + place * 1_500, hurt: { kind: 'restart' } });
        break;
      default:
        member?.push({ at, hurt: planMemberHurt(chance, kind) });
    }
  }
  for (const hurts of [...members, servers]) hurts.sort((one, next) => one.at - next.at);
  return { runs, members, servers };
}

type Kind = MemberHurt['kind'] | ServerHurt['kind'] | 'rolling restart';

const KINDS: readonly (readonly [Exclude<Kind, 'restart'>, number])[] = [
  ['kill', 4],
  ['pause', 4],
  ['cut', 3],
  ['drop', 3],
  ['delay', 2],
  ['nats restart', 3],
  ['postgres crash', 2],
  ['rolling restart', 2],
];

function planRun(chance: Chance, tag: string): PlannedRun {
  const at = chance.between(0, 2_500);
  return {
    tag,
    at,
    on: chance.between(0, PROCESSES - 1),
    scenarios: chance.between(3, 12),
    turns: chance.between(5, 7),
    concurrency: chance.between(2, 8),
    agentMs: chance.between(50, 400),
    testerMs: chance.between(20, 300),
    judgeMs: chance.between(20, 200),
    scheduledIn: chance.happens(0.25) ? chance.between(1_000, 6_000) : null,
    cancel: chance.happens(0.35) ? { at: at + chance.between(300, 8_000), on: chance.between(0, PROCESSES - 1) } : null,
  };
}

function planMemberHurt(chance: Chance, kind: Exclude<MemberHurt['kind'], 'restart'>): MemberHurt {
  switch (kind) {
    case 'kill':
      return { kind, downMs: chance.between(0, 4_000) };
    case 'pause':
      return { kind, forMs: chance.happens(0.5) ? chance.between(...BEYOND_A_LEASE) : chance.between(500, 6_000) };
    case 'cut':
      return { kind, to: planUpstream(chance), forMs: chance.between(500, 10_000) };
    case 'drop':
      return {
        kind,
        to: planUpstream(chance),
        forMs: chance.happens(0.4) ? chance.between(...BEYOND_A_LEASE) : chance.between(500, 8_000),
      };
    case 'delay':
      return {
        kind,
        to: planUpstream(chance),
        forMs: chance.between(2_000, 10_000),
        byMs: chance.between(5, 100),
      };
  }
}

function planUpstream(chance: Chance): Upstream {
  return chance.happens(0.5) ? 'nats' : 'postgres';
}
