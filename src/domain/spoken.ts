/** How the conversations of a run are held. */
export const MODALITIES = ['text', 'spoken'] as const;
export type Modality = (typeof MODALITIES)[number];

/** What lies between the patient and the agent. */
export const LINES = ['wideband', 'phone', 'mobile_bad'] as const;
export type Line = (typeof LINES)[number];

/** What a spoken run may be asked to disturb its conversations with. */
export const DISTURBANCES = ['interruptions', 'backchannels', 'pauses', 'coughs', 'asides'] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

/** What is heard behind the patient: several people who talk, wind and ventilation, or the mains. */
export const NOISE_KINDS = ['babble', 'pink', 'hum'] as const;
export type NoiseKind = (typeof NOISE_KINDS)[number];

/** How much louder than the noise the patient is, in dB. */
export const NOISE_SNR_DB = { least: 0, most: 40 } as const;

/** How fast the patient speaks, as a multiple of the usual rate of its voice. */
export const SPEAKING_RATES = { least: 0.5, most: 2 } as const;

/** Seeds have 32 bits. */
export const LARGEST_SEED = 2 ** 32 - 1;

export interface Noise {
  readonly kind: NoiseKind;
  readonly snrDb: number;
}

/** Of `babble:10`: a kind, and the patient's level above it in dB, 0 to 40; null for any other text. */
export function readNoise(text: string): Noise | null {
  const [, name = '', digits = ''] = /^([a-z]{1,20}):(\d{1,2})$/.exec(text) ?? [];
  const kind = NOISE_KINDS.find((known) => known === name);
  const snrDb = Number(digits);
  return kind === undefined || snrDb > NOISE_SNR_DB.most ? null : { kind, snrDb };
}

/** How the patient of a spoken run sounds. The same options make the same sound where the voice does (espeak-ng does). */
export interface SpokenOptions {
  /** As the engine names it; null: the one that is set up. */
  readonly voice: string | null;
  /** SPEAKING_RATES. */
  readonly rate: number;
  readonly line: Line;
  /** As `readNoise` reads it; null: none. */
  readonly noise: string | null;
  /** Each once, in the order of DISTURBANCES. */
  readonly sounds: readonly Disturbance[];
  /** Determines what disturbs a conversation and when: 0 to LARGEST_SEED. */
  readonly seed: number;
}

/** The same, with the engines that were found when the run was made: it is examined with these, or not at all. */
export interface SpokenRun extends SpokenOptions {
  /** The examiner's ear; null where no transcriber is set: the agent's own account counts then, checked against its sound. */
  readonly ear: { readonly engine: string; readonly model: string } | null;
  /** `engine` is `espeak-ng` or the host of a speech server, `version` that of the engine, or the model. */
  readonly voice_engine: {
    readonly engine: string;
    readonly version: string;
    readonly voice: string;
    readonly rate: number;
  };
  /** The error of the service's clock at the 95th percentile, as `osce speech calibrate` measured it; null where it is not known. */
  readonly timing_error_ms: number | null;
  /** The release that made the run. */
  readonly harness_version: string;
}

/** As an answer of the service names it: a later one may know more lines and sounds. */
type NamedSound = Pick<SpokenRun, 'rate' | 'noise' | 'seed' | 'ear'> & {
  readonly line: string;
  readonly sounds: readonly string[];
  readonly voice_engine: Omit<SpokenRun['voice_engine'], 'rate'>;
};

/**
 * How a patient sounds and who hears the agent, for people; two runs that sound alike have the same words. The seed is named where it
 * decides anything.
 */
export function soundInWords({ voice_engine, rate, line, noise, sounds, seed, ear }: NamedSound): string {
  const isSeeded = sounds.length > 0 || noise !== null || line === 'mobile_bad';
  return [
    `${voice_engine.engine} ${voice_engine.version} ${voice_engine.voice}`,
    rate === 1 ? null : `at ${rate} times its rate`,
    `over ${line}`,
    noise === null ? null : `with ${noise}`,
    sounds.length === 0 ? null : `with ${sounds.join(', ')}`,
    isSeeded ? `of seed ${seed}` : null,
    ear === null ? 'without a transcriber' : `heard by ${ear.engine} ${ear.model}`,
  ]
    .filter((part) => part !== null)
    .join(' ');
}

/** The patient's words and the agent's, with the pause between them. Chosen, not measured: agents that talk on take longer. */
const MINUTES_A_TURN = 0.5;

/** About how many minutes of speech so many conversations take; servers for speech and LiveKit are paid by them. */
export function estimatedMinutes(conversations: number, turns: number): number {
  return Math.ceil(conversations * turns * MINUTES_A_TURN);
}

/** Minutes and seconds of a call, as players show them. */
export function callTime(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
