import { useState } from 'react';
import type { ChangedCriterion, Comparison } from '../api/statistics';
import { counted, percentText } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';
import { usePrinting } from '../parts/use-printing';

const SHOWN_AT_MOST = 200;

/** Which criteria were met more or less often, and which of them by more than chance explains. */
export function ChangedCriteria({ comparison: { criteria, confidence } }: { readonly comparison: Comparison }) {
  const [isWhole, setWhole] = useState(false);
  const isPrinting = usePrinting();
  if (criteria.length === 0) return null;
  const isClear = ({ adjusted_p_value: p }: ChangedCriterion) => p < (100 - confidence) / 100;
  const clear = criteria.filter(isClear);
  const shown = (isWhole || isPrinting ? criteria : clear).slice(0, SHOWN_AT_MOST);
  return (
    <section className="stack" aria-labelledby="criteria-title">
      <h2 id="criteria-title">Criteria</h2>
      <p>
        {counted(criteria.length, 'criterion was', 'criteria were')} met more or less often;{' '}
        {clear.length === 0 ? 'none' : clear.length} by more than chance can explain (p-values adjusted for the number
        of criteria by Holm’s method).
      </p>
      {shown.length > 0 && <CriteriaTable criteria={shown} isClear={isClear} />}
      {criteria.length > clear.length && (
        <button type="button" className="button small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole
            ? 'Show only what chance cannot explain'
            : `Show ${criteria.length > SHOWN_AT_MOST ? `the first ${SHOWN_AT_MOST}` : `all ${criteria.length}`}`}
        </button>
      )}
    </section>
  );
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

function pText(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(p < 0.1 ? 3 : 2);
}
