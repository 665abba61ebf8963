import { AudioStream, type RemoteTrack } from '@livekit/rtc-node';
import { HEARD_RATE } from './room-wire';
import { ArrivalClock, machineMs } from './sound-clocks';
import { VoiceActivity } from './voice-activity';

/** Sound is delivered in pieces of this length: a tenth of the calls, without loss. */
const GROUPED_MS = 50;
/** A pause for breath is shorter. */
const PAUSE_MS = 300;

export interface HeardPiece {
  /** The place of its first sample in the track. */
  readonly firstSample: number;
  /** Machine ms of its first sample. */
  readonly at: number;
  /** Mono, of HEARD_RATE. */
  readonly samples: Int16Array;
}

export interface TrackListener {
  /** A voice began, or has been silent for as long as a pause; `at` is when it began or ended, in machine ms. */
  voice(isSpeaking: boolean, at: number): void;
  /** Every sample once, in order. */
  sound(piece: HeardPiece): void;
}

/** Another participant's track as it is heard here, from its first sample to its end. A stream that is not read grows without limit. */
export class HeardTrack {
  private readonly reader: ReadableStreamDefaultReader<{ readonly data: Int16Array }>;
  private readonly clock = new ArrivalClock();
  private readonly activity = new VoiceActivity(HEARD_RATE, PAUSE_MS);
  private heard = 0;
  private readonly ended: Promise<void>;

  constructor(
    track: RemoteTrack,
    private readonly listener: TrackListener,
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
      this.hear(value.data);
    }
  }

  private hear(samples: Int16Array): void {
    const firstSample = this.heard;
    this.heard += samples.length;
    this.clock.arrived((samples.length / HEARD_RATE) * 1_000, machineMs());
    this.listener.sound({ firstSample, at: this.timeOf((firstSample / HEARD_RATE) * 1_000), samples });
    for (const { isSpeaking, atMs } of this.activity.push(samples)) {
      this.listener.voice(isSpeaking, this.timeOf(atMs));
    }
  }

  private timeOf(placeMs: number): number {
    return this.clock.timeOf(placeMs) ?? machineMs();
  }
}
