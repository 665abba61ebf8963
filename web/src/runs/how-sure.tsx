import { spaced } from '../../../src/domain';
import type { TestRun } from '../api/runs';
import type { Statistics } from '../api/statistics';
import { counted, percentText } from '../parts/numbers';
import { IntervalBar, PassBar } from '../parts/pass-bar';
import { toneOf } from '../parts/tone';
import { Name } from '../parts/untrusted-text';
import { CalibrationNote } from './calibration-note';
import { Flaky } from './flaky';
import { PassCurve } from './pass-curve';
import { Unstable } from './unstable';
import { useStatistics } from './use-statistics';

/** What the pass rate of an ended run is worth: its interval, its coverage, and where the agent is inconsistent. */
export function HowSure({ run }: { readonly run: TestRun }) {
  const { data } = useStatistics(run);
  const { value, low, high } = data?.graded_pass_rate ?? { value: null, low: null, high: null };
  if (data === undefined || value === null || low === null || high === null) return null;
  return (
    <section className="panel stack sure" aria-labelledby="sure-title">
      <h2 id="sure-title">How sure is that?</h2>
      <IntervalBar
        value={value}
        low={low}
        high={high}
        confidence={data.confidence}
        tone={toneOf({
          rate: value,
          passThreshold: run.pass_threshold,
          mustPassViolated: run.must_pass_violated_count ?? null,
        })}
      />
      <p>
        Of the graded conversations, <strong className="number">{percentText(value)}</strong> passed. For scenarios of
        this kind the rate lies between <strong className="number">{percentText(Math.round(low))}</strong> and{' '}
        <strong className="number">{percentText(Math.round(high))}</strong> ({data.confidence} % confidence).{' '}
        {dropSentence(data)}
      </p>
      <Coverage statistics={data} />
      <CalibrationNote statistics={data} />
      {(data.trials > 1 || data.unstable.length > 0) && <Unstable run={run} statistics={data} />}
      <Flaky statistics={data} />
      {data.trials > 1 && (
        <>
          <AllTrials statistics={data} />
          <PassCurve passHat={data.pass_hat} />
        </>
      )}
      <ByCategory statistics={data} passThreshold={run.pass_threshold} />
    </section>
  );
}

function dropSentence({ minimum_detectable_drop: drop }: Statistics): string {
  if (drop === null) return 'This run is too small to detect a drop.';
  return `A second run of this size can detect a drop of ${Math.ceil(drop)} points or more, but not a smaller one.`;
}

/** The share of the run that the rate covers, and why the rest has no verdict. */
function Coverage({ statistics: { coverage, graded, total, excluded } }: { readonly statistics: Statistics }) {
  const why = excluded.map(({ status, error_code, count }) => `${count} ${error_code ?? status}`).join(', ');
  return (
    <p>
      Coverage: <strong className="number">{percentText(coverage)}</strong>
      {graded === total
        ? ', every conversation has a verdict.'
        : `. ${(total - graded).toLocaleString()} of ${counted(total, 'conversation')} ${total - graded === 1 ? 'has' : 'have'} no verdict (${why}). Missing verdicts say nothing about the agent.`}
    </p>
  );
}

function AllTrials({ statistics: { pass_hat, trials } }: { readonly statistics: Statistics }) {
  const all = pass_hat.at(-1)?.value ?? null;
  return (
    all !== null && (
      <p>
        All {trials} trials pass for <strong className="number">{percentText(all)}</strong> of scenarios: a measure of
        how consistent the agent is.
      </p>
    )
  );
}

interface ByCategoryProps {
  readonly statistics: Statistics;
  readonly passThreshold: number;
}

function ByCategory({ statistics: { by_category }, passThreshold }: ByCategoryProps) {
  if (by_category.length < 2) return null;
  const worstFirst = [...by_category].sort((one, other) => (one.value ?? 101) - (other.value ?? 101));
  return (
    <details className="seldom">
      <summary>By category</summary>
      <ul className="by-category">
        {worstFirst.map(({ category, value, low, high, passed, graded }) => (
          <li key={category}>
            <Name>{spaced(category)}</Name>
            {value === null || low === null || high === null ? (
              <span className="quiet">nothing graded</span>
            ) : (
              <PassBar
                rate={value}
                settled
                interval={{ low, high }}
                tone={toneOf({ rate: value, passThreshold, mustPassViolated: null })}
              />
            )}
            <span className="quiet small number">
              {passed} of {graded}
            </span>
          </li>
        ))}
      </ul>
      <p className="quiet small">
        With few scenarios the interval is wide, and among many categories some stand out by chance.
      </p>
    </details>
  );
}
