import { useState } from 'react';
import type { Comparison } from '../api/statistics';
import { counted, percentText, signedText } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';
import { usePrinting } from '../parts/use-printing';
import { directionOf, reachOf, sharedRates, type Row } from './forest';

const SHOWN_AT_FIRST = 12;

interface Props {
  readonly comparison: Comparison;
}

/** The difference of all compared scenarios, and of each category, on one scale; what fell most is on top. */
export function ForestPlot({ comparison }: Props) {
  const [isWhole, setWhole] = useState(false);
  const isPrinting = usePrinting();
  const { confidence, by_category, verdict } = comparison;
  const whole = wholeOf(comparison);
  if (whole === null) return null;
  const categories = by_category
    .map(({ category, ...row }): Row => ({ name: category ?? 'no category', ...row }))
    .sort((one, other) => one.value - other.value);
  const shown = categories.length === 1 ? [] : categories.slice(0, isWhole || isPrinting ? undefined : SHOWN_AT_FIRST);
  const reach = reachOf([whole, ...shown]);
  return (
    <section className="panel stack" aria-labelledby="forest-title">
      <h2 id="forest-title">How big is the difference?</h2>
      <table className="forest">
        <thead>
          <tr>
            <th scope="col">Category</th>
            <th scope="col" className="number">
              Before
            </th>
            <th scope="col" className="number">
              After
            </th>
            <th scope="col" className="plot">
              <span className="scale" aria-hidden="true">
                <span>−{reach}</span>
                <span>0</span>
                <span>+{reach}</span>
              </span>
              <span className="unseen">Difference as a drawing</span>
            </th>
            <th scope="col">Difference, {confidence} % interval</th>
          </tr>
        </thead>
        <tbody>
          <ForestRow row={whole} reach={reach} confidence={confidence} direction={verdict} isWhole />
          {shown.map((row) => (
            <ForestRow
              key={row.name}
              row={row}
              reach={reach}
              confidence={confidence}
              direction={verdict === 'cannot_tell' ? verdict : directionOf(row)}
            />
          ))}
        </tbody>
      </table>
      {categories.length > SHOWN_AT_FIRST && (
        <button type="button" className="button small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${categories.length} categories`}
        </button>
      )}
      <p className="quiet small">
        In percentage points of the pass rate. If an interval includes 0, the difference may be due to chance.
        {shown.length > 1 &&
          ' With few scenarios the interval is wide, and among many categories some stand out by chance: use them to see where to look, and the verdict for the whole.'}
      </p>
    </section>
  );
}

function ForestRow({ row, reach, confidence, direction, isWhole = false }: RowProps) {
  const { name, scenarios, before, after, value, low, high } = row;
  const at = (points: number) => `${((points + reach) / (2 * reach)) * 100}%`;
  const interval = `${signedText(low, 0)} to ${signedText(high, 0)}`;
  return (
    <tr className={isWhole ? 'whole' : undefined}>
      <th scope="row">
        <Name>{name}</Name> <span className="quiet small count">{counted(scenarios, 'scenario')}</span>
      </th>
      <td className="number" data-label="Before">
        {percentText(before * 100)}
      </td>
      <td className="number" data-label="After">
        {percentText(after * 100)}
      </td>
      <td className="plot">
        <svg
          className={direction}
          role="img"
          aria-label={`${signedText(value)} points, ${confidence} % interval ${interval}`}
        >
          <line className="zero" x1="50%" x2="50%" y1="0" y2="100%" />
          <line className="whisker" x1={at(low)} x2={at(high)} y1="50%" y2="50%" />
          <line className="whisker" x1={at(low)} x2={at(low)} y1="30%" y2="70%" />
          <line className="whisker" x1={at(high)} x2={at(high)} y1="30%" y2="70%" />
          <circle className="point" cx={at(value)} cy="50%" r={isWhole ? 6 : 4} />
        </svg>
      </td>
      <td className="number figures" data-label="Difference">
        <strong>{signedText(value)}</strong> <span className="quiet">{interval}</span>
      </td>
    </tr>
  );
}

interface RowProps {
  readonly row: Row;
  readonly reach: number;
  readonly confidence: number;
  readonly direction: Comparison['verdict'];
  readonly isWhole?: boolean;
}

/** Null where nothing could be compared. */
function wholeOf(comparison: Comparison): Row | null {
  const { value, low, high } = comparison.difference;
  const rates = sharedRates(comparison);
  if (value === null || low === null || high === null || rates === null) return null;
  return { name: 'All compared', scenarios: comparison.scenarios.compared, ...rates, value, low, high };
}
