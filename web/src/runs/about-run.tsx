import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { SAID_FIELDS, SAID_OF_RUN, saidFields, saidOf, type SaidField } from '../../../contract/said-of-runs';
import { updateRun, type TestRun, type UpdateRun } from '../api/runs';
import { Field } from '../parts/field';
import { FormEnd } from '../parts/form-end';
import { Offered } from '../parts/permissions';
import { TagInput } from '../parts/tag-input';
import { Name, UntrustedText } from '../parts/untrusted-text';
import { visibleText } from '../parts/visible-parts';

interface Said {
  readonly texts: Readonly<Record<SaidField, string | null>>;
  readonly tags: readonly string[];
}

/** The form for what people say of a run; what was examined and found does not change. */
export function AboutRun({ run }: { readonly run: TestRun }) {
  const queries = useQueryClient();
  const [began, setBegan] = useState(() => draftOf(run));
  const [said, setSaid] = useState(began);
  const saving = useMutation({
    mutationFn: (changes: UpdateRun) => updateRun(run.id, changes),
    onSuccess: async (changed) => {
      setBegan(draftOf(changed));
      setSaid(draftOf(changed));
      await Promise.all(['run', 'runs'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
    },
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(changesOf(began, said));
  };
  return (
    <Offered to="run">
      <details className="circumstances">
        <summary>Edit name, note and tags</summary>
        <form className="form" onSubmit={save}>
          {SAID_FIELDS.map((field) => (
            <Text
              key={field}
              field={field}
              value={said.texts[field] ?? ''}
              onChange={(text) => setSaid({ ...said, texts: { ...said.texts, [field]: text } })}
            />
          ))}
          <Field label="Tags" optional help="What you call runs of its kind, such as release gate.">
            {(control) => (
              <TagInput
                control={control}
                chosen={said.tags}
                onChange={(tags) => setSaid({ ...said, tags })}
                known={[]}
              />
            )}
          </Field>
          <FormEnd saving={saving} label="Save" draft={said} needs="run" />
        </form>
      </details>
    </Offered>
  );
}

interface TextProps {
  readonly field: SaidField;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function Text({ field, value, onChange }: TextProps) {
  const { label, longest, lines } = SAID_OF_RUN[field];
  return (
    <Field label={label} optional>
      {(control) =>
        lines === 1 ? (
          <input {...control} maxLength={longest} value={value} onChange={({ target }) => onChange(target.value)} />
        ) : (
          <textarea
            {...control}
            rows={lines}
            maxLength={longest}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        )
      }
    </Field>
  );
}

/** What is written in more than a line, in full on the page of the run and in short in a list. */
export function Notes({ run, isShort = false }: { readonly run: TestRun; readonly isShort?: boolean }) {
  return saidOf(run)
    .filter(({ field }) => SAID_OF_RUN[field].lines > 1)
    .map(({ field, text }) => (
      <p
        key={field}
        className={isShort ? 'quiet small clamp' : 'run-note'}
        {...(isShort && { title: visibleText(text) })}
      >
        {isShort ? <Name>{text}</Name> : <UntrustedText text={text} />}
      </p>
    ));
}

function draftOf(run: TestRun): Said {
  return { texts: saidFields(run), tags: run.tags };
}

/** Only what was changed in the form: another user may have changed the rest. */
function changesOf(began: Said, now: Said): UpdateRun {
  const said: { [Field in SaidField]?: string | null } = {};
  for (const field of SAID_FIELDS) {
    const text = now.texts[field]?.trim() || null;
    if (text !== began.texts[field]) said[field] = text;
  }
  return { ...said, ...(now.tags !== began.tags && { tags: now.tags }) };
}
