import { useId, type ReactNode } from 'react';
import { Field, type ControlProps } from '../parts/field';
import { counted } from '../parts/numbers';
import { visibleText } from '../parts/visible-parts';
import { LIMIT_KINDS, SPEECH_KINDS, type SpeechDraft, type SpeechKind, type Texts } from './speech-draft';

/** The paths under which the lint reports what a scenario says about speech. */
const SPEECH = 'content.speech';
const LIMITS = 'content.speech_limits';

interface Words {
  /** With its unit. */
  readonly label: string;
  readonly help: string;
}

export const SPEECH_WORDS: Readonly<Record<keyof typeof SPEECH_KINDS, Words>> = {
  manner: { label: 'Manner of speaking', help: 'How the patient speaks whatever it says.' },
  rate: { label: 'Speaking rate, times that of the run', help: 'From 0.5 to 2; 1 where it is empty.' },
  interruptions: { label: 'Turns with an interruption', help: 'The patient asks the agent to wait, while it speaks.' },
  backchannels: { label: 'Turns with a backchannel', help: 'The patient says “uh-huh” while the agent speaks.' },
  pauses: { label: 'Turns with a pause', help: 'The patient stops for 0.5 to 3 s in the middle of a sentence.' },
  coughs: { label: 'Turns with a cough', help: 'The patient coughs before a sentence.' },
  asides: { label: 'Turns with an aside', help: 'The patient speaks to somebody else first.' },
  keypad: {
    label: 'Keys that the patient presses',
    help: 'In place of speaking, once each, when the agent has said certain words. One a line: the keys, a colon, the words, such as 1: for appointments press one. w is a pause of half a second.',
  },
};

export const LIMIT_WORDS: Readonly<Record<keyof typeof LIMIT_KINDS, Words>> = {
  response_p95_ms: { label: 'Answers begin within, in ms', help: '95 % of the timed answers.' },
  premature_starts: {
    label: 'Premature starts, in turns',
    help: 'At most so many into which the agent begins to speak.',
  },
  yield_ms: { label: 'Silent after an interruption within, in ms', help: 'From the start of each interruption.' },
  false_yields: {
    label: 'False yields, in backchannels',
    help: 'At most so many for which the agent stops in the middle of a sentence.',
  },
  read_back: {
    label: 'Read back',
    help: 'Medicines, doses, times and allergens that the agent says rightly after the patient has. One a line.',
  },
  unrecovered_entity_errors: {
    label: 'Errors never put right, in words',
    help: 'At most so many medicines, doses, times and allergens that the agent heard wrongly. Only of agents that tell what they heard.',
  },
  escalation_s: {
    label: 'Sends for help within, in s',
    help: 'From the patient’s first red flag to the sentence that earns the must-pass criterion tagged escalation.',
  },
};

const MANNERS: ReadonlyMap<string, string> = new Map([
  ['slow', 'slow: three quarters of the rate, 1 s between sentences'],
  ['breathless', 'breathless: stops for breath after every few words'],
  ['weak', 'weak: 10 dB quieter'],
]);

/** What stands in an empty field. */
const DEFAULTS: Readonly<Record<SpeechKind, string>> = {
  choice: '',
  number: 'no limit',
  turns: 'as the run asks, such as 2, 4',
  phrases: 'none',
  keys: 'none',
};

interface Props {
  readonly draft: SpeechDraft;
  readonly onChange: (draft: SpeechDraft) => void;
  /** The lint's findings at a path; null for none. */
  readonly noteAt: (path: string) => ReactNode;
}

