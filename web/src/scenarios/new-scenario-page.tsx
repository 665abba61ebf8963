import { scenarios } from '../api/scenarios';
import { PageHead } from '../parts/page-head';
import { useCreate } from '../parts/use-resource';
import { ScenarioForm } from './scenario-form';

export function NewScenarioPage() {
  return (
    <>
      <PageHead title="Write a scenario" above={{ href: '/scenarios', label: 'Scenarios' }} />
      <ScenarioForm scenario={null} saving={useCreate(scenarios)} />
    </>
  );
}
