import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { createSuite } from '../api/suites';
import { PageHead } from '../parts/page-head';
import { SuiteForm } from './suite-form';

export function NewSuitePage() {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: createSuite,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['suites'] });
      go('/suites');
    },
  });
  return (
    <>
      <PageHead title="Make a suite" above={{ href: '/suites', label: 'Suites' }} />
      <SuiteForm suite={null} onSave={create.mutate} busy={create.isPending} error={create.error} />
    </>
  );
}
