import { spaced } from '../../../src/domain';
import { useState } from 'react';
import type { Comparison } from '../api/statistics';
import { counted, percentText } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';
import { usePrinting } from '../parts/use-printing';
import { DifferenceHead, DifferenceRow } from './difference-row';
import { directionOf, reachOf, type Row } from './forest';

const SHOWN_AT_FIRST = 12;
const MEASURES = [
  ['score', 'Mean score'],
  ['passed', 'Pass rate'],
] as const;

/** The difference of each category on one scale, of the mean score or of the pass rate; the largest drop is on top. */
export function ForestPlot({ comparison }: { readonly comparison: Comparison }) {
  const [isWhole, setWhole] = useState(false);
  const [chosen, setChosen] = useState<'score' | 'passed'>('passed');
  const isPrinting = usePrinting();
  const { confidence, by_category, verdict } = comparison;
  if (by_category.length < 2) return null;
  const rows = by_category
    .flatMap(({ category, scenarios, score, ...passed }): Row[] => {
      const name = category === null ? 'no category' : spaced(category);
      if (chosen === 'score') return score === null ? [] : [{ name, scenarios, ...score }];
      return [{ name, scenarios, ...passed, before: passed.before * 100, after: passed.after * 100 }];
    })
    .sort((one, other) => one.value - other.value);
  const shown = rows.slice(0, isWhole || isPrinting ? undefined : SHOWN_AT_FIRST);
  const reach = reachOf(shown);
  return (
    <section className="panel stack" aria-labelledby="forest-title">
      <h2 id="forest-title">By category</h2>
      <div className="filters" role="group" aria-label="Compare categories by">
        {MEASURES.map(([measure, label]) => (
          <button
            key={measure}
            type="button"
            className="chip"
            aria-pressed={measure === chosen}
            onClick={() => setChosen(measure)}
          >
            {label}
          </button>
        ))}
      </div>
      <table className="forest">
        <DifferenceHead of="Category" ends={[`−${reach}`, `+${reach}`]} confidence={confidence} />
        <tbody>
          {shown.map((row) => (
            <DifferenceRow
              key={row.name}
              title={
                <>
                  <Name>{row.name}</Name>{' '}
                  <span className="quiet small count">{counted(row.scenarios, 'scenario')}</span>
                </>
              }
              before={percentText(row.before)}
              after={percentText(row.after)}
              value={row.value}
              low={row.low}
              high={row.high}
              reach={reach}
              confidence={confidence}
              direction={verdict === 'cannot_tell' ? verdict : directionOf(row)}
            />
          ))}
        </tbody>
      </table>
      {rows.length > SHOWN_AT_FIRST && (
        <button type="button" className="button small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${rows.length} categories`}
        </button>
      )}
      <p className="quiet small">
        In percentage points. If an interval includes 0, the difference may be due to chance. With few scenarios the
        interval is wide, and among many categories some stand out by chance: use them to see where to look, and the
        verdict for the whole.
      </p>
    </section>
  );
}
