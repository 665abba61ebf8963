import { Link, useParams } from 'wouter';
import type { Tagged } from '../api/resource';
import { suites, type Suite } from '../api/suites';
import { ChangedMeanwhile } from '../parts/changed-meanwhile';
import { ConfirmButton } from '../parts/confirm-button';
import { LoadedPage } from '../parts/loaded';
import { Offered } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { useEditing } from '../parts/use-editing';
import { useItem, useRemove } from '../parts/use-resource';
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
      <SuiteForm key={round} suite={suite} saving={saving} />
      <ChangedMeanwhile what="suite" conflict={conflict} busy={saving.isPending} />
    </>
  );
}
