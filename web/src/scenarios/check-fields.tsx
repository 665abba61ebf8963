import { useState } from 'react';
import { CHECK_KINDS, MAX_TURNS, type Check, type CheckKind } from '../../../src/domain';
import { Field } from '../parts/field';

const NAMES: Readonly<Record<CheckKind, string>> = {
  contains: 'a rule: certain words',
  regex: 'a rule: a pattern',
  json_schema: 'a rule: the shape of JSON',
  tool_call: 'a rule: a tool that the agent calls',
  latency_ms: 'a rule: the time of replies',
  tokens: 'a rule: tokens used',
  cost_usd: 'a rule: dollars spent',
};

/** What a rule begins with when it is chosen. */
const BLANK: Readonly<Record<CheckKind, Check>> = {
  contains: { kind: 'contains', texts: [] },
  regex: { kind: 'regex', pattern: '' },
  json_schema: { kind: 'json_schema', schema: { type: 'object' } },
  tool_call: { kind: 'tool_call', name: '' },
  latency_ms: { kind: 'latency_ms', max: 5000 },
  tokens: { kind: 'tokens', max: 10_000 },
  cost_usd: { kind: 'cost_usd', max: 0.1 },
};

const UNITS = { latency_ms: 'Milliseconds', tokens: 'Tokens', cost_usd: 'Dollars' } as const;

interface Props {
  readonly check: Check | undefined;
  /** Of the criterion, from 1. */
  readonly number: number;
  readonly onChange: (check: Check | undefined) => void;
}

/** Whether the judge decides a criterion or a rule, and the rule. */
export function CheckFields({ check, number, onChange }: Props) {
  return (
    <>
      <Field label={`Who decides criterion ${number}`} help="A rule costs nothing, and its mark is the same each time.">
        {(control) => (
          <select
            {...control}
            value={check?.kind ?? ''}
            onChange={({ target }) => {
              const kind = CHECK_KINDS.find((one) => one === target.value);
              onChange(kind === undefined ? undefined : BLANK[kind]);
            }}
          >
            <option value="">the judge</option>
            {CHECK_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {NAMES[kind]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {check !== undefined && <Rule of={check} number={number} onChange={onChange} />}
    </>
  );
}

interface RuleProps<Of extends Check = Check> {
  readonly of: Of;
  readonly number: number;
  readonly onChange: (check: Check) => void;
}

type Of<Kind extends CheckKind> = Extract<Check, { kind: Kind }>;

function Rule({ of, number, onChange }: RuleProps) {
  switch (of.kind) {
    case 'contains':
      return <Words of={of} number={number} onChange={onChange} />;
    case 'regex':
      return <Pattern of={of} number={number} onChange={onChange} />;
    case 'json_schema':
      return <Shape of={of} number={number} onChange={onChange} />;
    case 'tool_call':
      return <Call of={of} number={number} onChange={onChange} />;
    case 'latency_ms':
    case 'tokens':
    case 'cost_usd':
      return (
        <Field label={`${UNITS[of.kind]} at most, of criterion ${number}`}>
          {(control) => (
            <input
              {...control}
              type="number"
              min={0}
              step="any"
              required
              value={Number.isNaN(of.max) ? '' : of.max}
              onChange={({ target }) => onChange({ ...of, max: target.valueAsNumber })}
            />
          )}
        </Field>
      );
  }
}

function Words({ of, number, onChange }: RuleProps<Of<'contains'>>) {
  // What is typed keeps its empty lines until the field is left.
  const [typed, setTyped] = useState(() => of.texts.join('\n'));
  return (
    <>
      <Field label={`Words of criterion ${number}`} help="One phrase a line. Marks of emphasis do not matter.">
        {(control) => (
          <textarea
            {...control}
            rows={3}
            required
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value);
              onChange({ ...of, texts: target.value.split('\n').filter((line) => line.trim() !== '') });
            }}
          />
        )}
      </Field>
      <label className="check">
        <input
          type="checkbox"
          checked={of.need === 'all'}
          onChange={({ target }) => onChange({ ...of, need: target.checked ? 'all' : undefined })}
        />
        all of them in one reply
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={of.whole_words === true}
          onChange={({ target }) => onChange({ ...of, whole_words: target.checked || undefined })}
        />
        as whole words
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={of.case_sensitive === true}
          onChange={({ target }) => onChange({ ...of, case_sensitive: target.checked || undefined })}
        />
        with these capitals
      </label>
      <WhichReply of={of} number={number} onChange={onChange} />
    </>
  );
}

function Pattern({ of, number, onChange }: RuleProps<Of<'regex'>>) {
  const { flags = '' } = of;
  return (
    <>
      <Field
        label={`Pattern of criterion ${number}`}
        help="A regular expression as RE2 reads it, without look-ahead, look-behind and back-references."
      >
        {(control) => (
          <input
            {...control}
            type="text"
            required
            maxLength={1000}
            spellCheck={false}
            autoComplete="off"
            value={of.pattern}
            onChange={({ target }) => onChange({ ...of, pattern: target.value })}
          />
        )}
      </Field>
      <label className="check">
        <input
          type="checkbox"
          checked={flags.includes('i')}
          onChange={({ target }) => {
            const others = flags.replace('i', '');
            onChange({ ...of, flags: (target.checked ? `i${others}` : others) || undefined });
          }}
        />
        capitals do not matter
      </label>
      <WhichReply of={of} number={number} onChange={onChange} />
    </>
  );
}

function Call({ of, number, onChange }: RuleProps<Of<'tool_call'>>) {
  // What is typed keeps its empty lines until the field is left.
  const [typed, setTyped] = useState(() => (of.arguments?.contains ?? []).join('\n'));
  return (
    <>
      <Field label={`Tool of criterion ${number}`} help="Its name, exactly as the agent’s answers write it.">
        {(control) => (
          <input
            {...control}
            type="text"
            required
            maxLength={200}
            spellCheck={false}
            autoComplete="off"
            value={of.name}
            onChange={({ target }) => onChange({ ...of, name: target.value })}
          />
        )}
      </Field>
      <Field
        label={`Words in its arguments, criterion ${number}`}
        help="One phrase a line, all of which the arguments have to hold. Left empty, any arguments do."
      >
        {(control) => (
          <textarea
            {...control}
            rows={2}
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value);
              const texts = target.value.split('\n').filter((line) => line.trim() !== '');
              onChange({ ...of, arguments: argumentsWith(of.arguments, texts) });
            }}
          />
        )}
      </Field>
      {of.arguments?.json_schema !== undefined && (
        <p className="quiet small">Its arguments have to fit a JSON Schema too, which files and the API change.</p>
      )}
      <Field label={`How many times, criterion ${number}`} help="Left empty, once or more.">
        {(control) => (
          <input
            {...control}
            type="number"
            min={1}
            step={1}
            value={of.times ?? ''}
            onChange={({ target }) =>
              onChange({ ...of, times: target.value === '' ? undefined : target.valueAsNumber })
            }
          />
        )}
      </Field>
      <WhichReply of={of} number={number} onChange={onChange} />
    </>
  );
}

