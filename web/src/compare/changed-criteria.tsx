import { useState } from 'react';
import type { ChangedCriterion, Comparison } from '../api/statistics';
import { counted, percentText } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';
import { usePrinting } from '../parts/use-printing';
import { CriteriaGroups } from './criteria-groups';
import { pText } from './difference-row';

const SHOWN_AT_MOST = 200;

/** The kinds of criteria that were met more or less often, and on request each criterion; the service's sentence says what that can show. */
export function ChangedCriteria({ comparison }: { readonly comparison: Comparison }) {
  const { criteria, criteria_summary: summary, groups, confidence } = comparison;
  const [isWhole, setWhole] = useState(false);
  const isPrinting = usePrinting();
  if (criteria.length === 0 && groups.length === 0) return null;
  const isClear = ({ adjusted_p_value: p }: ChangedCriterion) => p < (100 - confidence) / 100;
  const clear = criteria.filter(isClear);
  const shown = (isWhole || isPrinting ? criteria : clear).slice(0, SHOWN_AT_MOST);
  return (
    <section className="panel stack" aria-labelledby="criteria-title">
      <h2 id="criteria-title">Criteria</h2>
      <p>
        <Name>{summary.sentence}</Name>
      </p>
      <CriteriaGroups comparison={comparison} />
      {shown.length > 0 && <CriteriaTable criteria={shown} isClear={isClear} />}
      {criteria.length > clear.length && (
        <button type="button" className="button small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {buttonText(isWhole, clear.length, criteria.length)}
        </button>
      )}
    </section>
  );
}

function buttonText(isWhole: boolean, clear: number, all: number): string {
  if (isWhole) return clear === 0 ? 'Hide the list' : 'Show only significant changes';
  return all > SHOWN_AT_MOST
    ? `Show the first ${SHOWN_AT_MOST} that changed, one by one`
    : `Show ${counted(all, 'criterion', 'criteria')} that changed, one by one`;
}

interface TableProps {
  readonly criteria: readonly ChangedCriterion[];
  readonly isClear: (one: ChangedCriterion) => boolean;
}

function CriteriaTable({ criteria, isClear }: TableProps) {
  return (
    <div className="table-frame">
      <table className="rows criteria">
        <thead>
          <tr>
            <th scope="col">Criterion</th>
            <th scope="col" className="number">
              Correct before
            </th>
            <th scope="col" className="number">
              Correct after
            </th>
            <th scope="col" className="number">
              Adjusted p
            </th>
          </tr>
        </thead>
        <tbody>
          {criteria.map((one) => (
            <tr key={`${one.scenario_id} ${one.criterion}`}>
              <th scope="row">
                <Name>{one.criterion}</Name>
                <p className="quiet small">
                  <Name>{one.scenario_name}</Name>
                </p>
              </th>
              <td data-label="Correct before" className="number">
                {percentText(one.before * 100)}
              </td>
              <td data-label="Correct after" className="number">
                <span className={`change ${one.after > one.before ? 'better' : 'worse'}`}>
                  <span aria-hidden="true">{one.after > one.before ? '▲' : '▼'}</span> {percentText(one.after * 100)}
                </span>
              </td>
              <td data-label="Adjusted p" className="number">
                {isClear(one) ? <strong>{pText(one.adjusted_p_value)}</strong> : pText(one.adjusted_p_value)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
