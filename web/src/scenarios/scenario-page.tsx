import { Link, useParams } from 'wouter';
import { scenarios, type Scenario, type ScenarioFields } from '../api/scenarios';
import { ConfirmButton } from '../parts/confirm-button';
import { Loading } from '../parts/loading';
import { LoadedPage } from '../parts/loaded';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { useItem, useList, useRemove, useUpdate } from '../parts/use-resource';
import { ScenarioForm } from './scenario-form';

const ABOVE = { href: '/scenarios', label: 'Scenarios' };

export function ScenarioPage() {
  const { id = '' } = useParams();
  const found = useItem(scenarios, id);
  // Only the list says how severe a scenario is.
  const list = useList(scenarios);
  const severity = list.data?.find(({ scenario_id }) => scenario_id === id)?.severity;
  if (list.isPending) return <Loading />;
  return (
    <LoadedPage query={found} title="Scenario" above={ABOVE}>
      {(scenario) => (
        // Reset once the severity is known: the form must not show, and save, a different one.
        <Found
          key={`${id} ${severity === undefined}`}
          scenario={{ ...scenario, ...(severity !== undefined && { severity }) }}
        />
      )}
    </LoadedPage>
  );
}

function Found({ scenario }: { scenario: Scenario }) {
  const { scenario_id: id, severity } = scenario;
  const updating = useUpdate(scenarios, id);
  const removing = useRemove(scenarios, id);
  const save = (fields: ScenarioFields) => updating.mutate(severity === undefined ? withoutSeverity(fields) : fields);
  return (
    <>
      <PageHead title={scenario.name} above={ABOVE}>
        {scenario.is_active && (
          <Link href={`/start?scenario=${id}`} className="button">
            Examine with it
          </Link>
        )}
        {scenario.is_active && (
          <ConfirmButton
            label="Delete"
            question="Delete this scenario? Past runs keep it."
            onConfirm={() => removing.mutate()}
            busy={removing.isPending}
          />
        )}
      </PageHead>
      {!scenario.is_active && (
        <p className="notice">This scenario was deleted: it is not listed, and runs no longer include it.</p>
      )}
      {!scenario.approved && scenario.is_active && (
        <p className="notice">
          Not approved yet: a clinician reads the script and the rubric, then approves it below. Until then it runs only
          when it is chosen by name.
        </p>
      )}
      {removing.isError && <Problem error={removing.error} />}
      <ScenarioForm scenario={scenario} saving={{ ...updating, mutate: save }} />
    </>
  );
}

/** A value that could not be read is not overwritten. */
function withoutSeverity({ severity: _, ...fields }: ScenarioFields): ScenarioFields {
  return fields;
}
