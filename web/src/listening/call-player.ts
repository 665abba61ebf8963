import { getRecording, type CallSpan } from '../api/recordings';

/** What is heard of a call. */
export interface Playing {
  readonly state: 'idle' | 'loading' | 'playing' | 'paused' | 'failed';
  /** Where in the call, in ms; null before anything was played. */
  readonly at: number | null;
  /** The part that was asked for; null for the whole. */
  readonly part: CallSpan | null;
  /** Why nothing was fetched; null otherwise. */
  readonly error: unknown;
  /** The address of a file that this browser cannot play; null otherwise. */
  readonly unplayable: string | null;
}

/** Words are understood better with what is around them, and times of sentences are not exact. */
const MARGIN_MS = 300;
const SILENT: Playing = { state: 'idle', at: null, part: null, error: null, unplayable: null };

/**
 * Plays a call or parts of it in one audio element, and tells where it is. Parts are fetched by themselves: the whole may be long. What is
 * fetched stays until the page is left.
 */
export class CallPlayer {
  private playing = SILENT;
  private audio: HTMLAudioElement | null = null;
  /** Where in the call the file begins that the element has, in ms. */
  private begins = 0;
  /** The file that the element has; null for none. */
  private loaded: string | null = null;
  private fetching: AbortController | null = null;
  private readonly files = new Map<string, string>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly scenarioRunId: string) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly get = (): Playing => this.playing;

  /** Takes the element that plays; null lets go of it, and of all that was fetched. */
  readonly attach = (audio: HTMLAudioElement | null): void => {
    this.audio = audio;
    if (audio !== null) return;
    this.fetching?.abort();
    for (const url of this.files.values()) URL.revokeObjectURL(url);
    this.files.clear();
    this.loaded = null;
    this.playing = SILENT;
  };

  /** Plays a part with a little of what is around it. */
  playPart(part: CallSpan): void {
    const begins = Math.max(0, Math.floor(part.from_ms) - MARGIN_MS);
    void this.start(part, begins, begins);
  }

  /** Plays the whole from a moment on. */
  playFrom(at: number): void {
    void this.start(null, 0, at);
  }

  /** Plays or pauses. */
  toggle(): void {
    const { state, at, part } = this.playing;
    if (state === 'playing') this.audio?.pause();
    else if (state === 'paused' && this.audio?.ended === false) void this.play();
    else if (state === 'paused' && part !== null) this.playPart(part);
    else if (state !== 'loading') this.playFrom(this.audio?.ended === true ? 0 : (at ?? 0));
  }

  /** Moves to a moment, and goes on as before: playing or not. A part is left for the whole. */
  moveTo(at: number): void {
    const isWhole = this.loaded === keyOf(null);
    if (this.playing.state === 'playing' && !isWhole) this.playFrom(at);
    else if (isWhole && this.audio !== null) {
      this.audio.currentTime = at / 1_000;
      this.tell({ at, part: null });
    } else this.tell({ state: 'idle', at, part: null });
  }

  /** The element's own events. */
  readonly began = (): void => {
    this.tell({ state: 'playing' });
    this.follow();
  };
  readonly stopped = (): void => this.tell({ state: 'paused', at: this.position() });
  readonly broke = (): void => {
    if (this.loaded === null || this.audio?.error === null) return;
    const url = this.files.get(this.loaded) ?? null;
    this.tell({ state: 'failed', unplayable: url });
  };

  private async start(part: CallSpan | null, begins: number, at: number): Promise<void> {
    const { audio } = this;
    if (audio === null) return;
    this.fetching?.abort();
    const fetching = new AbortController();
    this.fetching = fetching;
    audio.pause();
    this.tell({ state: 'loading', at, part, error: null, unplayable: null });
    const key = keyOf(part);
    try {
      const margins = part && { from_ms: begins, to_ms: part.to_ms + MARGIN_MS };
      const url =
        this.files.get(key) ?? URL.createObjectURL(await getRecording(this.scenarioRunId, margins, fetching.signal));
      this.files.set(key, url);
      if (fetching.signal.aborted) return;
      this.begins = begins;
      if (this.loaded !== key) audio.src = url;
      this.loaded = key;
      audio.currentTime = Math.max(0, at - begins) / 1_000;
    } catch (error) {
      if (!fetching.signal.aborted) this.tell({ state: 'failed', error });
      return;
    }
    await this.play();
  }

  private async play(): Promise<void> {
    // Refused where the browser wants the reader to press first, and where it is paused again before it began: both wait for the button.
    await this.audio?.play().catch(() => {
      if (this.playing.state === 'loading') this.tell({ state: 'paused' });
    });
  }

  /** Tells where it is at each picture that the browser draws. */
  private follow(): void {
    requestAnimationFrame(() => {
      if (this.playing.state !== 'playing') return;
      this.tell({ at: this.position() });
      this.follow();
    });
  }

  private position(): number {
    return this.begins + (this.audio?.currentTime ?? 0) * 1_000;
  }

  private tell(changes: Partial<Playing>): void {
    this.playing = { ...this.playing, ...changes };
    for (const listener of this.listeners) listener();
  }
}

function keyOf(part: CallSpan | null): string {
  return part === null ? 'whole' : `${part.from_ms} ${part.to_ms}`;
}
