import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  TrackPublishOptions,
  TrackSource,
  type LocalParticipant,
} from '@livekit/rtc-node';
import type { Uttered } from '../voice/call-floor';
import { FRAME_MS, machineMs, PlayoutClock, SPOKEN_RATE } from '../voice/sound-clocks';

/** A multiple of FRAME_MS, or the native side panics. */
const QUEUE_MS = 200;
const FRAME_SAMPLES = (SPOKEN_RATE * FRAME_MS) / 1_000;
/** The thread takes a frame at each tick; one that is taken a tick later left a hole in our own sound. */
const HOLE_MS = FRAME_MS;

/**
 * Our voice in a room. Utterances are pushed whole into a native queue: frames that this process paced itself would go out as late as its
 * event loop is.
 */
export class SpokenTrack {
  private hushes = 0;
  /** Resolves when what was said before has ended. */
  private silent: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly source: AudioSource,
    private readonly track: LocalAudioTrack,
    /** The server's id of the track; empty when it gave none. */
    readonly sid: string,
  ) {}

  static async publish(participant: LocalParticipant, name: string): Promise<SpokenTrack> {
    const source = new AudioSource(SPOKEN_RATE, 1, QUEUE_MS);
    const track = LocalAudioTrack.createAudioTrack(name, source);
    // Silence is sent as silence: with DTX the other side would fill it with noise of its own.
    const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE, dtx: false, red: false });
    const { sid } = await participant.publishTrack(track, options);
    return new SpokenTrack(source, track, sid ?? '');
  }

  /**
   * Resolves when its last frame has been taken. What is said meanwhile follows it; a hush ends both.
   * @param samples mono, of SPOKEN_RATE
   * @param onTaken receives how much of it has been taken, in ms, each time some more is known to be
   */
  say(samples: Int16Array, onTaken: (untilMs: number) => void = () => undefined): Promise<Uttered> {
    const { hushes } = this;
    // The queue refuses a frame while one waits for its place, and one does until the tick after a hush.
    const saying = this.silent.then(() => this.push(samples, hushes, onTaken));
    this.silent = saying.catch(() => undefined);
    return saying;
  }

  /** Ends the utterance at once; what is on its way is still heard. */
  hush(): void {
    this.hushes += 1;
    this.source.clearQueue();
  }

  async close(): Promise<void> {
    this.hushes += 1;
    await this.track.close();
  }

  /** @param hushes how many there had been when it was to be said */
  private async push(samples: Int16Array, hushes: number, onTaken: (untilMs: number) => void): Promise<Uttered> {
    const clock = new PlayoutClock(QUEUE_MS);
    const frames = Math.ceil(samples.length / FRAME_SAMPLES);
    const began = machineMs();
    let hushedAt = this.hushes === hushes ? null : began;
    // Silence follows, until the queue has told when it took the last frame.
    for (let frame = 0; frame < frames + clock.least && hushedAt === null; frame += 1) {
      try {
        await this.source.captureFrame(frameOf(samples, frame));
        clock.accepted(frame, machineMs());
        // A frame is accepted into the full queue when the first one in it is taken.
        onTaken((frame + 2 - clock.least) * FRAME_MS);
      } catch (error) {
        // A frame that waited for its place when the queue was cleared.
        if (this.hushes === hushes) throw error;
      }
      if (this.hushes !== hushes) hushedAt = machineMs();
    }
    const from = clock.firstFrameAt ?? began;
    const end = from + (samples.length / SPOKEN_RATE) * 1_000;
    const isWhole = hushedAt === null || hushedAt >= end;
    return { from, to: isWhole ? end : (hushedAt ?? end), isReliable: clock.delayMs < HOLE_MS, isWhole };
  }
}

/** A copy: the library would send the samples from the start of a shared buffer. */
function frameOf(samples: Int16Array, frame: number): AudioFrame {
  const data = new Int16Array(FRAME_SAMPLES);
  data.set(samples.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES));
  return new AudioFrame(data, SPOKEN_RATE, 1, FRAME_SAMPLES);
}
