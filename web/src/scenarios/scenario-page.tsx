import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useParams } from 'wouter';
import { deleteScenario, getScenario, updateScenario, type Scenario, type ScenarioFields } from '../api/scenarios';
import { ConfirmButton } from '../parts/confirm-button';
import { Loading } from '../parts/loading';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { ScenarioForm } from './scenario-form';
import { useScenarios } from './scenarios-page';

export function ScenarioPage() {
  const { id = '' } = useParams();
  const scenario = useQuery({
    queryKey: ['scenario', id],
    queryFn: ({ signal }) => getScenario(id, signal),
    refetchOnWindowFocus: false,
  });
  // Only the list says how severe a scenario is.
  const list = useScenarios();
  if (scenario.isPending || list.isPending) return <Loading />;
  if (scenario.data === undefined) {
    return (
      <>
        <PageHead title="Scenario" above={{ href: '/scenarios', label: 'Scenarios' }} />
        <Problem error={scenario.error} onRetry={() => void scenario.refetch()} />
      </>
    );
  }
  const severity = list.data?.find(({ scenario_id }) => scenario_id === id)?.severity;
  return <Found key={id} scenario={{ ...scenario.data, ...(severity !== undefined && { severity }) }} />;
}

function Found({ scenario }: { scenario: Scenario }) {
  const { scenario_id: id, severity } = scenario;
  const queries = useQueryClient();
  const [, go] = useLocation();
  const save = useMutation({
    mutationFn: (fields: ScenarioFields) =>
      updateScenario(id, severity === undefined ? withoutSeverity(fields) : fields),
    onSuccess: async (changed) => {
      queries.setQueryData(['scenario', id], changed);
      await queries.invalidateQueries({ queryKey: ['scenarios'] });
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteScenario(id),
    onSuccess: () => {
      queries.removeQueries({ queryKey: ['scenario', id] });
      void queries.invalidateQueries({ queryKey: ['scenarios'] });
      go('/scenarios');
    },
  });
  return (
    <>
      <PageHead title={scenario.name} above={{ href: '/scenarios', label: 'Scenarios' }}>
        {scenario.is_active && (
          <Link href={`/start?scenario=${id}`} className="button">
            Examine with it
          </Link>
        )}
        {scenario.is_active && (
          <ConfirmButton
            label="Delete"
            question="Delete this scenario? Past runs keep it."
            onConfirm={() => remove.mutate()}
            busy={remove.isPending}
          />
        )}
      </PageHead>
      {!scenario.is_active && <p className="notice">It was deleted: it is in no list and no longer chosen for runs.</p>}
      {!scenario.approved && scenario.is_active && (
        <p className="notice">
          Not approved yet: a clinician reads the script and the rubric, then approves it below. Until then it runs only
          when it is chosen by name.
        </p>
      )}
      {remove.isError && <Problem error={remove.error} />}
      <ScenarioForm scenario={scenario} onSave={save.mutate} busy={save.isPending} error={save.error}>
        {save.isSuccess && (
          <span role="status" className="saved">
            Saved.
          </span>
        )}
      </ScenarioForm>
    </>
  );
}

/** What could not be read is not overwritten. */
function withoutSeverity({ severity: _, ...fields }: ScenarioFields): ScenarioFields {
  return fields;
}
