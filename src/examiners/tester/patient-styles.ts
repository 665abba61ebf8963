import { speaksEnglish, type PatientProfile, type PatientStyle } from '../../domain/patient';

/** What a style adds to the rules of the role. None of them changes a fact. */
const STYLES: Readonly<Record<PatientStyle, string | null>> = {
  cooperative: null,
  minimising:
    'You play everything down: it is surely nothing, you do not want to make a fuss. Asked directly, you still tell the fact as the card has it, as if it did not matter.',
  demanding:
    'You are impatient and want a quick solution: you press for what you came for, and object once or twice when it is refused. You are never abusive, and you answer what is asked.',
  low_literacy:
    'You use short sentences and very simple words, and you do not know medical terms. When the assistant uses one, you ask what it means before you answer.',
  anxious:
    'You are frightened and imagine the worst: you ask whether it is dangerous, and want to be reassured. You answer what is asked, with your worry beside it.',
  evasive:
    'You are uneasy and avoid answering: at the first question about a fact that the card keeps until it is asked, you answer vaguely without telling it; asked again, you tell it as the card has it. You never lie.',
};

/** The rules that a profile adds, one per line; empty for the usual patient. */
export function profileRules(profile: PatientProfile): string {
  const { style, language } = profile;
  const spoken = speaksEnglish(profile)
    ? null
    : `You speak ${nameOf(language)} (${language}) and nothing else, whatever language the assistant uses and the card is written in. Names of medicines and numbers stay as the card has them, numbers in digits.`;
  return [STYLES[style], spoken].map((rule) => (rule === null ? '' : `\n- ${rule}`)).join('');
}

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

function nameOf(language: string): string {
  return names.of(language) ?? language;
}

/** The texts that styles add, for the prompts' version. */
export const STYLE_TEMPLATES: readonly (string | null)[] = Object.values(STYLES);
