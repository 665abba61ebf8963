import type { BodyFor } from '../../../contract/call';
import type { RecurringRun } from '../../../contract/start-run';
import { canSpeak, isVoiceOnly, type Disturbance, type Line } from '../../../src/domain';

/** Of a start's form: whether conversations are spoken, and how the patient sounds. Numbers are text, `''` is the service's default. */
export interface SpokenDraft {
  readonly isSpoken: boolean;
  readonly voice: string;
  readonly rate: string;
  readonly line: Line;
  readonly noise: string;
  readonly sounds: readonly Disturbance[];
  readonly spokenSeed: string;
}

export const IN_TEXT: SpokenDraft = {
  isSpoken: false,
  voice: '',
  rate: '',
  line: 'wideband',
  noise: '',
  sounds: [],
  spokenSeed: '',
};

/** What is sent of it; nothing for a run in text. */
export function spokenFields(draft: SpokenDraft): Pick<BodyFor<'POST /start-run'>, 'modality' | 'spoken'> {
  if (!draft.isSpoken) return {};
  const [rate, seed] = [numberOf(draft.rate), numberOf(draft.spokenSeed)];
  const [voice, noise] = [draft.voice.trim(), draft.noise.trim()];
  return {
    modality: 'spoken',
    spoken: {
      line: draft.line,
      ...(voice !== '' && { voice }),
      ...(rate !== undefined && { rate }),
      ...(noise !== '' && { noise }),
      ...(draft.sounds.length > 0 && { sounds: [...draft.sounds] }),
      ...(seed !== undefined && { seed }),
    },
  };
}

/** The same of a stored run, to be changed. */
export function spokenDraftOf({ modality, spoken = {} }: Pick<RecurringRun, 'modality' | 'spoken'>): SpokenDraft {
  const { voice = '', rate = '', line = IN_TEXT.line, noise = '', sounds = [], seed = '' } = spoken;
  return { isSpoken: modality === 'spoken', voice, rate: String(rate), line, noise, sounds, spokenSeed: String(seed) };
}

/** Why these agents cannot be examined so; null when they can. */
export function obstacleToVoice(
  { isSpoken }: SpokenDraft,
  agents: readonly {
    readonly name: string;
    readonly provider: string;
    readonly config: Readonly<Record<string, unknown>>;
  }[],
): string | null {
  const telephone = isSpoken ? undefined : agents.find(({ provider, config }) => isVoiceOnly(provider, config));
  if (telephone !== undefined) return `${telephone.name} can only be spoken with: examine by voice.`;
  const mute = isSpoken ? agents.find(({ provider }) => !canSpeak(provider)) : undefined;
  return mute === undefined
    ? null
    : `${mute.name} cannot be examined by voice: choose another agent, or do not examine by voice.`;
}

function numberOf(text: string): number | undefined {
  return text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text);
}
