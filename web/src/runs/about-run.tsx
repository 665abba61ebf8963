import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { updateRun, type TestRun, type UpdateRun } from '../api/runs';
import { Field } from '../parts/field';
import { FormEnd } from '../parts/form-end';
import { Offered } from '../parts/permissions';
import { TagInput } from '../parts/tag-input';

const LONGEST_NAME = 500;
const LONGEST_NOTE = 2_000;

interface Said {
  readonly name: string;
  readonly note: string;
  readonly tags: readonly string[];
}

/** The form for what people say of a run; what was examined and found does not change. */
export function AboutRun({ run }: { readonly run: TestRun }) {
  const queries = useQueryClient();
  const [began, setBegan] = useState(() => saidOf(run));
  const [said, setSaid] = useState(began);
  const saving = useMutation({
    mutationFn: (changes: UpdateRun) => updateRun(run.id, changes),
    onSuccess: async (changed) => {
      setBegan(saidOf(changed));
      setSaid(saidOf(changed));
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
          <Field label="Name" optional>
            {(control) => (
              <input
                {...control}
                maxLength={LONGEST_NAME}
                value={said.name}
                onChange={({ target }) => setSaid({ ...said, name: target.value })}
              />
            )}
          </Field>
          <Field label="Note" optional>
            {(control) => (
              <textarea
                {...control}
                rows={3}
                maxLength={LONGEST_NOTE}
                value={said.note}
                onChange={({ target }) => setSaid({ ...said, note: target.value })}
              />
            )}
          </Field>
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

function saidOf({ name, note, tags }: TestRun): Said {
  return { name: name ?? '', note: note ?? '', tags };
}

/** Only what was changed in the form: another user may have changed the rest. */
function changesOf(began: Said, { name, note, tags }: Said): UpdateRun {
  return {
    ...(name !== began.name && { name: name.trim() || null }),
    ...(note !== began.note && { note: note.trim() || null }),
    ...(tags !== began.tags && { tags }),
  };
}