/** A schema that files or the API have set stays. */
function argumentsWith(wanted: Of<'tool_call'>['arguments'], texts: readonly string[]): Of<'tool_call'>['arguments'] {
  const contains = texts.length === 0 ? undefined : [...texts];
  const schema = wanted?.json_schema;
  if (contains === undefined && schema === undefined) return undefined;
  return { ...(contains && { contains }), ...(schema && { json_schema: schema }) };
}

function Shape({ of, number, onChange }: RuleProps<Of<'json_schema'>>) {
  const [typed, setTyped] = useState(() => JSON.stringify(of.schema, null, 2));
  const read = schemaIn(typed);
  return (
    <>
      <Field
        label={`JSON Schema of criterion ${number}`}
        help="What the reply has to look like (2020-12)."
        wrong={read === null ? 'This is not a JSON object yet; what was there before stays.' : undefined}
      >
        {(control) => (
          <textarea
            {...control}
            rows={6}
            spellCheck={false}
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value);
              const schema = schemaIn(target.value);
              if (schema !== null) onChange({ ...of, schema });
            }}
          />
        )}
      </Field>
      <WhichReply of={of} number={number} onChange={onChange} />
    </>
  );
}

function WhichReply({ of, number, onChange }: RuleProps<Of<'contains' | 'regex' | 'json_schema' | 'tool_call'>>) {
  const turns = Array.from({ length: MAX_TURNS }, (_, at) => at + 1);
  const all = typeof of.turn === 'number' && !turns.includes(of.turn) ? [...turns, of.turn] : turns;
  return (
    <Field label={`Which reply criterion ${number} is about`}>
      {(control) => (
        <select
          {...control}
          value={of.turn ?? 'any'}
          onChange={({ target: { value } }) => {
            const word = WORDS.find((one) => one === value);
            onChange({ ...of, turn: value === 'any' ? undefined : (word ?? Number(value)) });
          }}
        >
          <option value="any">any of them</option>
          <option value="every">every one</option>
          <option value="last">the last</option>
          {all.map((turn) => (
            <option key={turn} value={turn}>
              that of turn {turn}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

const WORDS = ['every', 'last'] as const;

/** Null while the text is not a JSON object. */
function schemaIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
