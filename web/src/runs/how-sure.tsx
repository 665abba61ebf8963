import { useQuery } from '@tanstack/react-query';
import type { TestRun } from '../api/runs';
import { getStatistics, type Statistics } from '../api/statistics';
import { counted, percentText } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';

const SHOWN_AT_MOST = 5;

/** What the pass rate of a run that has ended carries: its interval, what it is about, and where the agent wavers. */
export function HowSure({ run }: { readonly run: TestRun }) {
  const found = useQuery({
    queryKey: ['statistics', run.id],
    queryFn: ({ signal }) => getStatistics(run.id, signal),
  });
  const { data } = found;
  const { value, low, high } = data?.graded_pass_rate ?? { value: null, low: null, high: null };
  if (data === undefined || value === null || low === null || high === null) return null;
  const { minimum_detectable_drop: drop } = data;
  return (
    <section className="panel stack sure" aria-labelledby="sure-title">
      <h2 id="sure-title">How sure is that?</h2>
      <svg className="interval" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect className="ground" width="100" height="8" />
        <rect className="reach" x={low} width={high - low} height="8" />
        <rect className="value" x={Math.max(0, value - 0.3)} width="0.6" height="8" />
      </svg>
      <p>
        Of what was graded, <strong className="number">{percentText(value)}</strong> passed; over scenarios of this kind
        the rate lies between <strong className="number">{percentText(low)}</strong> and{' '}
        <strong className="number">{percentText(high)}</strong> ({data.confidence} % confidence).{' '}
        {data.coverage < 100 &&
          `That is about ${percentText(data.coverage)} of the conversations: the rest has no verdict. `}
        {drop === null
          ? 'A second run of this size cannot show a drop.'
          : `A second run of this size shows a drop of ${Math.ceil(drop)} points, not a smaller one.`}
      </p>
      {data.trials > 1 && <OverTrials statistics={data} />}
    </section>
  );
}

function OverTrials({ statistics: { pass_hat, unstable, scenarios, trials } }: { readonly statistics: Statistics }) {
  const all = pass_hat.at(-1)?.value ?? null;
  return (
    <>
      {all !== null && (
        <p>
          That all {trials} trials of a scenario pass: <strong className="number">{percentText(all)}</strong>.
        </p>
      )}
      <p>
        {unstable.length === 0
          ? 'The trials of every scenario agree.'
          : `The trials of ${unstable.length} of ${counted(scenarios, 'scenario')} disagree:`}
      </p>
      {unstable.length > 0 && (
        <ul>
          {unstable.slice(0, SHOWN_AT_MOST).map(({ scenario_id, scenario_name, graded, passed }) => (
            <li key={scenario_id}>
              <Name>{scenario_name}</Name>{' '}
              <span className="quiet number">
                {passed} of {graded} passed
              </span>
            </li>
          ))}
          {unstable.length > SHOWN_AT_MOST && <li className="quiet">and {unstable.length - SHOWN_AT_MOST} more</li>}
        </ul>
      )}
    </>
  );
}
