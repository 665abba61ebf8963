import type { TestRun } from '../api/runs';
import type { Statistics } from '../api/statistics';
import { counted } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';

/** What a rate does not show: whether a must-pass criterion was violated, and the severity of what failed. */
export function Gravity({ run, statistics }: { readonly run: TestRun; readonly statistics: Statistics | null }) {
  const violated = run.must_pass_violated_count ?? null;
  return (
    <div className="gravity">
      {violated !== null && violated > 0 && (
        <p className="must-pass-missed">
          <span aria-hidden="true">! </span>
          <strong>Must-pass criteria violated</strong> in{' '}
          {counted(violated, run.trials > 1 ? 'conversation' : 'scenario')}
          {statistics !== null && <Named violations={statistics.must_pass_violations} />}{' '}
          <a href="#missed-title">See what was missed</a>
        </p>
      )}
      {violated === 0 && <p className="quiet">No must-pass criterion was violated.</p>}
      {statistics !== null && <Severities by={statistics.by_severity} />}
    </div>
  );
}

function Named({ violations }: { readonly violations: Statistics['must_pass_violations'] }) {
  const criteria = [...new Set(violations.map(({ criterion }) => criterion))];
  const [first] = criteria;
  if (first === undefined) return '.';
  return (
    <>
      : <Name>{first}</Name>
      {criteria.length > 1 ? ` and ${criteria.length - 1} more.` : '.'}
    </>
  );
}

/** The share that passed for each severity, the gravest first. */
function Severities({ by }: { readonly by: Statistics['by_severity'] }) {
  const graded = by.filter((one) => one.graded > 0);
  if (graded.length === 0) return null;
  return (
    <ul className="severities" aria-label="Passed, by severity">
      {graded.map(({ severity, graded: of, passed }) => (
        <li key={severity} className={passed === of ? 'all' : 'some'}>
          <span className="severity">
            <Name>{severity}</Name>
          </span>{' '}
          <span className="number">
            {passed} of {of}
          </span>
          <span className="part" aria-hidden="true">
            <span style={{ inlineSize: `${(passed / of) * 100}%` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}
