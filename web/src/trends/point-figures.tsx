import { Link } from 'wouter';
import type { HistoryPoint } from '../api/agent-history';
import { percentText, rangeText, signedText } from '../parts/numbers';
import { Time } from '../parts/time';
import { differencesInWords, joinsOf } from './trends';

/** What changed since the run that a point can be compared with, and why it can be compared with none. */
export function PointChange({
  point,
  points,
}: {
  readonly point: HistoryPoint;
  readonly points: readonly HistoryPoint[];
}) {
  const { test_run_id: id, comparable_to: like, comparable_to_previous: isNext, differs_in } = point;
  const at = points.indexOf(point);
  const join = joinsOf(points).find(({ to }) => to === at);
  if (like === null) {
    return differs_in.length === 0 ? null : (
      <span className="quiet">Not comparable with the run before: {differencesInWords(differs_in)}</span>
    );
  }
  const since = join === undefined ? undefined : points[join.from];
  return (
    <Link href={`/compare?base=${like}&head=${id}`}>
      {join === undefined || since === undefined ? (
        'Compare with an earlier comparable run'
      ) : (
        <>
          {changeText(join.change)}{' '}
          {isNext ? (
            'since the run before'
          ) : (
            <>
              since <Time at={since.at} />
            </>
          )}
        </>
      )}
    </Link>
  );
}

function changeText(points: number): string {
  const change = signedText(points);
  return change === '0' ? 'The same' : `${change} points`;
}

/** The rate of a point with its interval, and of how many conversations. */
export function PointRate({
  of: { graded_pass_rate: rate, status, scenarios, trials, coverage },
}: {
  readonly of: HistoryPoint;
}) {
  const size = trials === 1 ? `${scenarios} scenarios` : `${scenarios} × ${trials}`;
  return (
    <>
      {rate === null
        ? status === 'completed'
          ? 'no result'
          : status
        : `${percentText(rate.value)}, ${rangeText(rate)}`}
      <p className="quiet small">
        {size}
        {coverage < 100 && `, ${percentText(coverage)} graded`}
      </p>
    </>
  );
}
