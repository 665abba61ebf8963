import { checkWords, MUST_PASS_RULE, MUST_PASS_TAG } from '../../../src/domain';
import { useEffect, useId, useRef, useState } from 'react';
import type { Finding } from '../api/scenarios';
import type { Criterion } from '../api/scenarios';
import { Field } from '../parts/field';
import { TagInput } from '../parts/tag-input';
import { visibleText } from '../parts/visible-parts';
import { CheckFields } from './check-fields';
import { Findings, findingsAt } from './findings';

interface Props {
  readonly rubric: readonly Criterion[];
  readonly onChange: (rubric: readonly Criterion[]) => void;
  readonly findings: readonly Finding[];
}

/** The checklist as an editable list of criteria and points. */
export function RubricEditor({ rubric, onChange, findings }: Props) {
  const id = useId();
  const lines = useRef<HTMLOListElement>(null);
  const [added, setAdded] = useState(0);
  useEffect(() => {
    if (added > 0) lines.current?.querySelector<HTMLElement>('li:last-child textarea')?.focus();
  }, [added]);
  const change = (index: number, changes: Partial<Criterion>) =>
    onChange(rubric.map((criterion, at) => (at === index ? { ...criterion, ...changes } : criterion)));
  const best = rubric.reduce((sum, { points }) => sum + Math.max(0, points), 0);
  return (
    <fieldset className="panel rubric">
      <legend>Rubric</legend>
      <p className="help">
        What the agent says or does, decidable from the transcript. Negative points mark what it must not do. Full
        score: <span className="number">{best}</span> points. A must-pass criterion that is violated fails the scenario,
        regardless of its score: {MUST_PASS_RULE}.
      </p>
      <div className="rubric-columns help" aria-hidden="true">
        <span>Criterion</span>
        <span>Points</span>
      </div>
      <ol className="rubric-lines" ref={lines}>
        {rubric.map((criterion, index) => (
          <li key={index} className="rubric-line">
            <textarea
              aria-label={`Criterion ${index + 1}`}
              aria-describedby={`${id}-${index}`}
              data-path={criterionPath(index)}
              rows={2}
              value={criterion.criterion}
              onChange={(event) => change(index, { criterion: event.target.value })}
            />
            <input
              aria-label={`Points of criterion ${index + 1}`}
              className="number"
              type="number"
              title="Points"
              step="any"
              required
              value={Number.isNaN(criterion.points) ? '' : criterion.points}
              onChange={(event) => change(index, { points: event.target.valueAsNumber })}
            />
            <label className="check">
              <input
                type="checkbox"
                checked={criterion.tags.includes(MUST_PASS_TAG)}
                onChange={(event) => change(index, { tags: withMustPass(criterion.tags, event.target.checked) })}
              />
              must pass
            </label>
            <button
              type="button"
              className="button small remove"
              title="Remove"
              aria-label={`Remove criterion ${index + 1}`}
              onClick={() => onChange(rubric.filter((_, at) => at !== index))}
            >
              <span aria-hidden="true">×</span>
            </button>
            <div className="rubric-findings" id={`${id}-${index}`}>
              <More of={criterion} number={index + 1} onChange={(changes) => change(index, changes)} />
              <Findings findings={findingsAt(findings, criterionPath(index))} />
            </div>
          </li>
        ))}
      </ol>
      <div>
        <button
          type="button"
          className="button small"
          onClick={() => {
            onChange([...rubric, { criterion: '', points: 5, tags: [] }]);
            setAdded(added + 1);
          }}
        >
          Add a criterion
        </button>
      </div>
    </fieldset>
  );
}

interface MoreProps {
  readonly of: Criterion;
  /** From 1. */
  readonly number: number;
  readonly onChange: (changes: Partial<Criterion>) => void;
}

/** What few criteria have: the turn by which it must be done, tags, and a rule in place of the judge. */
function More({ of: { by_turn: turn, tags, check }, number, onChange }: MoreProps) {
  const [isOpen, setOpen] = useState(false);
  const others = tags.filter((tag) => tag !== MUST_PASS_TAG);
  const rule = check === undefined ? [] : [`checked by a rule: ${checkWords(check)}`];
  const said = [...(turn === undefined ? [] : [`by turn ${turn}`]), ...others, ...rule];
  return (
    <details className="criterion-more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="help">{said.length === 0 ? 'Deadline, tags and rule' : visibleText(said.join(', '))}</summary>
      {isOpen && (
        <div className="form-row">
          <Field label={`Deadline of criterion ${number}`} optional help="The turn by which it must be done.">
            {(control) => (
              <input
                {...control}
                type="number"
                min={1}
                max={100}
                step={1}
                value={turn ?? ''}
                onChange={({ target }) => onChange({ by_turn: target.value === '' ? undefined : target.valueAsNumber })}
              />
            )}
          </Field>
          <Field
            label={`Tags of criterion ${number}`}
            optional
            help="Criteria of one tag are counted together in comparisons."
          >
            {(control) => (
              <TagInput
                control={control}
                chosen={others}
                known={[]}
                onChange={(chosen) => onChange({ tags: withMustPass([...chosen], tags.includes(MUST_PASS_TAG)) })}
              />
            )}
          </Field>
          <CheckFields check={check} number={number} onChange={(chosen) => onChange({ check: chosen })} />
        </div>
      )}
    </details>
  );
}

/** The path under which the lint reports a criterion. */
export function criterionPath(index: number): string {
  return `rubric_criteria[${index}].criterion`;
}

function withMustPass(tags: readonly string[], must: boolean): string[] {
  const others = tags.filter((tag) => tag !== MUST_PASS_TAG);
  return must ? [...others, MUST_PASS_TAG] : others;
}
