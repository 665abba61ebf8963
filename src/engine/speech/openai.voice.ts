import { type Sound, UnusableAudio } from '../../domain/sound';
import { monoOf, readWav } from '../audio/wav';
import type { SpeechServer } from '../../platform/config';
import type { Egress } from '../../platform/egress';
import { SpeechError } from './speech-error';
import { isRefusal, SpeechServerClient, type Attempt, type ServerLimits } from './speech-server';
import { LONGEST_SENTENCE_SECONDS, MOST_SENTENCE_CHARACTERS, Voice, type VoiceIdentity } from './voice';

export const USUAL_SERVER_VOICE = 'alloy';

const LIMITS: ServerLimits = {
  attemptMs: 60_000,
  overallMs: 120_000,
  // Two channels of 16 bits at 48 kHz, for as long as a sentence may last.
  mostBytes: 48_000 * 4 * LONGEST_SENTENCE_SECONDS,
};
/** Of `pcm`, which has no header: 16 bits, one channel, unless the type of the answer names another rate. Source: OpenAI's API reference. */
const PCM_RATE = 24_000;
/** Statuses with which a server refuses a field that it does not know. */
const REFUSALS = new Set([400, 415, 422, 501]);

type Format = 'wav' | 'pcm';

export interface ServerVoiceOptions {
  readonly voice: string;
  readonly rate: number;
  readonly limits?: Partial<ServerLimits>;
  readonly egress?: Egress;
}

/** A voice of an OpenAI-compatible `/audio/speech`. It is asked for WAV, and for bare samples where it refuses that. */
export class OpenAiVoice extends Voice {
  readonly identity: VoiceIdentity;
  private readonly client: SpeechServerClient;
  private format: Format = 'wav';

  constructor(
    private readonly server: SpeechServer,
    { voice, rate, limits, egress }: ServerVoiceOptions,
  ) {
    super();
    this.client = new SpeechServerClient(server, 'speech server', { ...LIMITS, ...limits }, egress);
    this.identity = { engine: new URL(server.baseUrl).host, version: server.model, voice, rate };
  }

  async synthesize(sentence: string, signal: AbortSignal): Promise<Sound> {
    return this.client.ask(async (attempt) => {
      try {
        return await this.spoken(sentence, this.format, attempt);
      } catch (error) {
        if (this.format === 'pcm' || !isRefusal(error) || !REFUSALS.has(error.status)) throw error;
        try {
          const sound = await this.spoken(sentence, 'pcm', attempt);
          this.format = 'pcm';
          return sound;
        } catch (second) {
          // If the format is not what is wrong, the first error names what is.
          throw isRefusal(second) ? error : second;
        }
      }
    }, signal);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private async spoken(sentence: string, format: Format, { client, options }: Attempt): Promise<Sound> {
    const { voice, rate } = this.identity;
    const answer = await client.audio.speech.create(
      {
        model: this.server.model,
        voice,
        input: sentence.slice(0, MOST_SENTENCE_CHARACTERS),
        response_format: format,
        // Servers that do not know the field are not asked to ignore it.
        ...(rate !== 1 && { speed: rate }),
      },
      options,
    );
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    try {
      return format === 'wav' ? monoOf(readWav(bytes, LONGEST_SENTENCE_SECONDS)) : bareSamples(bytes, type);
    } catch (error) {
      if (!(error instanceof UnusableAudio)) throw error;
      const sentence = `${this.client.name} was asked for ${format.toUpperCase()}: ${error.message}`;
      throw new SpeechError('answer_unusable', `${sentence} Check SPEECH_URL and SPEECH_MODEL.`, { cause: error });
    }
  }
}

function bareSamples(bytes: Uint8Array, type: string): Sound {
  if (!/^(?:audio\/|application\/octet-stream|$)/i.test(type)) {
    throw new UnusableAudio(`The answer is no audio: its type is ${JSON.stringify(type.slice(0, 60))}.`);
  }
  if (bytes.length < 2) throw new UnusableAudio(`The audio is empty: ${bytes.length} bytes.`);
  const rate = Number(/\brate=(\d{4,6})\b/i.exec(type)?.[1] ?? PCM_RATE);
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength - (bytes.byteLength % 2));
  // RFC 2586 has samples of audio/L16 with the upper byte first; everything else that is sent as bare samples has it last.
  const isBigEndian = /^audio\/l16\b/i.test(type);
  const samples = new Int16Array(data.length / 2);
  const seconds = Math.round(samples.length / rate);
  if (seconds > LONGEST_SENTENCE_SECONDS) {
    throw new UnusableAudio(`The audio lasts ${seconds} s; at most ${LONGEST_SENTENCE_SECONDS} s are read.`);
  }
  for (let at = 0; at < samples.length; at += 1) {
    samples[at] = isBigEndian ? data.readInt16BE(at * 2) : data.readInt16LE(at * 2);
  }
  return { samples, rate };
}
