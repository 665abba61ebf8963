import { AudioStream, type RemoteTrack } from '@livekit/rtc-node';
import { ArrivalClock, HEARD_RATE, machineMs } from '../voice/sound-clocks';
import type { HeardPiece } from '../voice/track-mixer';

/** Sound is delivered in pieces of this length: a tenth of the calls, without loss. */
const GROUPED_MS = 50;

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
