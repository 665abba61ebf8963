import { MUST_PASS_RULE, MUST_PASS_TAG } from '../../../src/domain';
import { useId } from 'react';
import type { Finding } from '../api/scenarios';
import type { Criterion } from '../api/scenarios';
import { Findings, findingsAt } from './findings';

interface Props {
  readonly rubric: readonly Criterion[];
  readonly onChange: (rubric: readonly Criterion[]) => void;
  readonly findings: readonly Finding[];
}

/** The checklist as an editable list of criteria and points. */
export function RubricEditor({ rubric, onChange, findings }: Props) {
  const id = useId();
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
      <ol className="rubric-lines">
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
              {typeof criterion['by_turn'] === 'number' && (
                <p className="help">Counts only when done by turn {criterion['by_turn']}.</p>
              )}
              <Findings findings={findingsAt(findings, criterionPath(index))} />
            </div>
          </li>
        ))}
      </ol>
      <div>
        <button
          type="button"
          className="button small"
          onClick={() => onChange([...rubric, { criterion: '', points: 5, tags: [] }])}
        >
          Add a criterion
        </button>
      </div>
    </fieldset>
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
