import { isMustPass, missedOf } from '../../../src/domain';
import type { ScenarioRunDetail } from '../api/scenario-runs';
import { counted, percentText } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';

interface Props {
  readonly run: ScenarioRunDetail;
  /** Null until it is known. */
  readonly passThreshold: number | null;
}

/** Why a scenario passed or failed: the score beside the threshold, and each must-pass criterion that was violated. */
export function WhyVerdict({ run, passThreshold }: Props) {
  if (run.passed === null || run.score_percent === null) return null;
  const must = missedOf(run.criteria_results).filter(isMustPass);
  const needed = passThreshold === null ? '' : ` (${percentText(passThreshold)} needed)`;
  return (
    <section className={run.passed ? 'verdict passed' : 'verdict failed'} aria-label="Why">
      <p>
        <strong>{run.passed ? 'Passed' : 'Failed'}</strong> with {percentText(run.score_percent)} of the points{needed}
        {must.length === 0
          ? '.'
          : ` and ${counted(must.length, 'must-pass criterion', 'must-pass criteria')} violated:`}
      </p>
      {must.length > 0 && (
        <ul>
          {must.map(({ criterion, max_points }, index) => (
            <li key={index}>
              {max_points < 0 && 'Did what it must not do: '}
              <Name>{criterion}</Name>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
