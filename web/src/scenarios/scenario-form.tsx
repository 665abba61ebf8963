import { useMemo, useRef, useState, type FormEvent } from 'react';
import {
  scenarios,
  SEVERITIES,
  type Criterion,
  type Scenario,
  type ScenarioContent,
  type ScenarioFields,
} from '../api/scenarios';
import { Field } from '../parts/field';
import { FormEnd } from '../parts/form-end';
import type { Saving } from '../parts/saving';
import { TagInput } from '../parts/tag-input';
import { useList } from '../parts/use-resource';
import { isSame } from '../parts/three-way';
import { ApprovalFields, approvalFields, untouched, type ApprovalDraft } from './approval-fields';
import { Findings, findingsAt } from './findings';
import { ForTheApprover } from './for-the-approver';
import { LintSummary } from './lint-summary';
import { criterionPath, RubricEditor } from './rubric-editor';
import { tagsOf } from './scenario-search';
import { draftedSources, reworded, SourceFields, sourcesContent } from './source-fields';
import { speechContent, speechDraftOf, withoutSpeech } from './speech-draft';
import { SpeechFields, speechPaths } from './speech-fields';
import { StationFields, stationContent, stationOf, withoutStation, type Station } from './station-fields';
import { TryScenario } from './try-scenario';
import { useLint } from './use-lint';

interface Props {
  /** Null for a new one. */
  readonly scenario: (Scenario & { readonly etag?: string | null }) | null;
  /** What a new one begins with. */
  readonly copied?: Scenario | undefined;
  readonly saving: Saving<ScenarioFields>;
}

/** The paths under which the lint reports fields. */
const SCRIPT = 'content.script';
const COMPLAINT = 'content.chief_complaint';
const GOLD_STANDARD = 'content.gold_standard';

const EMPTY_CRITERION: Criterion = { criterion: '', points: 5, tags: [] };

