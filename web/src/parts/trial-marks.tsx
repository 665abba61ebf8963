import { Link } from 'wouter';
import type { ScenarioRun } from '../api/scenario-runs';
import { SIGNS } from './status';

type Trial = Pick<ScenarioRun, 'id' | 'trial' | 'status'>;

/** The results of one scenario's conversations, in their order, each as a link. */
export function TrialMarks({ trials }: { readonly trials: readonly Trial[] }) {
  return (
    <span className="trial-marks">
      {trials.map(({ id, trial, status }) => (
        <Link
          key={id}
          href={`/scenario-runs/${id}`}
          className={`trial-mark ${status}`}
          aria-label={`trial ${trial}: ${status}`}
          title={`trial ${trial}: ${status}`}
        >
          {SIGNS[status]}
        </Link>
      ))}
    </span>
  );
}
