import { Link } from 'wouter';
import type { ScenarioRun } from '../api/scenario-runs';
import { ShortHash } from '../parts/short-hash';

/** The revision of the scenario, as a row among the facts of a scenario run. Scenarios that are not in the library have none. */
export function Instrument({ run }: { readonly run: ScenarioRun }) {
  const { scenario_id, scenario_revision: revision = null, scenario_content_hash: hash = null } = run;
  if (revision === null) return null;
  return (
    <div>
      <dt>Scenario</dt>
      <dd>
        <Link href={`/scenarios/${scenario_id}`}>Revision {revision}</Link> {hash !== null && <ShortHash of={hash} />}
      </dd>
    </div>
  );
}
