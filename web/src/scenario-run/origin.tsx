import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ApiError } from '../api/client';
import type { TestRun } from '../api/runs';
import { getScenarioRun, type ScenarioRunDetail } from '../api/scenario-runs';
import { RunReference } from '../parts/run-reference';
import { Name } from '../parts/untrusted-text';

interface Props {
  readonly run: ScenarioRunDetail;
  /** Undefined until it is known. */
  readonly testRun: TestRun | undefined;
}

/** The conversation that a scenario run came from, in a sentence; nothing for one that was examined from its scenario. */
export function Origin({ run, testRun }: Props) {
  const { source_scenario_run_id: sourceId = null, kept_turns: kept = null, given_message: given = null } = run;
  if (sourceId === null) return null;
  const from = (text: string) => <Source id={sourceId} text={text} />;
  if (run.carried === true) {
    return <p className="lineage">Carried over unchanged; {from('the verdict was given')}.</p>;
  }
  if (kept !== null) {
    return (
      <p className="lineage">
        Forked at turn {kept + 1} from {from('this conversation')}
        {kept > 0 && `, whose first ${kept === 1 ? 'turn is' : `${kept} turns are`} kept`}
        {given === null ? (
          '.'
        ) : (
          <>
            ; there the patient was given to say:{' '}
            <q>
              <Name>{given}</Name>
            </q>
          </>
        )}
      </p>
    );
  }
  if (testRun?.derivation === 'regrade') {
    return <p className="lineage">Graded again; {from('the conversation took place')}.</p>;
  }
  return <p className="lineage">Run again after {from('an earlier conversation')}.</p>;
}

/** A link to the source conversation, with its run. */
function Source({ id, text }: { readonly id: string; readonly text: string }) {
  const found = useQuery({
    queryKey: ['scenario-run', id],
    queryFn: ({ signal }) => getScenarioRun(id, signal),
  });
  if (found.error instanceof ApiError && found.error.status === 404) {
    return <>{text} in a run that has since been deleted</>;
  }
  return (
    <>
      <Link href={`/scenario-runs/${id}`}>{text}</Link>
      {found.data !== undefined && (
        <>
          {' '}
          in <RunReference id={found.data.test_run_id} />
        </>
      )}
    </>
  );
}
