import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { listStarts, schedules, STARTS_A_PAGE, type ScheduleStart } from '../api/schedules';
import { Loaded } from '../parts/loaded';
import { percentText } from '../parts/numbers';
import { Pager } from '../parts/pager';
import { Status } from '../parts/status';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { StartOutcome } from './start-outcome';

const LOOK_AGAIN_MS = 5_000;

/** What became of the starts of a schedule. */
export function History({ scheduleId }: { readonly scheduleId: string }) {
  const [page, setPage] = useState(0);
  const found = useQuery({
    queryKey: [schedules.view, 'starts', scheduleId, page],
    queryFn: ({ signal }) => listStarts(scheduleId, page, signal),
    refetchInterval: LOOK_AGAIN_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <section className="stack" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      <Loaded query={found}>
        {({ starts, total }) =>
          total === 0 ? (
            <p className="quiet">Nothing was due yet.</p>
          ) : (
            <>
              <StartTable listed={starts} />
              <Pager page={page} pageSize={STARTS_A_PAGE} total={total} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function StartTable({ listed }: { readonly listed: readonly ScheduleStart[] }) {
  return (
    <div className="table-frame">
      <table className="rows history">
        <thead>
          <tr>
            <th scope="col">Due</th>
            <th scope="col">Outcome</th>
            <th scope="col">Run</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {listed.map((start) => (
            <tr key={start.id}>
              <th scope="row" className="unbroken">
                <Time at={start.due_at} />
              </th>
              <td data-label="Outcome">
                <StartOutcome start={start} />
              </td>
              <td data-label="Run">
                <RunOf start={start} />
              </td>
              <td data-label="Why" className="wide">
                <Name>{start.sentence ?? start.gate?.sentence ?? ''}</Name>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RunOf({ start: { run, test_run_id } }: { readonly start: ScheduleStart }) {
  if (run === null) return <span className="quiet">{test_run_id === null ? '–' : 'deleted'}</span>;
  return (
    <>
      <Link href={`/runs/${run.id}`}>{run.test_run_id}</Link> <Status of={run.status} />
      {run.graded_pass_rate !== null && <> {percentText(run.graded_pass_rate.value)}</>}
    </>
  );
}
