import type { Disturbance } from '../../domain';
import { branchOf, integerAt } from './seeded-values';

/** What happens in one turn; times in ms. */
export interface DisturbancePlan {
  /** A pause in the middle of this sentence of the patient, counted from 0. */
  readonly pause: { readonly sentence: number; readonly ms: number } | null;
  /** What is heard before this sentence. */
  readonly sound: { readonly beforeSentence: number; readonly name: 'cough' | 'aside' } | null;
  /** The patient says something while the agent speaks, so long after the agent began; at most one of the two. */
  readonly whileAgentSpeaks: { readonly kind: 'interruption' | 'backchannel'; readonly afterMs: number } | null;
}

/**
 * The lengths of pauses. They are few, so that each is heard often enough for a rate: people pause 0.5 to 1 s between thoughts, and longer
 * when they look something up.
 */
export const PAUSES_MS: readonly number[] = [500, 1_000, 1_500, 2_000, 3_000];
/** livekit-agents ignores interruptions in the first 3.0 s of its speech, so that earlier ones would measure that setting alone. */
const INTERRUPTION_MS = { least: 3_300, most: 5_000 };
const BACKCHANNEL_MS = { least: 1_200, most: 3_000 };
/** Each kind asked for happens in a third of the turns: often enough to be counted, and most of the conversation stays as it is. */
const TURNS_A_DISTURBANCE = 3;

/** One of these happens in a turn at most. */
const RIVALS: Readonly<Record<Disturbance, readonly Disturbance[]>> = {
  interruptions: ['backchannels'],
  backchannels: ['interruptions'],
  coughs: ['asides'],
  asides: ['coughs'],
  pauses: [],
};

/** The place of each decision in the values of a seed, so that one more kind of disturbance leaves the others as they are. */
const DRAW = { pauses: 0, coughs: 1, asides: 2, interruptions: 3, backchannels: 4 } as const;

const NONE: ReadonlySet<Disturbance> = new Set();

/**
 * What disturbs a turn: the same for the same seed and the same number of sentences. A turn without sentences has no pause and no sound.
 * @param turnSeed of the run's seed, the scenario, the trial and the turn (`seedOf`)
 * @param certain what the scenario asks for in this turn: it happens, and takes the place of what chance would bring
 */
export function disturbancesOf(
  kinds: ReadonlySet<Disturbance>,
  sentences: number,
  turnSeed: number,
  certain: ReadonlySet<Disturbance> = NONE,
): DisturbancePlan {
  const happens = (kind: Disturbance) =>
    certain.has(kind) ||
    (kinds.has(kind) &&
      !RIVALS[kind].some((rival) => certain.has(rival)) &&
      integerAt(branchOf(turnSeed, DRAW[kind]), 0, TURNS_A_DISTURBANCE) === 0);
  const drawn = (kind: Disturbance, place: number, below: number) =>
    integerAt(branchOf(turnSeed, DRAW[kind]), place, below);
  const between = (kind: Disturbance, { least, most }: { readonly least: number; readonly most: number }) =>
    least + drawn(kind, 1, most - least + 1);
  const soundKind = happens('coughs') ? 'coughs' : happens('asides') ? 'asides' : null;
  return {
    pause:
      sentences > 0 && happens('pauses')
        ? { sentence: drawn('pauses', 1, sentences), ms: PAUSES_MS[drawn('pauses', 2, PAUSES_MS.length)] ?? 0 }
        : null,
    sound:
      sentences > 0 && soundKind !== null
        ? { beforeSentence: drawn(soundKind, 1, sentences), name: soundKind === 'coughs' ? 'cough' : 'aside' }
        : null,
    whileAgentSpeaks: happens('interruptions')
      ? { kind: 'interruption', afterMs: between('interruptions', INTERRUPTION_MS) }
      : happens('backchannels')
        ? { kind: 'backchannel', afterMs: between('backchannels', BACKCHANNEL_MS) }
        : null,
  };
}
