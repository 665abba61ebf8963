import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { isFinalTestRun } from '../../../machines/statuses';
import type { TestRun } from '../api/runs';
import { getComparison } from '../api/statistics';
import { Name } from '../parts/untrusted-text';

const VIOLATIONS_SHOWN = 10;

/** What two runs say about a change, in words; while one of them is in progress, nothing. */
export function Verdict({ base, head }: { readonly base: TestRun; readonly head: TestRun }) {
  const areFinal = isFinalTestRun(base.status) && isFinalTestRun(head.status);
  const { data } = useQuery({
    queryKey: ['comparison', base.id, head.id],
    queryFn: ({ signal }) => getComparison(base.id, head.id, signal),
    enabled: areFinal,
  });
  if (!areFinal) return <p className="notice">A run is in progress: the verdict comes when both have ended.</p>;
  if (data === undefined) return null;
  const { new_must_pass_violations: violations } = data;
  return (
    <div className={`panel stack verdict ${data.verdict}`}>
      <p>
        <strong>
          <Name>{data.sentence}</Name>
        </strong>
      </p>
      {violations.length > 0 && (
        <>
          <p>Must-pass criteria that are violated now and were not before:</p>
          <ul>
            {violations.slice(0, VIOLATIONS_SHOWN).map(({ scenario_run_id, scenario_name, criterion }, index) => (
              <li key={index}>
                <Name>{criterion}</Name>{' '}
                <Link href={`/scenario-runs/${scenario_run_id}`} className="small">
                  <Name>{scenario_name}</Name>
                </Link>
              </li>
            ))}
            {violations.length > VIOLATIONS_SHOWN && (
              <li className="quiet">and {violations.length - VIOLATIONS_SHOWN} more</li>
            )}
          </ul>
        </>
      )}
    </div>
  );
}
