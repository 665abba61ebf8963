import { Link } from 'wouter';
import { schedules, type Schedule } from '../api/schedules';
import { Empty } from '../parts/empty';
import { Loaded } from '../parts/loaded';
import { NameAndAbout } from '../parts/name-and-about';
import { Offered } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { useList } from '../parts/use-resource';
import { StartOutcome } from './start-outcome';

export function SchedulesPage() {
  return (
    <>
      <PageHead title="Schedules" lead="Runs that start again and again, such as every night.">
        <Offered to="run">
          <Link href="/schedules/new" className="button primary">
            Create a schedule
          </Link>
        </Offered>
      </PageHead>
      <Loaded query={useList(schedules)}>
        {(found) => (found.length === 0 ? <NoSchedule /> : <ScheduleTable listed={found} />)}
      </Loaded>
    </>
  );
}

function NoSchedule() {
  return (
    <Empty title="No schedules yet">
      <p>A schedule starts the same run again and again, and says when an agent no longer reaches the bar.</p>
      <Offered to="run">
        <Link href="/schedules/new" className="button primary">
          Create a schedule
        </Link>
      </Offered>
    </Empty>
  );
}

function ScheduleTable({ listed }: { readonly listed: readonly Schedule[] }) {
  return (
    <div className="table-frame">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Schedule</th>
            <th scope="col">When</th>
            <th scope="col">Next start</th>
            <th scope="col">Last start</th>
          </tr>
        </thead>
        <tbody>
          {listed.map((schedule) => (
            <tr key={schedule.id}>
              <th scope="row" className="wide">
                <NameAndAbout href={`/schedules/${schedule.id}`} name={schedule.name} about={null} />
              </th>
              <td data-label="When">
                <code>{schedule.cron}</code>{' '}
                <span className="quiet">
                  <Name>{schedule.time_zone}</Name>
                </span>
              </td>
              <td data-label="Next start">
                {schedule.next_start === null ? 'paused' : <Time at={schedule.next_start} />}
              </td>
              <td data-label="Last start">
                {schedule.last_start === null ? (
                  <span className="quiet">none yet</span>
                ) : (
                  <>
                    <Time at={schedule.last_start.due_at} /> <StartOutcome start={schedule.last_start} />
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
