import { HEARD_RATE } from './sound-clocks';
import { TrackMixer, type HeardPiece } from './track-mixer';
import { VoiceActivity, type VoiceChange } from './voice-activity';

/** A pause for breath is shorter. */
const PAUSE_MS = 300;

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
