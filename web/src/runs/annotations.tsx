import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import {
  ANNOTATION_FIELDS,
  RUN_ANNOTATIONS,
  annotationsOf,
  filledAnnotations,
  type AnnotationField,
} from '../../../contract/run-annotations';
import { updateRun, type TestRun, type UpdateRun } from '../api/runs';
import { Field } from '../parts/field';
import { FormEnd } from '../parts/form-end';
import { Offered } from '../parts/permissions';
import { TagInput } from '../parts/tag-input';
import { Name, UntrustedText } from '../parts/untrusted-text';
import { visibleText } from '../parts/visible-parts';

interface Draft {
  readonly texts: Readonly<Record<AnnotationField, string | null>>;
  readonly tags: readonly string[];
}

/** The form for name, note and tags of a run; what was examined and found does not change. */
export function AnnotationsForm({ run }: { readonly run: TestRun }) {
  const queries = useQueryClient();
  const [began, setBegan] = useState(() => draftOf(run));
  const [draft, setDraft] = useState(began);
  const saving = useMutation({
    mutationFn: (changes: UpdateRun) => updateRun(run.id, changes),
    onSuccess: async (changed) => {
      setBegan(draftOf(changed));
      setDraft(draftOf(changed));
      await Promise.all(['run', 'runs'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
    },
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate(changesOf(began, draft));
  };
  return (
    <Offered to="run">
      <details className="circumstances">
        <summary>Edit name, note and tags</summary>
        <form className="form" onSubmit={save}>
          {ANNOTATION_FIELDS.map((field) => (
            <Text
              key={field}
              field={field}
              value={draft.texts[field] ?? ''}
              onChange={(text) => setDraft({ ...draft, texts: { ...draft.texts, [field]: text } })}
            />
          ))}
          <Field label="Tags" optional help="For finding runs, such as release gate.">
            {(control) => (
              <TagInput
                control={control}
                chosen={draft.tags}
                onChange={(tags) => setDraft({ ...draft, tags })}
                known={[]}
              />
            )}
          </Field>
          <FormEnd saving={saving} label="Save" draft={draft} needs="run" />
        </form>
      </details>
    </Offered>
  );
}

interface TextProps {
  readonly field: AnnotationField;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function Text({ field, value, onChange }: TextProps) {
  const { label, longest, lines } = RUN_ANNOTATIONS[field];
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
  return filledAnnotations(run)
    .filter(({ field }) => RUN_ANNOTATIONS[field].lines > 1)
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

function draftOf(run: TestRun): Draft {
  return { texts: annotationsOf(run), tags: run.tags };
}

/** Only what was changed in the form: another user may have changed the rest. */
function changesOf(began: Draft, now: Draft): UpdateRun {
  const texts: { [Field in AnnotationField]?: string | null } = {};
  for (const field of ANNOTATION_FIELDS) {
    const text = now.texts[field]?.trim() || null;
    if (text !== began.texts[field]) texts[field] = text;
  }
  return { ...texts, ...(now.tags !== began.tags && { tags: now.tags }) };
}
