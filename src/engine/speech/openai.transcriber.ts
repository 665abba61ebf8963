import { toFile } from 'openai';
import { z } from 'zod';
import type { SpeechServer } from '../../platform/config';
import type { Egress } from '../../platform/egress';
import { resampled, type Sound } from '../../domain/sound';
import { writeWav } from '../audio/wav';
import { SpeechError } from './speech-error';
import { SpeechServerClient, type ServerLimits } from './speech-server';
import { Transcriber, type TranscriberIdentity } from './transcriber';

const LIMITS: ServerLimits = { attemptMs: 60_000, overallMs: 150_000, mostBytes: 1_000_000 };
/** What recognisers work at; more only takes longer to send. */
const SENT_RATE = 16_000;

/** Of a clip, which is 30 s at most: four times what anybody says in it. What recognisers repeat without an end is shorter, and doubted. */
const MOST_CHARACTERS = 5_000;

const transcription = z.object({ text: z.string() });

/** The beginnings of answers that are no transcription. */
const OTHERS: readonly (readonly [what: string, beginning: RegExp])[] = [
  ['a web page', /^\s*<(?:!doctype|html|\?xml|head|body)/i],
  ['subtitles', /^(?:WEBVTT|1\r?\n\d\d:\d\d)/],
];

/** An ear at an OpenAI-compatible `/audio/transcriptions`. */
export class OpenAiTranscriber extends Transcriber {
  readonly identity: TranscriberIdentity;
  private readonly client: SpeechServerClient;

  constructor(
    private readonly server: SpeechServer,
    options: { readonly limits?: Partial<ServerLimits>; readonly egress?: Egress } = {},
  ) {
    super();
    this.client = new SpeechServerClient(
      server,
      'transcription server',
      { ...LIMITS, ...options.limits },
      options.egress,
    );
    this.identity = { engine: new URL(server.baseUrl).host, model: server.model };
  }

  async transcribe(sound: Sound, language: string, signal: AbortSignal): Promise<string> {
    const { samples, rate } = resampled(sound, SENT_RATE);
    const wav = writeWav({ rate, channels: [samples] });
    return this.client.ask(async ({ client, options }) => {
      // Typed by the SDK as what a well-behaved server answers.
      const answer: unknown = await client.audio.transcriptions.create(
        {
          file: await toFile(wav, 'speech.wav', { type: 'audio/wav' }),
          model: this.server.model,
          language: language.split('-')[0] ?? language,
          response_format: 'json',
          // The most likely words, the same each time as far as the server can.
          temperature: 0,
        },
        options,
      );
      return this.textOf(answer);
    }, signal);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private textOf(answer: unknown): string {
    const read = transcription.safeParse(answer);
    const { url, model } = this.server.variables;
    if (read.success && read.data.text.length > MOST_CHARACTERS) {
      throw new SpeechError(
        'answer_unusable',
        `${this.client.name} answered with ${read.data.text.length} characters for a clip of 30 s at most, which nobody can say in that time; check ${url} and ${model}.`,
      );
    }
    if (read.success) return read.data.text.trim();
    const what = typeof answer === 'string' ? kindOf(answer) : 'JSON without a "text" that is a string';
    throw new SpeechError(
      'answer_unusable',
      `${this.client.name} was asked for a transcription as JSON and answered with ${what}; check ${url} and ${model}.`,
    );
  }
}

function kindOf(text: string): string {
  if (text.trim() === '') return 'nothing';
  return OTHERS.find(([, beginning]) => beginning.test(text))?.[0] ?? 'text';
}
