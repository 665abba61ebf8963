import { useMemo } from 'react';
import { isMustPass, outcomeOf } from '../../../src/domain';
import type { CriterionResult, ScenarioRunDetail } from '../api/scenario-runs';
import { counted, pointsText } from '../parts/numbers';
import { OUTCOME_SIGNS } from '../parts/status';
import { Name } from '../parts/untrusted-text';
import { pairedCriteria, type CriterionPair } from './pairs';

interface Props {
  readonly base: ScenarioRunDetail;
  readonly head: ScenarioRunDetail;
  /** The text of the criterion whose evidence is highlighted in both conversations. */
  readonly active: string | null;
  readonly onActive: (criterion: string | null) => void;
}

/** The criteria that were marked differently, with the words that earned either mark; the others on request. */
export function Criteria({ base, head, active, onActive }: Props) {
  const [before, after] = [base.criteria_results, head.criteria_results];
  const pairs = useMemo(() => pairedCriteria(before ?? [], after ?? []), [before, after]);
  if (before === null || after === null) {
    return <p className="notice">Only conversations that are both marked can be compared by their criteria.</p>;
  }
  const different = pairs.filter(({ differs }) => differs);
  const same = pairs.filter(({ differs }) => !differs);
  const table = (of: readonly CriterionPair[], label: string) => (
    <Table pairs={of} sides={[before, after]} active={active} onActive={onActive} label={label} />
  );
  return (
    <section className="stack" aria-labelledby="criteria-title">
      <h2 id="criteria-title">
        {different.length === 0
          ? 'Both were marked alike'
          : `${counted(different.length, 'criterion', 'criteria')} marked differently`}
      </h2>
      {different.length > 0 && table(different, 'Criteria marked differently')}
      {same.length > 0 && (
        <details className="circumstances" open={same.some(({ isViolated }) => isViolated)}>
          <summary>{counted(same.length, 'criterion', 'criteria')} marked alike</summary>
          {table(same, 'Criteria marked alike')}
        </details>
      )}
    </section>
  );
}

interface TableProps extends Pick<Props, 'active' | 'onActive'> {
  readonly pairs: readonly CriterionPair[];
  readonly sides: readonly [readonly CriterionResult[], readonly CriterionResult[]];
  readonly label: string;
}

function Table({ pairs, sides, active, onActive, label }: TableProps) {
  return (
    <div className="table-frame">
      <table className="rows compared sides" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Criterion</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map(({ criterion, places: [was, is] }) => {
            const [before, after] = [resultAt(sides[0], was), resultAt(sides[1], is)];
            const results = [before, after].filter((result) => result !== undefined);
            const isMust = results.some(isMustPass);
            const isForbidden = results.some(({ max_points }) => max_points < 0);
            const isPressed = active === criterion;
            return (
              <tr key={`${was} ${is}`}>
                <th scope="row">
                  <button
                    type="button"
                    className="link"
                    aria-pressed={isPressed}
                    title="Highlight its evidence in both conversations"
                    onClick={() => onActive(isPressed ? null : criterion)}
                  >
                    <Name>{criterion}</Name>
                  </button>{' '}
                  {(isMust || isForbidden) && (
                    <span className={isMust ? 'tag must-pass' : 'tag'}>{isForbidden ? 'must not' : 'must pass'}</span>
                  )}
                </th>
                <td data-label="Before">
                  <Mark of={before} />
                </td>
                <td data-label="After">
                  <Mark of={after} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function resultAt(results: readonly CriterionResult[], place: number | null): CriterionResult | undefined {
  return place === null ? undefined : results[place];
}

/** Of what the agent must not do: “MET” would read as praise. */
function whatWasDone({ decision, points }: CriterionResult): string {
  if (decision === 'NOT MET') return 'did not do it';
  const done = decision === 'MET' ? 'did it' : 'did it in part';
  return points === 0 ? done : `${done}, ${pointsText(points)}`;
}

/** A mark with the words that prove it. */
function Mark({ of: result }: { readonly of: CriterionResult | undefined }) {
  if (result === undefined) return <span className="quiet">not in this rubric</span>;
  const outcome = outcomeOf(result);
  return (
    <div className={`criterion-mark ${outcome}`}>
      <p>
        <span className="sign" aria-hidden="true">
          {OUTCOME_SIGNS[outcome]}
        </span>{' '}
        {result.max_points < 0 ? (
          whatWasDone(result)
        ) : (
          <>
            {result.decision}{' '}
            <span className="quiet number">
              {pointsText(result.points)} / {pointsText(result.max_points)}
            </span>
          </>
        )}
      </p>
      {result.evidence.map(({ turn, quote, call }, place) => (
        <p key={place} className="small">
          <span className="quiet">turn {turn}</span> {call === undefined ? '“' : 'called '}
          <Name>{quote}</Name>
          {call === undefined && '”'}
        </p>
      ))}
      {result.evidence.length === 0 && result.absence && <p className="quiet small">said in none of the replies</p>}
    </div>
  );
}
