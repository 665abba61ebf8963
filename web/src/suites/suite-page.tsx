import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useParams } from 'wouter';
import { deleteSuite, getSuite, updateSuite, type Suite, type SuiteFields } from '../api/suites';
import { ConfirmButton } from '../parts/confirm-button';
import { Loading } from '../parts/loading';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { SuiteForm } from './suite-form';

export function SuitePage() {
  const { id = '' } = useParams();
  const suite = useQuery({
    queryKey: ['suite', id],
    queryFn: ({ signal }) => getSuite(id, signal),
    refetchOnWindowFocus: false,
  });
  if (suite.isPending) return <Loading />;
  if (suite.data === undefined) {
    return (
      <>
        <PageHead title="Suite" above={{ href: '/suites', label: 'Suites' }} />
        <Problem error={suite.error} onRetry={() => void suite.refetch()} />
      </>
    );
  }
  return <Found key={id} suite={suite.data} />;
}

function Found({ suite }: { suite: Suite }) {
  const queries = useQueryClient();
  const [, go] = useLocation();
  const save = useMutation({
    mutationFn: (fields: SuiteFields) => updateSuite(suite.id, fields),
    onSuccess: (changed) => {
      queries.setQueryData(['suite', suite.id], changed);
      void queries.invalidateQueries({ queryKey: ['suites'] });
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteSuite(suite.id),
    onSuccess: () => {
      queries.removeQueries({ queryKey: ['suite', suite.id] });
      void queries.invalidateQueries({ queryKey: ['suites'] });
      go('/suites');
    },
  });
  return (
    <>
      <PageHead title={suite.name} above={{ href: '/suites', label: 'Suites' }}>
        <Link href={`/start?suite=${suite.id}`} className="button">
          Run it
        </Link>
        <ConfirmButton
          label="Delete"
          question="Delete this suite? Its scenarios and past runs stay."
          onConfirm={() => remove.mutate()}
          busy={remove.isPending}
        />
      </PageHead>
      {remove.isError && <Problem error={remove.error} />}
      <SuiteForm suite={suite} onSave={save.mutate} busy={save.isPending} error={save.error}>
        {save.isSuccess && (
          <span role="status" className="saved">
            Saved.
          </span>
        )}
      </SuiteForm>
    </>
  );
}
