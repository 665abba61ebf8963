import { Link, useParams } from 'wouter';
import type { Tagged } from '../api/resource';
import { purgeScenario, scenarios, type Scenario, type ScenarioChanges, type ScenarioFields } from '../api/scenarios';
import { ChangedMeanwhile } from '../parts/changed-meanwhile';
import { ConfirmButton } from '../parts/confirm-button';
import { Loading } from '../parts/loading';
import { LoadedPage } from '../parts/loaded';
import { Allowed, Offered } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { useEditing } from '../parts/use-editing';
import { useItem, useList, useRemove } from '../parts/use-resource';
import { ApprovalState } from './approval-state';
import { Revisions } from './revisions';
import { ScenarioForm } from './scenario-form';
import { ScenarioText } from './scenario-text';
import { ScenarioHistory } from './scenario-history';

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

function Found({ scenario: loaded }: { scenario: Tagged<Scenario> }) {
  const { scenario_id: id, severity } = loaded;
  const {
    item: scenario,
    round,
    saving,
    conflict,
  } = useEditing(scenarios, id, loaded, { allowed: withoutOldApproval });
  const removing = useRemove(scenarios, id);
  const purging = useRemove({ view: scenarios.view, remove: purgeScenario }, id);
  const save = (fields: ScenarioFields) => saving.mutate(severity === undefined ? withoutSeverity(fields) : fields);
  const revisedMeanwhile = conflict?.changes.some(({ path }) => MATTER.test(path)) === true;
  return (
    <>
      <PageHead title={scenario.name} above={ABOVE} lead={<ApprovalState of={scenario} />}>
        {scenario.is_active && (
          <Offered to="run">
            <Link href={`/start?scenario=${id}`} className="button">
              Run this scenario
            </Link>
          </Offered>
        )}
        <Offered to="change">
          <Link href={`/scenarios/new?copy=${id}`} className="button">
            Copy
          </Link>
        </Offered>
      </PageHead>
      {!scenario.is_active && (
        <p className="notice">This scenario was deleted: it is not listed, and runs no longer include it.</p>
      )}
      {!scenario.approved && scenario.is_active && (
        <p className="notice">
          This scenario is a draft: a clinician reads the script and the rubric, then approves it below. Until then it
          runs only when it is chosen by name.
        </p>
      )}
      <Allowed to="change" otherwise={<ScenarioText scenario={scenario} />}>
        <ScenarioForm key={round} scenario={scenario} saving={{ ...saving, mutate: save }} />
      </Allowed>
      <ChangedMeanwhile
        what="scenario"
        conflict={conflict}
        busy={saving.isPending}
        note={
          revisedMeanwhile
            ? 'The text has changed. If you overwrite it, the scenario stays a draft until a clinician approves it.'
            : null
        }
      />
      <Revisions scenario={scenario} />
      <ScenarioHistory scenarioId={id} />
      <div className="actions at-the-end">
        {scenario.is_active && (
          <ConfirmButton
            label="Delete"
            question="Delete this scenario? Past runs keep it."
            onConfirm={() => removing.mutate()}
            busy={removing.isPending}
          />
        )}
        <ConfirmButton
          label="Delete for good"
          word="delete"
          question="Delete this scenario for good, with its revisions? This cannot be undone."
          onConfirm={() => purging.mutate()}
          busy={purging.isPending}
        />
      </div>
      {removing.isError && <Problem error={removing.error} />}
      {purging.isError && <Problem error={purging.error} />}
    </>
  );
}

/** The fields that an approval covers. */
const MATTER = /^(content|rubric_criteria)(\.|$)/;

/** Prevents a reader from approving a text, unread, that another user has just written. */
function withoutOldApproval(changes: ScenarioChanges, began: Scenario, theirs: Scenario): ScenarioChanges {
  if (began.content_hash === theirs.content_hash) return changes;
  const { approved: _, approved_by: _by, approved_role: _role, ...others } = changes;
  return others;
}

/** A value that could not be read is not overwritten. */
function withoutSeverity({ severity: _, ...fields }: ScenarioFields): ScenarioFields {
  return fields;
}
