import { suites } from '../api/suites';
import { PageHead } from '../parts/page-head';
import { useCreate } from '../parts/use-resource';
import { SuiteForm } from './suite-form';

export function NewSuitePage() {
  return (
    <>
      <PageHead title="Create a suite" above={{ href: '/suites', label: 'Suites' }} />
      <SuiteForm suite={null} saving={useCreate(suites, () => suites.view)} />
    </>
  );
}
