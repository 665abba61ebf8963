import { readNoise, type SpokenRun } from '../../domain';
import { RecentMap } from '../../platform/concurrency';
import { seedOf } from '../audio/seeded-values';
import type { TrackPiece } from '../audio/recording-pieces';
import { requireEngines, SpokenCall, type CallPlan } from './spoken-call';
import { SpeechError } from './speech-error';
import { EngineChecks } from './engine-checks';
import type { ControlResult, EnginesRequest, FoundEngines, SpeechSetup } from './speech-jobs';
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
  private readonly checks: EngineChecks;
  /** By run and language: the same sentence through the same line to the same ear. Null where it failed or was given up: it is tried again. */
  private readonly controls = new RecentMap<Control | null>(RUNS_KEPT);

  constructor(setup: SpeechSetup) {
    this.thread = new SpeechThread(setup);
    this.checks = new EngineChecks(this.thread);
  }

  /**
   * A conversation that may ring: its examiner can speak and hear.
   * @throws SpeechError, also where the engines are not those of the run
   */
  async open({ testRunId, keep, onGap, ...plan }: CallRequest, signal: AbortSignal): Promise<SpokenCall> {
    const { spoken, language } = plan;
    const key = `${testRunId} ${language}`;
    const kept = this.controls.get(key) ?? null;
    const known = kept?.isGivenUp === true ? null : kept;
    const checking = known ?? new Control((during) => this.control(spoken, language, during));
    if (known === null) {
      this.controls.set(key, checking);
      checking.result.catch(() => {
        if (this.controls.get(key) === checking) this.controls.set(key, null);
      });
    }
    const control = await checking.wait(signal);
    const noise = spoken.noise === null ? null : readNoise(spoken.noise);
    return new SpokenCall({ ...plan, noise }, { thread: this.thread, control, keep, onGap });
  }

  /** Who would speak and hear in a run, before it is stored. @throws SpeechError */
  engines(request: EnginesRequest): Promise<FoundEngines> {
    return this.checks.check(request);
  }

  /** Whether a thread speaks and hears now. */
  get isAwake(): boolean {
    return this.thread.isRunning;
  }

  /** Ends the thread, and all that waits for it. Idempotent. */
  close(): void {
    this.thread.close();
  }

  private async control(spoken: SpokenRun, language: string, signal: AbortSignal): Promise<ControlResult> {
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
      signal,
    );
    requireEngines(spoken, found);
    return found;
  }
}

/** A control sentence on its way, for all that wait for it: when none does any more, it is given up. */
class Control {
  readonly result: Promise<ControlResult>;
  private readonly ending = new AbortController();
  private waiting = 0;

  constructor(check: (signal: AbortSignal) => Promise<ControlResult>) {
    this.result = check(this.ending.signal);
  }

  get isGivenUp(): boolean {
    return this.ending.signal.aborted;
  }

  /** @throws SpeechError */
  wait(signal: AbortSignal): Promise<ControlResult> {
    signal.throwIfAborted();
    this.waiting += 1;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.waiting -= 1;
        if (this.waiting === 0) this.ending.abort();
        reject(new SpeechError('canceled', 'The conversation was given up before it began.'));
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const heard = (): void => {
        if (signal.aborted) return;
        signal.removeEventListener('abort', onAbort);
        this.waiting -= 1;
      };
      this.result.finally(heard).then(resolve, reject);
    });
  }
}
