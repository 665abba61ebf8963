import { type Sound, UnusableAudio } from '../../domain/sound';
import { monoOf, readWav } from '../audio/wav';
import { faultOfVoice, readEspeakVoices } from './espeak-voices';
import { childEnvironment } from '../../platform/config';
import { OutputTooLong, ProgramMissing, runProgram, type ProgramEnd, type RunProgram } from './program';
import { SpeechError, withDeadline } from './speech-error';
import { LONGEST_SENTENCE_SECONDS, MOST_SENTENCE_CHARACTERS, Voice, type VoiceIdentity } from './voice';

export const ESPEAK = 'espeak-ng';
export const USUAL_ESPEAK_VOICE = 'en-us';

/** A sentence takes 13 to 46 ms; a busy machine a few times that. */
const DEADLINE_MS = 20_000;
/** Of `-s`: 175 words a minute are its usual rate. */
const WORDS_A_MINUTE = 175;
const MOST_BYTES = 22_050 * 2 * LONGEST_SENTENCE_SECONDS;
const MOST_LISTED_BYTES = 1_000_000;
const INSTALL =
  'install it (apt-get install espeak-ng on Debian and Ubuntu, brew install espeak-ng on macOS), or set SPEECH_URL to a speech server';

export interface EspeakOptions {
  /** A voice, perhaps with a variant: `en-us+f3`. */
  readonly voice: string;
  readonly rate: number;
  /** The setting or the field that the voice is from. */
  readonly namedBy?: string;
  /** The program, elsewhere than on the path. */
  readonly program?: string;
  readonly deadlineMs?: number;
  /** How programs are started; from this process where it is not given. */
  readonly runs?: RunProgram;
}

const fromHere: RunProgram = (call, signal) => runProgram(call, signal, childEnvironment());

/**
 * The program espeak-ng: no key, no network, and the same samples for the same sentence. A recogniser's errors with it say little about
 * people's voices; times do.
 */
export class EspeakVoice extends Voice {
  private readonly closing = new AbortController();

  private constructor(
    readonly identity: VoiceIdentity,
    private readonly program: string,
    private readonly deadlineMs: number,
    private readonly runs: RunProgram,
  ) {
    super();
  }

  /**
   * Finds the program and checks the voice.
   * @throws SpeechError `engine_missing` with how to install it; `voice_unknown`
   */
  static async open(options: EspeakOptions, signal: AbortSignal): Promise<EspeakVoice> {
    const {
      voice,
      rate,
      namedBy = 'SPEECH_VOICE',
      program = ESPEAK,
      deadlineMs = DEADLINE_MS,
      runs = fromHere,
    } = options;
    const run = (args: readonly string[]) => call({ program, args, deadlineMs, runs }, [signal]);
    const version = /eSpeak NG[^\d]{0,40}([\w.+~-]{1,40})/.exec(
      (await run(['--version'])).output.toString('utf8'),
    )?.[1];
    if (version === undefined) {
      throw new SpeechError('engine_missing', `The program ${program} is not espeak-ng: ${INSTALL}.`);
    }
    const [voices, variants] = [await run(['--voices']), await run(['--voices=variant'])];
    const fault = faultOfVoice(voice, readEspeakVoices(voices.output.toString(), variants.output.toString()), namedBy);
    if (fault !== null) throw new SpeechError('voice_unknown', fault);
    const opened = new EspeakVoice({ engine: ESPEAK, version, voice, rate }, program, deadlineMs, runs);
    await opened.requireVariant(namedBy, signal);
    return opened;
  }

  async synthesize(sentence: string, signal: AbortSignal): Promise<Sound> {
    return this.spoken(sentence, this.identity.voice, signal);
  }

  close(): Promise<void> {
    this.closing.abort();
    return Promise.resolve();
  }

  /** Some voices are listed and take no variant: `en-gb+f3` is plain `en-gb`. */
  private async requireVariant(namedBy: string, signal: AbortSignal): Promise<void> {
    const { voice } = this.identity;
    const [plain = '', variant] = voice.split('+');
    if (variant === undefined) return;
    const [varied, unvaried] = [await this.spoken('one', voice, signal), await this.spoken('one', plain, signal)];
    if (!Buffer.from(varied.samples.buffer).equals(Buffer.from(unvaried.samples.buffer))) return;
    throw new SpeechError(
      'voice_unknown',
      `espeak-ng speaks ${voice} with the plain voice ${plain}: set ${namedBy} to ${plain}, or to another voice with that variant, such as en+${variant} or en-us+${variant}.`,
    );
  }

  private async spoken(sentence: string, voice: string, signal: AbortSignal): Promise<Sound> {
    const speed = String(Math.round(WORDS_A_MINUTE * this.identity.rate));
    // The text is never an argument: one that begins with "-" would be an option.
    const args = ['--stdin', '-z', '--stdout', '-v', voice, '-s', speed];
    const { program, deadlineMs, runs } = this;
    const wanted = { program, args, deadlineMs, runs, input: plainText(sentence), mostBytes: MOST_BYTES };
    const { output, code, complaint } = await call(wanted, [signal, this.closing.signal]);
    if (code !== 0 || output.length === 0) {
      const said = complaint.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
      throw new SpeechError(
        'engine_failed',
        `espeak-ng made no sound (exit code ${code ?? 'none'})${said === '' ? '' : `: ${said}`}`,
      );
    }
    try {
      return monoOf(readWav(output, LONGEST_SENTENCE_SECONDS));
    } catch (error) {
      if (!(error instanceof UnusableAudio)) throw error;
      throw new SpeechError('engine_failed', `espeak-ng: ${error.message}`, { cause: error });
    }
  }
}

/** Between double brackets it reads names of phonemes, and a control character may end its text. */
function plainText(sentence: string): string {
  return sentence
    .slice(0, MOST_SENTENCE_CHARACTERS)
    .replaceAll(/[[\]\p{Cc}]+/gu, ' ')
    .trim();
}

interface EspeakCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly deadlineMs: number;
  readonly runs: RunProgram;
  readonly input?: string;
  readonly mostBytes?: number;
}

async function call(wanted: EspeakCall, signals: readonly AbortSignal[]): Promise<ProgramEnd> {
  const { program, args, deadlineMs, runs, input = '', mostBytes = MOST_LISTED_BYTES } = wanted;
  const late = `espeak-ng did not end within ${deadlineMs / 1_000} s: the machine is too busy, or the program is not what it should be.`;
  return withDeadline(deadlineMs, signals, late, async (signal) => {
    try {
      return await runs({ program, args, input, mostBytes }, signal);
    } catch (error) {
      throw classified(error, program);
    }
  });
}

function classified(error: unknown, program: string): unknown {
  if (error instanceof ProgramMissing) {
    return new SpeechError(
      'engine_missing',
      `${program} is not installed, and it is the patient's voice when SPEECH_URL is not set: ${INSTALL}.`,
      { cause: error },
    );
  }
  if (error instanceof OutputTooLong) {
    return new SpeechError(
      'engine_failed',
      `espeak-ng made more than ${LONGEST_SENTENCE_SECONDS} s of sound for one sentence.`,
      { cause: error },
    );
  }
  if (error instanceof Error && 'code' in error && error.name !== 'AbortError') {
    return new SpeechError('engine_failed', `${program} cannot be started (${String(error.code)}).`, { cause: error });
  }
  return error;
}