/** A scenario's patient and its rubric. */
export function ScenarioForm({ scenario, copied, saving }: Props) {
  const began = scenario ?? copied;
  const content = began?.content;
  const [name, setName] = useState(scenario?.name ?? (copied === undefined ? '' : `Copy of ${copied.name}`));
  const [category, setCategory] = useState(began?.category ?? 'general');
  const [severity, setSeverity] = useState(SEVERITIES.find((one) => one === began?.severity) ?? 'medium');
  const [tags, setTags] = useState<readonly string[]>(began?.tags ?? []);
  const [age, setAge] = useState(content?.demographics.age?.toString() ?? '');
  const [gender, setGender] = useState(content?.demographics.gender ?? '');
  const [complaint, setComplaint] = useState(content?.chief_complaint ?? '');
  const [script, setScript] = useState(content?.script ?? '');
  const [goldStandard, setGoldStandard] = useState<unknown>(content?.['gold_standard'] ?? '');
  const [rubric, setRubric] = useState<readonly Criterion[]>(began?.rubric_criteria ?? [EMPTY_CRITERION]);
  const [station, setStation] = useState<Station>(() => stationOf(content));
  const [speech, setSpeech] = useState(() => speechDraftOf(content));
  const [sources, setSources] = useState(() => draftedSources(content));
  const [approval, setApproval] = useState<ApprovalDraft>(untouched);
  // What was approved with one save is not approved again with the next.
  const [saved, setSaved] = useState(scenario?.etag);
  if (saved !== scenario?.etag) {
    setSaved(scenario?.etag);
    setApproval(untouched());
  }
  const form = useRef<HTMLFormElement>(null);
  const library = useList(scenarios).data;
  const knownTags = useMemo(() => tagsOf(library ?? []), [library]);

  const { age: _age, gender: _gender, ...others } = content?.demographics ?? {};
  const kept: Partial<ScenarioContent> = content === undefined ? {} : withoutSpeech(withoutStation(content, station));
  const { gold_standard: _given, ...otherContent } = kept;
  const written = {
    name: name.trim(),
    severity,
    content: {
      // Keys that this form does not know still belong to the scenario.
      ...withoutSources(isText(goldStandard) ? otherContent : kept, sources !== null),
      ...(sources !== null && sourcesContent(sources)),
      ...stationContent(station),
      ...speechContent(content, speech),
      script,
      chief_complaint: complaint,
      demographics: {
        ...others,
        ...(age.trim() !== '' && { age: Number(age) }),
        ...(gender.trim() !== '' && { gender: gender.trim() }),
      },
      ...(isText(goldStandard) && goldStandard.trim() !== '' && { gold_standard: goldStandard }),
    },
  };
  const weighed = rubric.map((criterion) => ({
    ...criterion,
    points: Number.isNaN(criterion.points) ? 0 : criterion.points,
  }));
  const isBegun = [complaint, script, ...rubric.map(({ criterion }) => criterion)].some((text) => text.trim() !== '');
  const lint = useLint({ ...written, rubric_criteria: weighed });
  const criteria = rubric.map((_, index) => criterionPath(index));
  const paths = [SCRIPT, COMPLAINT, GOLD_STANDARD, ...speechPaths(speech), ...criteria];
  const shown = paths.filter((path) => path !== GOLD_STANDARD || isText(goldStandard));
  const noteAt = (path: string) => {
    const found = findingsAt(lint.findings, path);
    return found.length === 0 ? null : <Findings findings={found} />;
  };

  const rubric_criteria = rubric.filter(({ criterion }) => criterion.trim() !== '');
  const isRevised =
    scenario !== null && !(isSame(written.content, content) && isSame(rubric_criteria, scenario.rubric_criteria));
  const save = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate({
      ...written,
      category: category.trim(),
      tags: [...tags],
      ...approvalFields(approval),
      rubric_criteria,
    });
  };
  // A source goes on supporting a criterion that is worded anew.
  const changeRubric = (next: readonly Criterion[]) => {
    setRubric(next);
    if (sources !== null && next.length === rubric.length) setSources(reworded(sources, rubric, next));
  };
  const go = (path: string) => {
    const field = form.current?.querySelector<HTMLElement>(`[data-path="${path}"]`);
    const fold = field?.closest('details');
    if (fold) fold.open = true;
    field?.focus();
  };
  return (
    <form className="form case-form" onSubmit={save} ref={form}>
      <fieldset className="panel case">
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
        <Field label="Category">
          {(control) => (
            <input {...control} required value={category} onChange={(event) => setCategory(event.target.value)} />
          )}
        </Field>
        <Field label="Severity">
          {(control) => (
            <select
              {...control}
              value={severity}
              onChange={(event) => setSeverity(SEVERITIES.find((one) => one === event.target.value) ?? severity)}
            >
              {SEVERITIES.map((option) => (
                <option key={option}>{option}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Tags" optional>
          {(control) => <TagInput control={control} chosen={tags} onChange={setTags} known={knownTags} />}
        </Field>
      </fieldset>
      <fieldset className="panel patient">
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
        <Field
          label="Chief complaint"
          help="In the patient’s own words: it opens the conversation."
          note={noteAt(COMPLAINT)}
        >
          {(control) => (
            <textarea
              {...control}
              data-path={COMPLAINT}
              required
              rows={2}
              value={complaint}
              onChange={(event) => setComplaint(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Script"
          help="What the patient knows, one fact per sentence: first what they say unasked, then “If asked about …: …”."
          note={noteAt(SCRIPT)}
        >
          {(control) => (
            <textarea
              {...control}
              data-path={SCRIPT}
              required
              rows={12}
              value={script}
              onChange={(event) => setScript(event.target.value)}
            />
          )}
        </Field>
      </fieldset>
      <div className="checklist-side">
        <RubricEditor rubric={rubric} onChange={changeRubric} findings={lint.findings} />
        <LintSummary
          lint={lint}
          isBegun={isBegun}
          paths={shown.filter((path) => findingsAt(lint.findings, path).length > 0)}
          others={lint.findings.filter(({ path }) => !shown.includes(path))}
          onGo={go}
        />
        <TryScenario
          trial={{
            ...(written.name !== '' && { name: written.name }),
            content: written.content,
            rubric_criteria: weighed.filter(({ criterion }) => criterion.trim() !== ''),
          }}
        />
      </div>
      <div className="approver-side">
        {isText(goldStandard) && (
          <div className="panel">
            <Field
              label="Gold standard"
              help="What an ideal clinician does. Neither the patient nor the judge sees it."
              note={noteAt(GOLD_STANDARD)}
              optional
            >
              {(control) => (
                <textarea
                  {...control}
                  data-path={GOLD_STANDARD}
                  rows={6}
                  value={goldStandard}
                  onChange={(event) => setGoldStandard(event.target.value)}
                />
              )}
            </Field>
          </div>
        )}
        <StationFields
          station={station}
          onChange={setStation}
          names={(library ?? []).flatMap((one) => (one.scenario_id === scenario?.scenario_id ? [] : [one.name]))}
        />
        <SpeechFields draft={speech} onChange={setSpeech} noteAt={noteAt} />
        {sources !== null && (
          <SourceFields
            drafts={sources.drafts}
            onChange={(drafts) => setSources({ ...sources, drafts })}
            rubric={rubric}
          />
        )}
        {scenario !== null && <ForTheApprover content={written.content} tags={tags} rubric={rubric} />}
        <ApprovalFields
          scenario={scenario}
          isRevised={isRevised}
          findings={lint.findings.length}
          draft={approval}
          onChange={setApproval}
        />
        <FormEnd
          saving={saving}
          label={scenario === null ? 'Create the scenario' : 'Save'}
          draft={{ written, category, tags, rubric, approval, age, sources }}
        />
      </div>
    </form>
  );
}

/** A scenario's content without the sources that the form sets anew. */
function withoutSources(kept: Partial<ScenarioContent>, areSet: boolean): Partial<ScenarioContent> {
  if (!areSet) return kept;
  const { sources: _sources, ...others } = kept;
  return others;
}

/** A gold standard may be any JSON; the form knows texts. */
function isText(value: unknown): value is string {
  return typeof value === 'string';
}
