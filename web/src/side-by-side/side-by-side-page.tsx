import { isUsualPatient, patientName } from '../../../src/domain';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { getRun } from '../api/runs';
import { getScenarioRun, listScenarioRuns, type ScenarioRun, type ScenarioRunDetail } from '../api/scenario-runs';
import { Empty } from '../parts/empty';
import { Field } from '../parts/field';
import { Loading } from '../parts/loading';
import { percentText } from '../parts/numbers';
import { isOffline, OfflineNotice, offlineOfTwo } from '../parts/offline-notice';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { agentTitle, runTitle } from '../parts/run-title';
import { Status } from '../parts/status';
import { Name } from '../parts/untrusted-text';
import { evidenceRanges } from '../scenario-run/evidence';
import { Criteria } from './criteria';
import { Messages } from './messages';

/** More conversations than a run holds of one scenario. */
const CONVERSATIONS_AT_MOST = 400;

/** Two conversations with the same patient, turn beside turn: `?base=` the one before, `?head=` the one after. */
export function SideBySidePage() {
  const [search, setSearch] = useSearchParams();
  const baseId = search.get('base') ?? '';
  const headId = search.get('head') ?? '';
  const base = useSide(baseId);
  const head = useSide(headId);
  const choose = (changes: Readonly<Record<string, string>>) =>
    setSearch({ base: baseId, head: headId, ...changes }, { replace: true });
  const above = aboveOf(base.data?.test_run_id, head.data?.test_run_id);
  if (baseId === '' || headId === '') {
    return (
      <>
        <PageHead title="Two conversations" above={above} />
        <Empty title="Two conversations are wanted">
          <p>
            Open them from a comparison of two runs, or from their grid: every scenario that changed has a link “Side by
            side”. <Link href="/compare">Compare two runs</Link>
          </p>
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHead
        title={head.data?.scenario_name ?? 'Two conversations'}
        above={above}
        lead="Two conversations, turn beside turn."
      />
      {[base, head].map(
        (side, index) => side.isError && <Problem key={index} error={side.error} onRetry={() => void side.refetch()} />,
      )}
      {(base.isPending || head.isPending) && <Loading />}
      {base.data && head.data && (
        <Pair key={`${baseId} ${headId}`} base={base.data} head={head.data} onChoose={choose} />
      )}
    </>
  );
}

function useSide(id: string) {
  return useQuery({
    queryKey: ['scenario-run', id, 'side'],
    queryFn: ({ signal }) => getScenarioRun(id, signal),
    enabled: id !== '',
    staleTime: 30_000,
  });
}

/** Back to where the two runs are compared. */
function aboveOf(base: string | undefined, head: string | undefined) {
  if (base === undefined || head === undefined) return { href: '/compare', label: 'Compare two runs' };
  if (base === head) return { href: `/runs/${base}`, label: 'The run' };
  return { href: `/compare?base=${base}&head=${head}`, label: 'Comparison of the two runs' };
}

interface PairProps {
  readonly base: ScenarioRunDetail;
  readonly head: ScenarioRunDetail;
  readonly onChoose: (changes: Readonly<Record<string, string>>) => void;
}

function Pair({ base, head, onChoose }: PairProps) {
  const [active, setActive] = useState<string | null>(null);
  const ranges = useMemo(
    () => [base, head].map((run) => evidenceRanges(run.transcript, run.criteria_results ?? [])),
    [base, head],
  );
  const [isOfflineBefore, isOfflineAfter] = [useIsOffline(base), useIsOffline(head)];
  return (
    <>
      <OfflineNotice where={offlineOfTwo(isOfflineBefore, isOfflineAfter, 'conversation')} />
      {base.scenario_id !== head.scenario_id && (
        <p className="notice">These are two different scenarios: criteria are paired where their texts are the same.</p>
      )}
      {base.scenario_id === head.scenario_id && isRewritten(base, head) && (
        <p className="notice">
          The scenario or its rubric was changed between the two
          {base.scenario_revision !== null &&
            head.scenario_revision !== null &&
            ` (revisions ${base.scenario_revision} and ${head.scenario_revision})`}
          .
        </p>
      )}
      <div className="two-sides heads">
        <Side title="Before" of={base} onChoose={(id) => onChoose({ base: id })} />
        <Side title="After" of={head} onChoose={(id) => onChoose({ head: id })} />
      </div>
      <Criteria base={base} head={head} active={active} onActive={setActive} />
      <Messages sides={[base, head]} ranges={ranges} active={active} />
    </>
  );
}

/** Whether rules stood in for the patient or the judge of a conversation; where it does not say, what its run says. */
function useIsOffline(of: ScenarioRunDetail): boolean {
  const { data: run } = useSideRun(of);
  return of.metadata.offline ?? (run !== undefined && isOffline(run));
}

function useSideRun({ test_run_id: id }: ScenarioRunDetail) {
  return useQuery({ queryKey: ['run', id], queryFn: ({ signal }) => getRun(id, signal) });
}

function isRewritten(base: ScenarioRunDetail, head: ScenarioRunDetail): boolean {
  const [was, is] = [base.scenario_content_hash, head.scenario_content_hash];
  return was !== null && is !== null && was !== is;
}

interface SideProps {
  readonly title: string;
  readonly of: ScenarioRunDetail;
  readonly onChoose: (id: string) => void;
}

/** Which conversation stands on a side, with its verdict; another trial of the same run can be chosen. */
function Side({ title, of, onChoose }: SideProps) {
  const run = useSideRun(of);
  return (
    <section className="panel side" aria-label={title}>
      <h2>{title}</h2>
      <p>
        <Link href={`/runs/${of.test_run_id}`}>
          <Name>{run.data === undefined ? 'The run' : runTitle(run.data)}</Name>
        </Link>{' '}
        {run.data !== undefined && run.data.name !== null && (
          <span className="quiet">
            <Name>{agentTitle(run.data)}</Name>
          </span>
        )}
      </p>
      <p>
        <Status of={of.status} />{' '}
        {of.score_percent !== null && <span className="number">{percentText(of.score_percent)}</span>}{' '}
        <Link href={`/scenario-runs/${of.id}`}>Open this conversation</Link>
      </p>
      <TrialChoice of={of} onChoose={onChoose} />
    </section>
  );
}

/** The other conversations of the run with this scenario; nothing where this is the only one. */
function TrialChoice({ of, onChoose }: Omit<SideProps, 'title'>) {
  const found = useQuery({
    queryKey: ['scenario-runs', of.test_run_id, 'of', [of.scenario_id]],
    queryFn: ({ signal }) =>
      listScenarioRuns(of.test_run_id, CONVERSATIONS_AT_MOST, signal, { scenarioIds: [of.scenario_id] }),
    staleTime: 30_000,
  });
  const trials = found.data?.results ?? [];
  if (trials.length < 2) return null;
  return (
    <Field label="Conversation">
      {(control) => (
        <select {...control} value={of.id} onChange={({ target }) => onChoose(target.value)}>
          {trials.map((trial) => (
            <option key={trial.id} value={trial.id}>
              {trialText(trial)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function trialText({ trial, patient, status, score_percent: score }: ScenarioRun): string {
  const who = isUsualPatient(patient) ? '' : `, ${patientName(patient)}`;
  return `trial ${trial}${who}: ${status}${score === null ? '' : `, ${percentText(score)}`}`;
}
