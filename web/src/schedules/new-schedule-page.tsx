import { schedules } from '../api/schedules';
import { Allowed } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { useCreate } from '../parts/use-resource';
import { ScheduleForm } from './schedule-form';
import { WithLibrary } from './with-library';

export function NewSchedulePage() {
  const saving = useCreate(schedules);
  return (
    <>
      <PageHead title="Create a schedule" above={{ href: '/schedules', label: 'Schedules' }} />
      <Allowed to="run">
        <WithLibrary>{(library) => <ScheduleForm schedule={null} library={library} saving={saving} />}</WithLibrary>
      </Allowed>
    </>
  );
}
