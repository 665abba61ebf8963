import { readNoise, type SpokenRun } from '../../domain';
import { RecentMap } from '../../platform/concurrency';
import { seedOf } from '../audio/seeded-values';
import type { TrackPiece } from './call-recording';
import { requireEngines, SpokenCall, type CallPlan } from './spoken-call';
import type { ControlResult, SpeechSetup } from './speech-jobs';
import { SpeechThread } from './speech-thread';

export interface CallRequest extends Omit<CallPlan, 'noise'> {
  readonly testRunId: string;
  /** Keeps a piece of the recording; null: nothing is kept. */
  readonly keep: ((piece: TrackPiece) => Promise<boolean>) | null;
  /** Called once, when a piece could not be kept. */
  readonly onGap: (error: unknown) => void;
}

/** Runs whose control sentence was heard. */
const RUNS_KEPT = 1_000;

/** The spoken conversations of this process. */
export class SpokenCalls {
  private readonly thread: SpeechThread;
  /** By run and language: the same sentence through the same line to the same ear. Null where it failed: it is tried again. */
  private readonly controls = new RecentMap<Promise<ControlResult> | null>(RUNS_KEPT);
  /** The control sentence is said for all that wait for it. */
  private readonly life = new AbortController();

  constructor(setup: SpeechSetup) {
    this.thread = new SpeechThread(setup);
  }

  /**
   * A conversation that may ring: its examiner can speak and hear.
   * @throws SpeechError, also where the engines are not those of the run
   */
  async open({ testRunId, keep, onGap, ...plan }: CallRequest, signal: AbortSignal): Promise<SpokenCall> {
    const { spoken, language } = plan;
    const key = `${testRunId} ${language}`;
    const known = this.controls.get(key) ?? null;
    const checking = known ?? this.control(spoken, language);
    if (known === null) {
      this.controls.set(key, checking);
      checking.catch(() => this.controls.set(key, null));
    }
    const control = await checking;
    signal.throwIfAborted();
    const noise = spoken.noise === null ? null : readNoise(spoken.noise);
    return new SpokenCall({ ...plan, noise }, { thread: this.thread, control, keep, onGap });
  }

  /** Whether a thread speaks and hears now. */
  get isAwake(): boolean {
    return this.thread.isRunning;
  }

  /** Ends the thread, and all that waits for it. Idempotent. */
  close(): void {
    this.life.abort();
    this.thread.close();
  }

  private async control(spoken: SpokenRun, language: string): Promise<ControlResult> {
    const { line, seed, ear, voice_engine: engine } = spoken;
    const found = await this.thread.run(
      'control',
      {
        voice: engine.voice,
        rate: engine.rate,
        language,
        line,
        hears: ear !== null,
        seed: seedOf(seed, 'control'),
      },
      this.life.signal,
    );
    requireEngines(spoken, found);
    return found;
  }
}
