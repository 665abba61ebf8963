import { useMutation } from '@tanstack/react-query';
import { useMemo, useRef, useState, type FormEvent } from 'react';
import { proposeScenarios, scenarios, type GenerationRequest } from '../api/scenarios';
import { Field } from '../parts/field';
import { Allowed } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { TagInput } from '../parts/tag-input';
import { useList } from '../parts/use-resource';
import { ProposedScenarios, type Proposed } from './proposed-scenarios';
import { tagsOf } from './scenario-search';

const LONGEST_TEXT = 200_000;

/** Clinical text to scenarios: first previewed, then saved, then approved by a clinician. */
export function GeneratePage() {
  const calling = useRef<AbortController | null>(null);
  const [proposed, setProposed] = useState<readonly Proposed[] | null>(null);
  const generate = useMutation({
    mutationFn: (request: GenerationRequest) => {
      const controller = new AbortController();
      calling.current = controller;
      return proposeScenarios(request, controller.signal);
    },
    onSuccess: (proposals) => setProposed(proposals.map((proposal) => ({ proposal, chosen: true }))),
  });
  return (
    <>
      <PageHead
        title="Generate scenarios"
        above={{ href: '/scenarios', label: 'Scenarios' }}
        lead="Paste a protocol, procedure or guideline. You see the result before anything is saved."
      />
      <Allowed to="change">
        <GenerateForm
          busy={generate.isPending}
          onGenerate={(request) => generate.mutate(request)}
          onStop={() => calling.current?.abort()}
        />
      </Allowed>
      {generate.isError && calling.current?.signal.aborted !== true && <Problem error={generate.error} />}
      {proposed !== null && !generate.isPending && (
        <ProposedScenarios
          proposed={proposed}
          onChange={(change) => setProposed((all) => (all === null ? null : change(all)))}
        />
      )}
    </>
  );
}

interface FormProps {
  readonly busy: boolean;
  readonly onGenerate: (request: GenerationRequest) => void;
  readonly onStop: () => void;
}

function GenerateForm({ busy, onGenerate, onStop }: FormProps) {
  const [text, setText] = useState('');
  const [category, setCategory] = useState('');
  const [tags, setTags] = useState<readonly string[]>([]);
  const library = useList(scenarios).data;
  const knownTags = useMemo(() => tagsOf(library ?? []), [library]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onGenerate({ text, tags: [...tags], ...(category.trim() !== '' && { category: category.trim() }) });
  };
  return (
    <form className="form panel" onSubmit={submit}>
      <Field
        label="Clinical text"
        help={`Each case in it becomes one scenario. Up to ${LONGEST_TEXT.toLocaleString()} characters.`}
      >
        {(control) => (
          <textarea
            {...control}
            required
            rows={10}
            maxLength={LONGEST_TEXT}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div className="form-row">
        <Field label="Category" help="Chosen for you when left empty." optional>
          {(control) => <input {...control} value={category} onChange={(event) => setCategory(event.target.value)} />}
        </Field>
        <Field label="Tags" optional>
          {(control) => <TagInput control={control} chosen={tags} onChange={setTags} known={knownTags} />}
        </Field>
      </div>
      <div className="actions">
        <button type="submit" className="button primary" disabled={busy || text.trim() === ''}>
          {busy ? 'Generating…' : 'Preview'}
        </button>
        {busy && (
          <button type="button" className="button" onClick={onStop}>
            Stop
          </button>
        )}
      </div>
    </form>
  );
}
