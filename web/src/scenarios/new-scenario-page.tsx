import { useSearchParams } from 'wouter';
import { scenarios, type Scenario } from '../api/scenarios';
import { LoadedPage } from '../parts/loaded';
import { Loading } from '../parts/loading';
import { Allowed } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { useCreate, useItem, useList } from '../parts/use-resource';
import { ScenarioForm } from './scenario-form';

const ABOVE = { href: '/scenarios', label: 'Scenarios' };

/** A new scenario; with `?copy=` it begins as a copy of another, which is a draft. */
export function NewScenarioPage() {
  const [search] = useSearchParams();
  const copied = search.get('copy');
  return copied === null ? <NewScenario /> : <Copy key={copied} of={copied} />;
}

function Copy({ of }: { readonly of: string }) {
  const found = useItem(scenarios, of);
  // Only the list says how severe a scenario is.
  const list = useList(scenarios);
  if (list.isPending) return <Loading />;
  const severity = list.data?.find(({ scenario_id }) => scenario_id === of)?.severity;
  return (
    <LoadedPage query={found} title="Copy a scenario" above={ABOVE}>
      {(scenario) => <NewScenario copied={{ ...scenario, ...(severity !== undefined && { severity }) }} />}
    </LoadedPage>
  );
}

function NewScenario({ copied }: { readonly copied?: Scenario }) {
  const saving = useCreate(scenarios);
  return (
    <>
      <PageHead
        title={copied === undefined ? 'Write a scenario' : 'Copy a scenario'}
        above={ABOVE}
        {...(copied !== undefined && { lead: 'The copy is a draft: an approval covers the text that was read.' })}
      />
      <Allowed to="change">
        <ScenarioForm scenario={null} copied={copied} saving={saving} />
      </Allowed>
    </>
  );
}
