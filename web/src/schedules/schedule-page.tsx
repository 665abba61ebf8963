import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { agents } from '../api/agents';
import type { Tagged } from '../api/resource';
import { scenarios } from '../api/scenarios';
import { getScheduleNow, runScheduleNow, schedules, type Schedule } from '../api/schedules';
import { suites } from '../api/suites';
import { ChangedMeanwhile } from '../parts/changed-meanwhile';
import { ConfirmButton } from '../parts/confirm-button';
import { LoadedPage } from '../parts/loaded';
import { Loading } from '../parts/loading';
import { Allowed, Offered } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { Name } from '../parts/untrusted-text';
import { useEditing } from '../parts/use-editing';
import { useMaking } from '../parts/use-making';
import { useCreate, useItem, useList, useListRefresh, useRemove } from '../parts/use-resource';
import { History } from './history';
import { NextStarts } from './next-starts';
import { ScheduleForm } from './schedule-form';
import type { Library } from '../start/plan';

const ABOVE = { href: '/schedules', label: 'Schedules' };
const LOOK_AGAIN_MS = 15_000;

export function NewSchedulePage() {
  const saving = useCreate(schedules);
  return (
    <>
      <PageHead title="Create a schedule" above={ABOVE} />
      <Allowed to="run">
        <WithLibrary>{(library) => <ScheduleForm schedule={null} library={library} saving={saving} />}</WithLibrary>
      </Allowed>
    </>
  );
}

export function SchedulePage() {
  const { id = '' } = useParams();
  return (
    <LoadedPage query={useItem(schedules, id)} title="Schedule" above={ABOVE}>
      {(schedule) => <Found key={id} schedule={schedule} />}
    </LoadedPage>
  );
}

function Found({ schedule: loaded }: { readonly schedule: Tagged<Schedule> }) {
  const { item: schedule, round, saving, conflict } = useEditing(schedules, loaded.id, loaded);
  const removing = useRemove(schedules, schedule.id);
  const queries = useQueryClient();
  const refreshList = useListRefresh(schedules);
  const now = useQuery({
    queryKey: [schedules.view, 'now', schedule.id, schedule.updated_at],
    queryFn: ({ signal }) => getScheduleNow(schedule.id, signal),
    refetchInterval: LOOK_AGAIN_MS,
  });
  const refresh = async () => {
    const starts = queries.invalidateQueries({ queryKey: [schedules.view, 'starts', schedule.id] });
    await Promise.all([now.refetch(), refreshList(), starts]);
  };
  // Separate from the form's saving: pausing does not save the contents of the form.
  const switching = useMutation({
    mutationFn: (is_enabled: boolean) => schedules.update(schedule.id, { is_enabled }),
    onSuccess: refresh,
  });
  const starting = useMaking((_nothing: object, key: string) => runScheduleNow(schedule.id, key), refresh);
  const { is_enabled: isEnabled, next_starts: nextStarts = [], time_zone: timeZone } = now.data ?? schedule;
  return (
    <>
      <PageHead title={schedule.name} above={ABOVE}>
        <Offered to="run">
          <button type="button" className="button" disabled={starting.isPending} onClick={() => starting.mutate({})}>
            Run now
          </button>
          <button
            type="button"
            className="button"
            disabled={switching.isPending}
            onClick={() => switching.mutate(!isEnabled)}
          >
            {isEnabled ? 'Pause' : 'Resume'}
          </button>
        </Offered>
        <ConfirmButton
          label="Delete"
          question="Delete this schedule? Its runs stay; its history goes."
          onConfirm={() => removing.mutate()}
          busy={removing.isPending}
          needs="run"
        />
      </PageHead>
      {[starting, switching, removing].map(
        ({ isError, error }, place) => isError && <Problem key={place} error={error} />,
      )}
      {isEnabled ? (
        <section className="panel" aria-labelledby="due-title">
          <h2 id="due-title">Next starts</h2>
          <NextStarts starts={nextStarts} timeZone={timeZone} />
        </section>
      ) : (
        <p className="notice">This schedule is paused: nothing is started by time until you resume it.</p>
      )}
      <History scheduleId={schedule.id} />
      <Allowed to="run" otherwise={<ScheduleText schedule={schedule} />}>
        <WithLibrary>
          {(library) => <ScheduleForm key={round} schedule={schedule} library={library} saving={saving} />}
        </WithLibrary>
      </Allowed>
      <ChangedMeanwhile what="schedule" conflict={conflict} busy={saving.isPending} />
    </>
  );
}

/** What the form shows, for keys that may not change it. */
function ScheduleText({ schedule: { cron, time_zone, overlap } }: { readonly schedule: Schedule }) {
  return (
    <dl className="facts">
      <div>
        <dt>When</dt>
        <dd>
          <code>{cron}</code> <Name>{time_zone}</Name>
        </dd>
      </div>
      <div>
        <dt>While its run before is still going</dt>
        <dd>{overlap === 'skip' ? 'the start is skipped' : 'one more is started'}</dd>
      </div>
    </dl>
  );
}

/** What a run may be made of, for a form that chooses from it. */
function WithLibrary({ children }: { readonly children: (library: Library) => ReactNode }) {
  const candidates = useList(agents);
  const known = useList(scenarios);
  const selections = useList(suites);
  const failed = [candidates, known, selections].find(({ isError }) => isError);
  if (candidates.data && known.data && selections.data) {
    return children({ agents: candidates.data, scenarios: known.data, suites: selections.data });
  }
  if (failed === undefined) return <Loading />;
  return <Problem error={failed.error} onRetry={() => void failed.refetch()} />;
}
