import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { getRun, recentRuns, type TestRun } from '../api/runs';
import { Empty } from '../parts/empty';
import { Field } from '../parts/field';
import { Loading } from '../parts/loading';
import { percentText } from '../parts/numbers';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { agentTitle, runTitle } from '../parts/run-title';
import { timeText } from '../parts/time';
import { visibleText } from '../parts/visible-parts';
import { RunsGrid } from '../grid/runs-grid';
import { ComparedRuns } from './compared-runs';

/** Two runs side by side: `?base=` the one before, `?head=` the one after; or up to eight in one grid: `?runs=` with their ids. */
export function ComparePage() {
  const [search] = useSearchParams();
  const several = (search.get('runs') ?? '').split(',').filter((id) => id !== '');
  return several.length > 0 ? <RunsGrid key={several.join()} ids={[...new Set(several)]} /> : <TwoRuns />;
}

function TwoRuns() {
  const [search, setSearch] = useSearchParams();
  const baseId = search.get('base') ?? '';
  const headId = search.get('head') ?? '';
  const recent = useQuery({ queryKey: ['recent-runs'], queryFn: ({ signal }) => recentRuns(signal) });
  const base = useRun(baseId);
  const head = useRun(headId);
  const choose = (changes: Readonly<Record<string, string>>) => {
    const next = { base: baseId, head: headId, ...changes };
    setSearch(Object.fromEntries(Object.entries(next).filter(([, id]) => id !== '')));
  };
  const options = withThese(recent.data ?? [], [base.data, head.data]);
  return (
    <>
      <PageHead title="Compare two runs" lead="What got better and what got worse, scenario by scenario." />
      {recent.isError && <Problem error={recent.error} onRetry={() => void recent.refetch()} />}
      {recent.isPending && <Loading />}
      {recent.data && options.length < 2 && (
        <Empty title="Not enough runs to compare yet">
          <p>
            Run the same scenarios against two agents, or against one before and after a change; then compare them here.
          </p>
        </Empty>
      )}
      {options.length >= 2 && (
        <div className="panel run-choices">
          <RunChoice
            label="Before"
            value={base.data?.id ?? baseId}
            runs={options}
            onChoose={(id) => choose({ base: id })}
          />
          <RunChoice
            label="After"
            value={head.data?.id ?? headId}
            runs={options}
            onChoose={(id) => choose({ head: id })}
          />
          <div className="field swap">
            <button
              type="button"
              className="button"
              disabled={baseId === '' && headId === ''}
              onClick={() => choose({ base: headId, head: baseId })}
            >
              Swap
            </button>
          </div>
        </div>
      )}
      {[base, head].map(
        (run, index) =>
          run.isError &&
          run.data === undefined && <Problem key={index} error={run.error} onRetry={() => void run.refetch()} />,
      )}
      {(baseId === '') !== (headId === '') && <p className="quiet">Choose the run to compare it with.</p>}
      {base.data && head.data && base.data.id !== head.data.id && (
        <ComparedRuns key={`${base.data.id} ${head.data.id}`} base={base.data} head={head.data} />
      )}
      {base.data && base.data.id === head.data?.id && (
        <p className="notice">Both are the same run: choose two different ones.</p>
      )}
    </>
  );
}

function useRun(id: string) {
  return useQuery({ queryKey: ['run', id], queryFn: ({ signal }) => getRun(id, signal), enabled: id !== '' });
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly runs: readonly TestRun[];
  readonly onChoose: (id: string) => void;
}

function RunChoice({ label, value, runs, onChoose }: ChoiceProps) {
  return (
    <Field label={label}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onChoose(event.target.value)}>
          <option value="">Choose a run</option>
          {runs.map((run) => (
            <option key={run.id} value={run.id}>
              {visibleText(optionText(run))}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A run with its version, result and time; one without a name has version and time as its title. */
function optionText(run: TestRun): string {
  const result = run.status === 'completed' ? percentText(run.pass_rate) : run.status;
  if (run.name === null) return `${runTitle(run)} · ${result}`;
  return `${run.name} · ${agentTitle(run)} · ${result} · ${timeText(run.created_at)}`;
}

/** A run in the address may be older than the newest ones. */
function withThese(runs: readonly TestRun[], others: readonly (TestRun | undefined)[]): TestRun[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  for (const run of others) if (run !== undefined) byId.set(run.id, run);
  return [...byId.values()];
}
