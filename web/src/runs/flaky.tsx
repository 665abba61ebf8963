import { useState } from 'react';
import { Link } from 'wouter';
import type { Statistics } from '../api/statistics';
import { FlakyMark } from '../parts/flaky-mark';
import { counted } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';
import { usePrinting } from '../parts/use-printing';
import { flakyElsewhere } from './flaky-elsewhere';

const SHOWN_AT_FIRST = 6;

/** Scenarios on which this run disagrees with another run of the same agent under the same conditions. */
export function Flaky({ statistics }: { readonly statistics: Statistics }) {
  const [isWhole, setWhole] = useState(false);
  const isPrinting = usePrinting();
  const flaky = flakyElsewhere(statistics);
  if (flaky.length === 0) return null;
  return (
    <>
      <p>
        <FlakyMark /> Under the same conditions, this run and others disagree on{' '}
        <strong className="number">{counted(flaky.length, 'scenario')}</strong> whose conversations in this run agree:
      </p>
      <ul className="unstable" aria-label="Scenarios that are flaky from run to run">
        {flaky
          .slice(0, isWhole || isPrinting ? undefined : SHOWN_AT_FIRST)
          .map(({ scenario_id, scenario_name, passed, failed }) => (
            <li key={scenario_id}>
              <Link href={`/scenarios/${scenario_id}`}>
                <Name>{scenario_name}</Name>
              </Link>
              <span className="quiet number">
                {passed} of {passed + failed} passed across these runs
              </span>
            </li>
          ))}
      </ul>
      {flaky.length > SHOWN_AT_FIRST && (
        <button type="button" className="button small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${flaky.length} flaky scenarios`}
        </button>
      )}
    </>
  );
}
