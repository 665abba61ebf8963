/** What the demo clinic agent says about one kind of problem. Texts may hold pronoun marks, see `aboutWhom`. */
export interface Pathway {
  readonly name: string;
  /** A more urgent pathway takes over when the patient says something that matches it. */
  readonly urgency: 'emergency' | 'specific' | 'general';
  /** All of these must occur in what the patient has said so far. */
  readonly signs: readonly RegExp[];
  /** Said first when the patient's last message matches; each once. */
  readonly remarks?: readonly Remark[];
  /** One a turn, in this order. */
  readonly lines: readonly string[];
}

export interface Remark {
  readonly when: RegExp;
  /** `$1` is what the first group of `when` matched. */
  readonly say: string;
}

const URGENCIES: readonly Pathway['urgency'][] = ['general', 'specific', 'emergency'];

export function isMoreUrgent(one: Pathway, other: Pathway): boolean {
  return URGENCIES.indexOf(one.urgency) > URGENCIES.indexOf(other.urgency);
}

type Person = 'you' | 'she' | 'he' | 'they';

const PRONOUNS: Readonly<Record<Person, Readonly<Record<string, string>>>> = {
  you: { they: 'you', them: 'you', their: 'your', are: 'are', have: 'have', do: 'do' },
  she: { they: 'she', them: 'her', their: 'her', are: 'is', have: 'has', do: 'does' },
  he: { they: 'he', them: 'him', their: 'his', are: 'is', have: 'has', do: 'does' },
  they: { they: 'they', them: 'them', their: 'their', are: 'are', have: 'have', do: 'do' },
};

const SOMEBODY_ELSE: readonly (readonly [RegExp, Person])[] = [
  [/\bmy (?:wife|mum|mom|mother|daughter|sister|girl|grandmother|gran)\b/i, 'she'],
  [/\bmy (?:little )?(?:husband|dad|father|son|boy|brother|grandfather)\b|^dad\b/i, 'he'],
  [/\b(?:she|her)\b/i, 'she'],
  [/\b(?:he|him|his)\b/i, 'he'],
  [/\bmy (?:baby|child|kid|toddler|infant|partner|friend|grandchild)\b/i, 'they'],
];

/** The person whom the first message is about decides the pronouns of the whole conversation. */
export function personIn(firstMessage: string): Person {
  return SOMEBODY_ELSE.find(([sign]) => sign.test(firstMessage))?.[1] ?? 'you';
}

/** Puts pronouns and their verbs in: `{Are} {they} in pain?` becomes `Is she in pain?` */
export function aboutWhom(text: string, person: Person): string {
  return text.replace(/\{(\w+)\}/g, (mark, word: string) => {
    const pronoun = PRONOUNS[person][word.toLowerCase()] ?? mark;
    return /^[A-Z]/.test(word) ? pronoun.charAt(0).toUpperCase() + pronoun.slice(1) : pronoun;
  });
}
