import type { ScenarioSpeech, SpeechLimits } from '../../../contract/scenario-speech';

/** How a field is written as text: turns with commas between them, phrases one a line, keys before a colon and the agent's words after it. */
export type SpeechKind = 'choice' | 'number' | 'turns' | 'phrases' | 'keys';

export type SpeechKinds = Readonly<Record<string, SpeechKind>>;

export const SPEECH_KINDS = {
  manner: 'choice',
  rate: 'number',
  interruptions: 'turns',
  backchannels: 'turns',
  pauses: 'turns',
  coughs: 'turns',
  asides: 'turns',
  keypad: 'keys',
} as const satisfies Record<keyof ScenarioSpeech, SpeechKind>;

export const LIMIT_KINDS = {
  response_p95_ms: 'number',
  premature_starts: 'number',
  yield_ms: 'number',
  false_yields: 'number',
  read_back: 'phrases',
  unrecovered_entity_errors: 'number',
  escalation_s: 'number',
} as const satisfies Record<keyof SpeechLimits, SpeechKind>;

/** Fields as text: '' for one that is not given, null for a value that the form cannot show and leaves as it is. */
export type Texts = Readonly<Record<string, string | null>>;

/** What a scenario says about speech, in the form. A group is null where no fields are stored in it; the form leaves it as it is. */
export interface SpeechDraft {
  readonly speech: Texts | null;
  readonly limits: Texts | null;
  readonly redFlags: string | null;
}

export function speechDraftOf(content: Fields | undefined): SpeechDraft {
  return {
    speech: textsOf(SPEECH_KINDS, content?.['speech']),
    limits: textsOf(LIMIT_KINDS, content?.['speech_limits']),
    redFlags: textOf('phrases', content?.['red_flags']),
  };
}

/** The fields to add to a scenario's content: what was not changed stays as it was stored, what is empty is left out. */
export function speechContent(content: Fields | undefined, { speech, limits, redFlags }: SpeechDraft): Fields {
  return given({
    speech: written(SPEECH_KINDS, content?.['speech'], speech),
    speech_limits: written(LIMIT_KINDS, content?.['speech_limits'], limits),
    red_flags: writtenField('phrases', content?.['red_flags'], redFlags),
  });
}

/** A scenario's content without the fields that `speechContent` adds. */
export function withoutSpeech<Content extends Fields>(
  content: Content,
): Omit<Content, 'speech' | 'speech_limits' | 'red_flags'> {
  const { speech: _speech, speech_limits: _limits, red_flags: _flags, ...others } = content;
  return others;
}

/** The fields of a stored group as text; as JSON what the form cannot show. */
export function storedTexts(kinds: SpeechKinds, stored: unknown): readonly (readonly [key: string, text: string])[] {
  if (stored === undefined || stored === null) return [];
  if (!isFields(stored)) return [['', JSON.stringify(stored)]];
  return Object.entries(stored).map(([key, value]) => {
    const kind = kinds[key];
    return [key, (kind === undefined ? null : textOf(kind, value)) ?? JSON.stringify(value)];
  });
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Those that have a value. */
function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Null counts as not given, as where it is read. */
function textsOf(kinds: SpeechKinds, stored: unknown): Texts | null {
  const group = stored ?? {};
  if (!isFields(group)) return null;
  return Object.fromEntries(Object.entries(kinds).map(([key, kind]) => [key, textOf(kind, group[key])]));
}

/** Fields that the form does not know stay. */
function written(kinds: SpeechKinds, stored: unknown, texts: Texts | null): unknown {
  const group = stored ?? {};
  if (texts === null || !isFields(group)) return stored;
  const own = Object.entries(kinds).map(
    ([key, kind]) => [key, writtenField(kind, group[key], texts[key] ?? null)] as const,
  );
  const fields = given({ ...group, ...Object.fromEntries(own) });
  if (Object.keys(fields).length > 0) return fields;
  return Object.keys(group).length > 0 ? undefined : stored;
}

function writtenField(kind: SpeechKind, stored: unknown, text: string | null): unknown {
  return text === null || text === textOf(kind, stored) ? stored : valueOf(kind, text);
}

function textOf(kind: SpeechKind, value: unknown): string | null {
  if (value === undefined) return '';
  if (kind === 'choice') return typeof value === 'string' ? value : null;
  if (kind === 'number') return typeof value === 'number' ? String(value) : null;
  if (!Array.isArray(value)) return null;
  const items: readonly unknown[] = value;
  if (kind === 'keys') return keypadText(items);
  if (kind === 'turns') return items.every((one) => typeof one === 'number') ? items.join(', ') : null;
  return items.every((one) => typeof one === 'string' && !one.includes('\n')) ? items.join('\n') : null;
}

/** What is no number stays text, which the service refuses with a sentence. */
function valueOf(kind: SpeechKind, text: string): unknown {
  if (text.trim() === '') return undefined;
  switch (kind) {
    case 'choice':
      return text;
    case 'number':
      return numberOr(text.trim());
    case 'turns':
      return text.split(/[\s,;]+/).flatMap((turn) => (turn === '' ? [] : [numberOr(turn)]));
    case 'phrases':
      return linesOf(text);
    case 'keys':
      return linesOf(text).map((line) => {
        const [press = '', ...when] = line.split(':');
        return { when: when.join(':').trim(), press: press.trim() };
      });
  }
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}

/** Null where an entry would not come back as it is. */
function keypadText(entries: readonly unknown[]): string | null {
  const lines = entries.map((entry) => {
    if (!isFields(entry)) return null;
    const { when, press, ...others } = entry;
    if (typeof when !== 'string' || typeof press !== 'string' || Object.keys(others).length > 0) return null;
    const isPlain = !/[:\n]/.test(press) && !when.includes('\n') && [when, press].every((part) => part === part.trim());
    return isPlain && press !== '' ? `${press}: ${when}` : null;
  });
  return lines.every((line) => line !== null) ? lines.join('\n') : null;
}

function numberOr(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}
