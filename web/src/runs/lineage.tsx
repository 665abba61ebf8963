import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Derivation } from '../../../src/domain';
import { listDerivedRuns, type TestRun } from '../api/runs';
import { counted, percentText } from '../parts/numbers';
import { Status } from '../parts/status';
import { RunReference } from '../parts/run-reference';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { useScenarioRuns } from './use-scenario-runs';

/** The most runs listed without a fold. */
const FEW = 3;

/** The origin of a derived run; nothing for a run of scenarios. */
export function Lineage({ run }: { readonly run: TestRun }) {
  const { derivation = null, derived_from: sourceId = null } = run;
  if (derivation === 'import') {
    return <p className="lineage">These conversations were held elsewhere; here they are only marked.</p>;
  }
  if (derivation === null || sourceId === null) return null;
  const source = <RunReference id={sourceId} />;
  return (
    <p className="lineage">
      {derivation === 'retry' && (
        <>
          Run again from {source}
          <Carried run={run} />
        </>
      )}
      {derivation === 'regrade' && (
        <>
          Graded again from {source}: the agent was not called
          <Carried run={run} />
        </>
      )}
      {derivation === 'fork' && <ForkedFrom run={run} source={source} />}
    </p>
  );
}

/** Leads to the runs that were started together with this one; nothing for a run that was started alone. */
export function SetOfRun({ run }: { readonly run: TestRun }) {
  const { run_set_id: id = null } = run;
  if (id === null) return null;
  return (
    <p className="lineage">
      Started together with runs of other agents or versions:{' '}
      <Link href={`/sets/${id}`}>all of them, and how they compare</Link>.
    </p>
  );
}

/** The number of scenario runs that were carried over from the source. */
function Carried({ run }: { readonly run: TestRun }) {
  const list = useScenarioRuns(run).data;
  const carried = (list?.results ?? []).filter((row) => row.carried === true).length;
  if (carried === 0 || list === undefined || list.results.length < list.total) return '.';
  return `. ${counted(carried, 'scenario run')} of ${list.total.toLocaleString()} ${carried === 1 ? 'is' : 'are'} carried over unchanged.`;
}

function ForkedFrom({ run, source }: { readonly run: TestRun; readonly source: ReactNode }) {
  const [row] = useScenarioRuns(run).data?.results ?? [];
  if (row === undefined) return <>Forked from {source}.</>;
  const { source_scenario_run_id: conversation = null, kept_turns: kept = null } = row;
  const name = <Name>{row.scenario_name}</Name>;
  return (
    <>
      Forked from {kept !== null && `turn ${kept + 1} of `}
      {conversation === null ? name : <Link href={`/scenario-runs/${conversation}`}>{name}</Link>}, in {source}.
    </>
  );
}

/** The runs that began from this one; nothing where there are none. */
export function DerivedRuns({ run }: { readonly run: TestRun }) {
  const found = useQuery({
    queryKey: ['derived-runs', run.id],
    queryFn: ({ signal }) => listDerivedRuns(run.id, signal),
  });
  const { runs = [], total = 0 } = found.data ?? {};
  if (runs.length === 0) return null;
  const list = (
    <ul>
      {runs.map((derived) => (
        <li key={derived.id}>
          <Link href={`/runs/${derived.id}`}>
            {WORDS[derived.derivation ?? 'retry']} <span className="code">{derived.test_run_id}</span>
          </Link>{' '}
          <Status of={derived.status} />{' '}
          <span className="quiet small">
            {derived.status === 'completed' && `${percentText(derived.pass_rate)} passed, `}
            <Time at={derived.created_at} />
          </span>
        </li>
      ))}
      {total > runs.length && <li className="quiet">and {counted(total - runs.length, 'older one')}</li>}
    </ul>
  );
  const title = `${counted(total, 'run')} derived from this one`;
  return (
    <section className="derived" aria-label="Runs derived from this one">
      {runs.length > FEW ? (
        <details>
          <summary>{title}</summary>
          {list}
        </details>
      ) : (
        <>
          <h2>{title}</h2>
          {list}
        </>
      )}
    </section>
  );
}

const WORDS: Readonly<Record<Derivation, string>> = {
  retry: 'Run again',
  regrade: 'Graded again',
  fork: 'Forked',
  import: 'Marked',
};