/** How the patient speaks in spoken runs, and what is asked of an agent that it is spoken with. Folded: few scenarios say it. */
export function SpeechFields({ draft, onChange, noteAt }: Props) {
  const { speech, limits, redFlags } = draft;
  return (
    <fieldset className="panel">
      <legend>Spoken</legend>
      <details className="speech-fields">
        <summary>{summaryOf(draft)}</summary>
        <Group path={SPEECH} title="How the patient speaks" texts={speech} noteAt={noteAt}>
          <TextFields
            path={SPEECH}
            words={SPEECH_WORDS}
            kinds={SPEECH_KINDS}
            texts={speech ?? {}}
            onChange={(changed) => onChange({ ...draft, speech: changed })}
            noteAt={noteAt}
          />
        </Group>
        <Group path={LIMITS} title="Limits, each a criterion that must be passed" texts={limits} noteAt={noteAt}>
          <TextFields
            path={LIMITS}
            words={LIMIT_WORDS}
            kinds={LIMIT_KINDS}
            texts={limits ?? {}}
            onChange={(changed) => onChange({ ...draft, limits: changed })}
            noteAt={noteAt}
          />
        </Group>
        {redFlags !== null && (
          <Field label="Red flags" optional help="Words of the patient in which the danger can be heard. One a line.">
            {(control) => (
              <textarea
                {...control}
                rows={2}
                placeholder={DEFAULTS.phrases}
                value={redFlags}
                onChange={({ target }) => onChange({ ...draft, redFlags: target.value })}
              />
            )}
          </Field>
        )}
      </details>
    </fieldset>
  );
}

/** The paths whose findings the fields show, in their order. */
export function speechPaths({ limits }: SpeechDraft): readonly string[] {
  const shown = Object.keys(LIMIT_KINDS).filter((key) => limits !== null && limits[key] !== null);
  return [SPEECH, LIMITS, ...shown.map((key) => `${LIMITS}.${key}`)];
}

function summaryOf({ speech, limits }: SpeechDraft): string {
  const [said, limited] = [speech, limits].map(
    (texts) => Object.values(texts ?? {}).filter((text) => text !== '').length,
  );
  if (!said && !limited) return 'As the run asks, without limits';
  return `${counted(said ?? 0, 'field')} of speech, ${counted(limited ?? 0, 'limit')}`;
}

interface GroupProps {
  readonly path: string;
  readonly title: string;
  readonly texts: Texts | null;
  readonly noteAt: Props['noteAt'];
  readonly children: ReactNode;
}

function Group({ path, title, texts, noteAt, children }: GroupProps) {
  const heading = useId();
  return (
    <div className="stack" role="group" aria-labelledby={heading} data-path={path} tabIndex={-1}>
      <h3 id={heading}>{title}</h3>
      {noteAt(path)}
      {texts === null ? (
        <p className="help">It is stored as something else than fields, and stays as it is.</p>
      ) : (
        children
      )}
    </div>
  );
}

interface TextFieldsProps {
  readonly path: string;
  readonly words: Readonly<Record<string, Words>>;
  readonly kinds: Readonly<Record<string, SpeechKind>>;
  readonly texts: Texts;
  readonly onChange: (texts: Texts) => void;
  readonly noteAt: Props['noteAt'];
}

function TextFields({ path, words, kinds, texts, onChange, noteAt }: TextFieldsProps) {
  return Object.entries(words).map(([key, { label, help }]) => {
    const text = texts[key];
    const kind = kinds[key];
    if (text === undefined || text === null || kind === undefined) {
      return (
        <p key={key} className="help">
          {label}: it is stored as something else, and stays as it is.
        </p>
      );
    }
    const at = `${path}.${key}`;
    return (
      <Field key={key} label={label} optional help={help} note={noteAt(at)}>
        {(control) => (
          <TextControl
            control={control}
            path={at}
            kind={kind}
            empty={key === 'rate' ? '1' : DEFAULTS[kind]}
            text={text}
            onChange={(changed) => onChange({ ...texts, [key]: changed })}
          />
        )}
      </Field>
    );
  });
}

interface TextControlProps {
  readonly control: ControlProps;
  readonly path: string;
  readonly kind: SpeechKind;
  readonly empty: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

function TextControl({ control, path, kind, empty, text, onChange }: TextControlProps) {
  const shown = { ...control, 'data-path': path, value: text };
  if (kind === 'choice') {
    return (
      <select {...shown} onChange={({ target }) => onChange(target.value)}>
        <option value="">as the voice speaks</option>
        {[...MANNERS].map(([manner, says]) => (
          <option key={manner} value={manner}>
            {says}
          </option>
        ))}
        {text !== '' && !MANNERS.has(text) && <option value={text}>{visibleText(text)}</option>}
      </select>
    );
  }
  if (kind === 'phrases' || kind === 'keys') {
    return <textarea {...shown} rows={2} placeholder={empty} onChange={({ target }) => onChange(target.value)} />;
  }
  // What cannot be read is said by the service, in the same words as for a file.
  return (
    <input
      {...shown}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
      placeholder={empty}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
