import { Link, useParams } from 'wouter';
import type { Tagged } from '../api/resource';
import { scenarios } from '../api/scenarios';
import { suites, type Suite } from '../api/suites';
import { ChangedMeanwhile } from '../parts/changed-meanwhile';
import { ConfirmButton } from '../parts/confirm-button';
import { LoadedPage } from '../parts/loaded';
import { Loading } from '../parts/loading';
import { counted } from '../parts/numbers';
import { Allowed, Offered } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { useEditing } from '../parts/use-editing';
import { useItem, useList, useRemove } from '../parts/use-resource';
import { Name } from '../parts/untrusted-text';
import { SuiteForm } from './suite-form';

const ABOVE = { href: '/suites', label: 'Suites' };

export function SuitePage() {
  const { id = '' } = useParams();
  return (
    <LoadedPage query={useItem(suites, id)} title="Suite" above={ABOVE}>
      {(suite) => <Found key={id} suite={suite} />}
    </LoadedPage>
  );
}

function Found({ suite: loaded }: { suite: Tagged<Suite> }) {
  const { item: suite, round, saving, conflict } = useEditing(suites, loaded.id, loaded);
  const removing = useRemove(suites, suite.id);
  return (
    <>
      <PageHead title={suite.name} above={ABOVE}>
        <Offered to="run">
          <Link href={`/start?suite=${suite.id}`} className="button">
            Run this suite
          </Link>
        </Offered>
        <ConfirmButton
          label="Delete"
          question="Delete this suite? Its scenarios and past runs stay."
          onConfirm={() => removing.mutate()}
          busy={removing.isPending}
        />
      </PageHead>
      {removing.isError && <Problem error={removing.error} />}
      <Allowed to="change" otherwise={<SuiteText suite={suite} />}>
        <SuiteForm key={round} suite={suite} saving={saving} />
      </Allowed>
      <ChangedMeanwhile what="suite" conflict={conflict} busy={saving.isPending} />
    </>
  );
}

/** What the form shows, for keys that may not change it. */
function SuiteText({ suite: { description, scenario_ids: ids } }: { readonly suite: Suite }) {
  const library = useList(scenarios);
  if (library.isPending) return <Loading />;
  const gone = library.data === undefined ? 'A scenario whose name could not be read' : 'A deleted scenario';
  const names = new Map((library.data ?? []).map(({ scenario_id, name }) => [scenario_id, name]));
  return (
    <section className="panel stack" aria-labelledby="suite-scenarios">
      {description !== null && description !== '' && (
        <p>
          <Name>{description}</Name>
        </p>
      )}
      <h2 id="suite-scenarios">{counted(ids.length, 'scenario')}</h2>
      <ul className="bulleted">
        {ids.map((id) => (
          <li key={id}>
            <Link href={`/scenarios/${id}`}>
              <Name>{names.get(id) ?? gone}</Name>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
