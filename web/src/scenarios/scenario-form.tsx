import { useState, type FormEvent } from 'react';
import { SEVERITIES, type Criterion, type Scenario, type ScenarioFields } from '../api/scenarios';
import { Field } from '../parts/field';
import { FormEnd } from '../parts/form-end';
import type { Saving } from '../parts/use-resource';
import { RubricEditor } from './rubric-editor';

interface Props {
  /** Null for a new one. */
  readonly scenario: Scenario | null;
  readonly saving: Saving<ScenarioFields>;
}

const EMPTY_CRITERION: Criterion = { criterion: '', points: 5, tags: [] };

/** A scenario's patient and its rubric. */
export function ScenarioForm({ scenario, saving }: Props) {
  const content = scenario?.content;
  const [name, setName] = useState(scenario?.name ?? '');
  const [category, setCategory] = useState(scenario?.category ?? 'general');
  const [severity, setSeverity] = useState(scenario?.severity ?? 'medium');
  const [tags, setTags] = useState((scenario?.tags ?? []).join(', '));
  const [age, setAge] = useState(content?.demographics.age?.toString() ?? '');
  const [gender, setGender] = useState(content?.demographics.gender ?? '');
  const [complaint, setComplaint] = useState(content?.chief_complaint ?? '');
  const [script, setScript] = useState(content?.script ?? '');
  const [rubric, setRubric] = useState<readonly Criterion[]>(scenario?.rubric_criteria ?? [EMPTY_CRITERION]);
  const [approved, setApproved] = useState(scenario?.approved ?? false);

  const save = (event: FormEvent) => {
    event.preventDefault();
    const { age: _age, gender: _gender, ...others } = content?.demographics ?? {};
    saving.mutate({
      name: name.trim(),
      category: category.trim(),
      severity,
      tags: tagList(tags),
      approved,
      content: {
        // Keys that this form does not know still belong to the scenario.
        ...content,
        script,
        chief_complaint: complaint,
        demographics: {
          ...others,
          ...(age.trim() !== '' && { age: Number(age) }),
          ...(gender.trim() !== '' && { gender: gender.trim() }),
        },
      },
      rubric_criteria: rubric.filter(({ criterion }) => criterion.trim() !== ''),
    });
  };
  return (
    <form className="form" onSubmit={save}>
      <fieldset className="panel">
        <legend>Case</legend>
        <Field label="Name">
          {(control) => (
            <input
              {...control}
              required
              maxLength={500}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <div className="form-row">
          <Field label="Category">
            {(control) => (
              <input {...control} required value={category} onChange={(event) => setCategory(event.target.value)} />
            )}
          </Field>
          <Field label="Severity">
            {(control) => (
              <select {...control} value={severity} onChange={(event) => setSeverity(event.target.value)}>
                {SEVERITIES.map((option) => (
                  <option key={option}>{option}</option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Tags" help="Separated by commas." optional>
            {(control) => <input {...control} value={tags} onChange={(event) => setTags(event.target.value)} />}
          </Field>
        </div>
      </fieldset>
      <fieldset className="panel">
        <legend>Patient</legend>
        <div className="form-row">
          <Field label="Age" optional>
            {(control) => (
              <input
                {...control}
                type="number"
                min={0}
                max={150}
                step="any"
                value={age}
                onChange={(event) => setAge(event.target.value)}
              />
            )}
          </Field>
          <Field label="Gender" optional>
            {(control) => (
              <input {...control} maxLength={100} value={gender} onChange={(event) => setGender(event.target.value)} />
            )}
          </Field>
        </div>
        <Field label="Chief complaint" help="In the patient’s own words: it opens the conversation.">
          {(control) => (
            <textarea
              {...control}
              required
              rows={2}
              value={complaint}
              onChange={(event) => setComplaint(event.target.value)}
            />
          )}
        </Field>
        <Field label="Script" help="What the patient knows, one fact per sentence.">
          {(control) => (
            <textarea
              {...control}
              required
              rows={8}
              value={script}
              onChange={(event) => setScript(event.target.value)}
            />
          )}
        </Field>
      </fieldset>
      <RubricEditor rubric={rubric} onChange={setRubric} />
      <label className="check">
        <input type="checkbox" checked={approved} onChange={(event) => setApproved(event.target.checked)} />
        <span>
          Approved by a clinician
          <span className="help"> Only approved scenarios are run by default.</span>
        </span>
      </label>
      <FormEnd saving={saving} label={scenario === null ? 'Create the scenario' : 'Save'} />
    </form>
  );
}

/** `a, b,,a` is a and b. */
export function tagList(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ''))];
}
