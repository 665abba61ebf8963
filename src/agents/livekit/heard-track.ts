import { AudioStream, type RemoteTrack } from '@livekit/rtc-node';
import { HEARD_RATE } from './room-wire';
import { ArrivalClock, machineMs } from './sound-clocks';
import { TrackMixer, type HeardPiece } from './track-mixer';
import { VoiceActivity, type VoiceChange } from './voice-activity';

/** Sound is delivered in pieces of this length: a tenth of the calls, without loss. */
const GROUPED_MS = 50;
/** A pause for breath is shorter. */
const PAUSE_MS = 300;

/** Another participant's track as it is heard here, from its first sample to its end. A stream that is not read grows without limit. */
export class HeardTrack {
  private readonly reader: ReadableStreamDefaultReader<{ readonly data: Int16Array }>;
  private readonly clock = new ArrivalClock();
  private heard = 0;
  private readonly ended: Promise<void>;

  /** @param hear receives every sample once, in order */
  constructor(
    track: RemoteTrack,
    private readonly hear: (piece: HeardPiece) => void,
  ) {
    const options = { sampleRate: HEARD_RATE, numChannels: 1, frameSizeMs: GROUPED_MS };
    this.reader = new AudioStream(track, options).getReader();
    this.ended = this.listen();
  }

  /** Resolves when everything that arrived has been handed on. */
  async close(): Promise<void> {
    await this.reader.cancel().catch(() => undefined);
    await this.ended;
  }

  private async listen(): Promise<void> {
    for (;;) {
      const { done, value } = await this.reader.read().catch(() => ({ done: true, value: undefined }));
      if (done || value === undefined) return;
      this.take(value.data);
    }
  }

  private take(samples: Int16Array): void {
    const firstSample = this.heard;
    this.heard += samples.length;
    this.clock.arrived((samples.length / HEARD_RATE) * 1_000, machineMs());
    const at = this.clock.timeOf((firstSample / HEARD_RATE) * 1_000) ?? machineMs();
    this.hear({ firstSample, at, samples });
  }
}

export interface VoiceListener {
  /** A voice began, or has been silent for as long as a pause; `at` is when it began or ended, in machine ms. */
  voice(isSpeaking: boolean, at: number): void;
  /** Every sample once, in order and without gaps. */
  sound(piece: HeardPiece): void;
}

/** What one participant is heard to say, on whichever tracks: one after the other, or a voice and sounds of the surroundings. */
export class HeardVoice<Track> {
  private readonly activity = new VoiceActivity(HEARD_RATE, PAUSE_MS);
  private readonly mixer: TrackMixer<Track>;
  /** Machine ms of the first sample, as the newest piece tells it. */
  private beganAt = 0;

  constructor(private readonly listener: VoiceListener) {
    this.mixer = new TrackMixer((piece) => {
      listener.sound(piece);
      this.beganAt = piece.at - (piece.firstSample / HEARD_RATE) * 1_000;
      this.tell(this.activity.push(piece.samples));
    });
  }

  hear(track: Track, piece: HeardPiece): void {
    this.mixer.push(track, piece);
  }

  trackEnded(track: Track): void {
    this.mixer.end(track);
    if (this.mixer.isEmpty) this.tell(this.activity.end());
  }

  /** How long it has been silent by the last sample; null while it does not speak. */
  get silentMs(): number | null {
    return this.activity.silentMs;
  }

  private tell(changes: readonly VoiceChange[]): void {
    for (const { isSpeaking, atMs } of changes) this.listener.voice(isSpeaking, this.beganAt + atMs);
  }
}
