import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { cancelRunSet, getRunSet, type RunSet } from '../api/run-sets';
import { ConfirmButton } from '../parts/confirm-button';
import { LoadedPage } from '../parts/loaded';
import { isOffline, OfflineNotice, offlineRuns } from '../parts/offline-notice';
import { PageHead } from '../parts/page-head';
import { PassBar } from '../parts/pass-bar';
import { Problem } from '../parts/problem';
import { Status } from '../parts/status';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { PairsOfSet } from './pairs-of-set';

/** No event tells of several runs. */
const LIVE_EVERY_MS = 3_000;
const ABOVE = { href: '/', label: 'Runs' };

/** Runs that were started together: how far each is, and how they compare once all have ended. */
export function RunSetPage() {
  const { id = '' } = useParams();
  const set = useQuery({
    queryKey: ['run-set', id],
    queryFn: ({ signal }) => getRunSet(id, signal),
    refetchInterval: ({ state }) => (state.data?.ended === true ? false : LIVE_EVERY_MS),
  });
  return (
    <LoadedPage query={set} title="Runs that were started together" above={ABOVE}>
      {(found) => <Found set={found} />}
    </LoadedPage>
  );
}

function Found({ set }: { readonly set: RunSet }) {
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelRunSet(set.id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['run-set', set.id] }),
  });
  const titles = set.runs.map(({ title }) => title);
  return (
    <>
      <PageHead
        title={set.name ?? titles.join(', ')}
        above={ABOVE}
        lead={
          <>
            {set.runs.length === 1 ? 'One run is left of this set' : `${set.runs.length} runs over the same scenarios`},
            started <Time at={set.created_at} />
          </>
        }
      >
        <Link href={`/compare?runs=${set.runs.map(({ id }) => id).join(',')}`} className="button">
          Grid of the runs
        </Link>
        {!set.ended && (
          <ConfirmButton
            needs="run"
            label="Cancel all runs"
            question="Cancel all? Conversations in progress stop at once."
            onConfirm={() => cancel.mutate()}
            busy={cancel.isPending}
          />
        )}
        {cancel.isError && <Problem error={cancel.error} />}
      </PageHead>
      <OfflineNotice where={offlineRuns(set.runs.map(isOffline))} />
      <RunsOfSet set={set} />
      {set.ended ? (
        <PairsOfSet setId={set.id} runs={set.runs.length} />
      ) : (
        <p className="notice" role="status">
          The runs are compared with each other when all of them have ended.
        </p>
      )}
    </>
  );
}

function RunsOfSet({ set }: { readonly set: RunSet }) {
  return (
    <div className="table-frame">
      <table className="rows">
        <caption className="only-read">The runs of the set</caption>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Status</th>
            <th scope="col" className="number">
              Passed
            </th>
            <th scope="col" className="number">
              Failed
            </th>
            <th scope="col" className="number">
              Errors
            </th>
            <th scope="col" className="number">
              Must-pass violated
            </th>
            <th scope="col">Pass rate</th>
          </tr>
        </thead>
        <tbody>
          {set.runs.map((run) => (
            <tr key={run.id}>
              <th scope="row">
                <Link href={`/runs/${run.id}`}>
                  <Name>{run.title}</Name>
                </Link>
              </th>
              <td data-label="Status">
                <Status of={run.status} />
              </td>
              <td data-label="Passed" className="number">
                {run.passed_count} of {run.total_scenarios}
              </td>
              <td data-label="Failed" className="number">
                {run.failed_count}
              </td>
              <td data-label="Errors" className="number">
                {run.error_count}
              </td>
              <td data-label="Must-pass violated" className="number">
                {run.must_pass_violated_count ?? '–'}
              </td>
              <td data-label="Pass rate">
                {run.graded_pass_rate === null ? (
                  '–'
                ) : (
                  <PassBar rate={run.graded_pass_rate.value} settled interval={run.graded_pass_rate} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
