import { randomInt } from 'node:crypto';
import { BadRequestException, Injectable } from '@nestjs/common';
import { DISTURBANCES, LARGEST_SEED, listNames, speaksEnglish, type PatientProfile } from '../../domain';
import { SpokenConversations } from '../../engine/actors';
import { IN_TEXT } from '../../engine/ledger';
import type { FoundEngines, SpeechError } from '../../engine/speech';
import { Settings, VERSION } from '../../platform/config';
import type { SpokenView } from '../../../contract/spoken';
import type { TestRunView } from '../../../contract/test-runs';
import type { StartRunRequest } from '../../../contract/start-run';

type Asked = Pick<StartRunRequest, 'modality' | 'spoken'>;

export type Engines = Pick<SpokenView, 'ear' | 'voice_engine'>;

interface AskedVoice {
  /** Null: the usual one. */
  readonly voice: string | null;
  readonly rate: number;
}

type HowItIsHeld = Pick<TestRunView, 'modality' | 'spoken'>;

/** Finds the voice and the ear of spoken runs. Nothing of speech is loaded before the first of them. */
@Injectable()
export class SpokenPlans {
  constructor(
    private readonly settings: Settings,
    private readonly conversations: SpokenConversations,
  ) {}

  /** @throws BadRequestException where the patients cannot be heard as it was asked for */
  async of({ modality = 'text', spoken: asked }: Asked, patients: readonly PatientProfile[]): Promise<HowItIsHeld> {
    if (modality === 'text') {
      if (asked === undefined) return IN_TEXT;
      throw new BadRequestException('spoken: is for spoken runs: set modality to spoken, or leave spoken out');
    }
    const { voice = null, rate = 1, line = 'wideband', noise = null, sounds = [], seed } = asked ?? {};
    return {
      modality,
      spoken: {
        voice,
        rate,
        line,
        noise,
        sounds: DISTURBANCES.filter((sound) => sounds.includes(sound)),
        seed: seed ?? randomInt(LARGEST_SEED + 1),
        ...(await this.engines({ voice, rate }, patients)),
        timing_error_ms: this.settings.speechTimingErrorMs,
        harness_version: VERSION,
      },
    };
  }

  /**
   * Who speaks for these patients, and who hears the agent: looked up now.
   * @throws BadRequestException where there is no such voice
   */
  async engines(asked: AskedVoice, patients: readonly PatientProfile[]): Promise<Engines> {
    const speech = await import('../../engine/speech/index.js');
    const { voice, ear } = await this.found(asked, languageOf(patients, speech), speech);
    return { ear, voice_engine: voice };
  }

  private async found(
    { voice, rate }: AskedVoice,
    language: string,
    speech: typeof import('../../engine/speech'),
  ): Promise<FoundEngines> {
    if (voice !== null && this.settings.speech.speech === null) requireLanguageOf(voice, language, speech);
    const names = voice === null ? speech.usualVoicesFor(language, this.settings.speech) : [voice];
    let fault: SpeechError | null = null;
    for (const name of names) {
      try {
        const namedBy = voice === null ? 'SPEECH_VOICE' : 'spoken.voice';
        return await this.conversations.engines({ voice: name, rate, namedBy });
      } catch (error) {
        if (!(error instanceof speech.SpeechError)) throw error;
        fault = error;
        if (error.kind !== 'voice_unknown') break;
      }
    }
    throw refusal(fault, { voice, language });
  }
}

/** One voice speaks in a run. @throws BadRequestException for patients of several languages */
function languageOf(patients: readonly PatientProfile[], { mainPartOf }: typeof import('../../engine/speech')): string {
  const languages = new Set(patients.map(({ language }) => language));
  const [language = 'en', ...others] = languages;
  if (others.every((other) => mainPartOf(other) === mainPartOf(language))) return language;
  throw new BadRequestException(
    `patients: speak ${listNames([...languages])}, and one voice speaks in a spoken run: start a run for each language`,
  );
}

/** @throws BadRequestException where a voice of espeak-ng is asked for that speaks another language */
function requireLanguageOf(voice: string, language: string, speech: typeof import('../../engine/speech')): void {
  const main = speech.mainPartOf(voice);
  // What is no voice at all is refused by espeak-ng's own list.
  if (main === speech.mainPartOf(language) || !/^[a-z]{2,3}([-+]|$)/i.test(voice)) return;
  throw new BadRequestException(
    `spoken.voice: ${JSON.stringify(voice)} speaks ${main}, and the patients speak ${language}: name a voice for ${speech.mainPartOf(language)}, or leave voice out`,
  );
}

function refusal(
  fault: SpeechError | null,
  { voice, language }: { readonly voice: string | null; readonly language: string },
): BadRequestException {
  if (fault?.kind === 'voice_unknown' && voice === null && !speaksEnglish({ style: 'cooperative', language })) {
    return new BadRequestException(
      `patients: espeak-ng has no voice for ${language}: examine these patients in text, or set SPEECH_URL to a speech server`,
    );
  }
  const field = fault?.kind === 'voice_unknown' && voice !== null ? 'spoken.voice' : 'modality';
  return new BadRequestException(`${field}: ${fault?.message ?? 'there is no voice for the patient'}`);
}
