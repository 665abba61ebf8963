import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { createScenario } from '../api/scenarios';
import { PageHead } from '../parts/page-head';
import { ScenarioForm } from './scenario-form';

export function NewScenarioPage() {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: createScenario,
    onSuccess: ({ scenario_id }) => {
      void queries.invalidateQueries({ queryKey: ['scenarios'] });
      go(`/scenarios/${scenario_id}`);
    },
  });
  return (
    <>
      <PageHead title="Write a scenario" above={{ href: '/scenarios', label: 'Scenarios' }} />
      <ScenarioForm scenario={null} onSave={create.mutate} busy={create.isPending} error={create.error} />
    </>
  );
}
