import { suites } from '../api/suites';
import { Allowed } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { useCreate } from '../parts/use-resource';
import { SuiteForm } from './suite-form';

export function NewSuitePage() {
  const saving = useCreate(suites, () => suites.view);
  return (
    <>
      <PageHead title="Create a suite" above={{ href: '/suites', label: 'Suites' }} />
      <Allowed to="change">
        <SuiteForm suite={null} saving={saving} />
      </Allowed>
    </>
  );
}
