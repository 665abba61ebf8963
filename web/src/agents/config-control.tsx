import { useState } from 'react';
import { Field, type ControlProps } from '../parts/field';
import { SecretInput } from '../parts/secret-input';
import type { ConfigField } from './config-fields';

interface Props {
  readonly field: ConfigField;
  readonly value: string;
  readonly wrong: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The control of one field of an agent's config. */
export function ConfigControl({ field, value, wrong, onChange }: Props) {
  return (
    <Field label={field.label} help={field.help} wrong={wrong} optional={field.required !== true}>
      {(control) => <Control control={control} field={field} value={value} onChange={onChange} />}
    </Field>
  );
}

function Control({ control, field, value, onChange }: Omit<Props, 'wrong'> & { control: ControlProps }) {
  const { kind, required = false, placeholder } = field;
  if (kind === 'secret') return <SecretInput control={control} value={value} required={required} onChange={onChange} />;
  if (kind === 'json')
    return <JsonInput control={control} value={value} placeholder={placeholder} onChange={onChange} />;
  if (kind === 'long') {
    return <textarea {...control} rows={5} value={value} onChange={(event) => onChange(event.target.value)} />;
  }
  if (kind === 'switch' || typeof kind === 'object') {
    const options = kind === 'switch' ? SWITCH : kind.choice.map((choice) => [choice, choice] as const);
    return (
      <select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">default</option>
        {options.map(([option, label]) => (
          <option key={option} value={option}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...control}
      type="text"
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      value={value}
      required={required}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

const SWITCH = [
  ['true', 'on'],
  ['false', 'off'],
] as const;

/** Headers, cookies and token requests hold credentials: stored values are shown only on request. */
function JsonInput({
  control,
  value,
  placeholder,
  onChange,
}: {
  control: ControlProps;
  value: string;
  placeholder: string | undefined;
  onChange: (value: string) => void;
}) {
  const [shown, setShown] = useState(value === '');
  if (!shown) {
    return (
      <button {...control} type="button" className="button small" onClick={() => setShown(true)}>
        Stored and hidden. Show and edit
      </button>
    );
  }
  return (
    <textarea
      {...control}
      className="code"
      rows={4}
      value={value}
      placeholder={placeholder}
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
