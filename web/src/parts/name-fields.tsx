import { Field } from './field';

export interface Named {
  readonly name: string;
  readonly description: string;
}

interface Props {
  readonly value: Named;
  readonly onChange: (value: Named) => void;
}

const LONGEST_NAME = 500;

/** The fields for name and description. */
export function NameFields({ value, onChange }: Props) {
  return (
    <div className="panel name-fields">
      <Field label="Name">
        {(control) => (
          <input
            {...control}
            required
            maxLength={LONGEST_NAME}
            value={value.name}
            onChange={(event) => onChange({ ...value, name: event.target.value })}
          />
        )}
      </Field>
      <Field label="Description" optional>
        {(control) => (
          <textarea
            {...control}
            rows={2}
            value={value.description}
            onChange={(event) => onChange({ ...value, description: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}

/** As the service takes them: an empty description is none. */
export function namedFields({ name, description }: Named): { name: string; description: string | null } {
  return { name: name.trim(), description: description.trim() || null };
}
