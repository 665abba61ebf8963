import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { isFinalTestRun, soundInWords } from '../../../src/domain';
import { cancelRun, deleteRun, getRun, type TestRun, type TestRunDetail } from '../api/runs';
import type { ScenarioRun } from '../api/scenario-runs';
import { CriteriaHeat } from '../grid/criteria-heat';
import { LiveRun, type LiveRunState } from '../live/live-run';
import { ConfirmButton } from '../parts/confirm-button';
import { Fold } from '../parts/fold';
import { LoadedPage } from '../parts/loaded';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { runTitle } from '../parts/run-title';
import { Status } from '../parts/status';
import { Tags } from '../parts/tags';
import { durationText, Time } from '../parts/time';
import { useIsNarrow } from '../parts/use-narrow';
import { Name } from '../parts/untrusted-text';
import { AnnotationsForm, Notes } from './annotations';
import { AgentConfig } from './agent-config';
import { BaselineButton } from './baseline';
import { RunExaminers } from './run-examiners';
import { Exports } from './exports';
import { Examined } from './examined';
import { HowSure } from './how-sure';
import { DerivedRuns, Lineage, SetOfRun } from './lineage';
import { MissedCriteria } from './missed-criteria';
import { RunProgress } from './run-progress';
import { ScenarioList } from './scenario-list';
import { SecondLook } from './second-look';
import { TrialGrid } from './trial-grid';
import { SpeechProfile } from './speech-profile';
import { Twins } from './twins';
import { useScenarioRuns } from './use-scenario-runs';

/** A scheduled run announces its start by an event; this poll is for a stream that cannot be opened. */
const LOOK_AGAIN_MS = 5_000;
const ABOVE = { href: '/', label: 'Runs' };

/** One run: live over its events while it is in progress, then its result. */
export function RunPage() {
  const { id = '' } = useParams();
  const run = useQuery({
    queryKey: ['run', id],
    queryFn: ({ signal }) => getRun(id, signal),
    refetchInterval: ({ state }) => (state.data && isFinalTestRun(state.data.status) ? false : LOOK_AGAIN_MS),
  });
  return (
    <LoadedPage query={run} title="Run" above={ABOVE}>
      {(found) => <Found key={found.id} run={found} />}
    </LoadedPage>
  );
}

function Found({ run }: { run: TestRunDetail }) {
  const isNarrow = useIsNarrow();
  const isFinal = isFinalTestRun(run.status);
  const live = useLiveRun(run.id, !isFinal);
  const queries = useQueryClient();
  const hasEnded = live.connection === 'ended';
  useEffect(() => {
    if (!hasEnded) return;
    // Under the id or label that the address uses.
    void queries.invalidateQueries({ queryKey: ['run'] });
  }, [hasEnded, queries]);
  return (
    <>
      <RunHead run={run} />
      <Notes run={run} />
      <Lineage run={run} />
      <SetOfRun run={run} />
      {!isFinal && live.connection === 'lost' && (
        <p className="notice" role="status">
          Reconnecting. The run continues on the server.
        </p>
      )}
      <RunProgress run={run} live={isFinal ? null : live} />
      <RunExaminers run={run} />
      <SpeechProfile run={run} />
      <Twins run={run} />
      {isNarrow && isFinal && (
        <Fold title="Files, review, comparison">
          <div className="actions">
            <RunActions run={run} />
          </div>
        </Fold>
      )}
      {isFinal && (
        <Fold title="Grade or examine again">
          <SecondLook run={run} />
        </Fold>
      )}
      {isFinal && <DerivedRuns run={run} />}
      <Fold title="What was examined, and how">
        <RunFacts run={run} />
      </Fold>
      {isFinal && (
        <div className="outcome-panels">
          <MissedCriteria run={run} />
          <Fold title="How sure is that?">
            <HowSure run={run} />
          </Fold>
        </div>
      )}
      {isFinal && (
        <Fold title="Grid and heat map">
          <TrialGrid run={run} />
          <Heat run={run} />
        </Fold>
      )}
      <ScenarioList run={run} live={live} />
      {isFinal && <DeleteRun run={run} />}
    </>
  );
}

/** The run's events for as long as it is followed; afterwards the last state they reported. */
function useLiveRun(id: string, isFollowed: boolean): LiveRunState {
  const live = useMemo(() => new LiveRun(id), [id]);
  return useSyncExternalStore(isFollowed ? live.subscribe : notAtAll, live.get);
}

const notAtAll = () => () => undefined;

function RunHead({ run }: { run: TestRunDetail }) {
  const isNarrow = useIsNarrow();
  return (
    <>
      <PageHead
        title={runTitle(run)}
        above={ABOVE}
        lead={
          <>
            <span className="code small">{run.test_run_id}</span>
            {run.modality === 'spoken' && <span className="quiet small"> spoken</span>}
          </>
        }
      >
        {(!isNarrow || !isFinalTestRun(run.status)) && <RunActions run={run} />}
      </PageHead>
      {run.waiting && (
        <div className="problem" role="status">
          <p>{run.waiting}</p>
        </div>
      )}
      {run.warnings.map((warning) => (
        <p key={warning} className="notice">
          <Name>{warning}</Name>
        </p>
      ))}
      {run.error_message !== null && (
        <div className="problem">
          <p>
            <Name>{run.error_message}</Name>
          </p>
        </div>
      )}
    </>
  );
}

/** What was examined, how and when: shown beside the verdict, not before it. */
function RunFacts({ run }: { run: TestRunDetail }) {
  return (
    <>
      <dl className="facts">
        <div>
          <dt>Agent</dt>
          <dd>
            <Link href={`/agents/${run.agent_id}`}>
              <Name>{run.agent_name}</Name>
            </Link>
          </dd>
        </div>
        <div>
          <dt>Status</dt>
          <dd>
            <Status of={run.status} />
          </dd>
        </div>
        <div>
          <dt>{run.started_at === null && run.scheduled_at !== null ? 'Starts' : 'Started'}</dt>
          <dd>
            <Time at={run.started_at ?? run.scheduled_at ?? run.created_at} />
          </dd>
        </div>
        <div>
          <dt>Duration</dt>
          <dd className="number">{tookText(run)}</dd>
        </div>
        {run.trials > 1 && (
          <div>
            <dt>Trials</dt>
            <dd className="number">{run.trials}</dd>
          </div>
        )}
        <div>
          <dt>Turns</dt>
          <dd className="number">{run.max_turns}</dd>
        </div>
        <div>
          <dt>Concurrency</dt>
          <dd className="number">{run.concurrency_limit}</dd>
        </div>
        <div>
          <dt>Pass threshold</dt>
          <dd className="number">{run.pass_threshold} %</dd>
        </div>
        {run.region !== undefined && run.region !== null && (
          <div>
            <dt>Region</dt>
            <dd>{run.region}</dd>
          </div>
        )}
        {run.spoken !== null && (
          <div>
            <dt>Spoken</dt>
            <dd>
              <Name>{soundInWords(run.spoken)}</Name>
              {run.spoken.timing_error_ms !== null && `, times ± ${run.spoken.timing_error_ms} ms`}
            </dd>
          </div>
        )}
        {run.tags.length > 0 && (
          <div>
            <dt>Tags</dt>
            <dd>
              <Tags tags={run.tags} shownAtMost={12} />
            </dd>
          </div>
        )}
        <Examined run={run} />
      </dl>
      <AnnotationsForm run={run} />
      <AgentConfig run={run} />
    </>
  );
}

function RunActions({ run }: { run: TestRun }) {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: ['run'] });
  const cancel = useMutation({ mutationFn: () => cancelRun(run.id), onSettled: refresh });
  const isFinal = isFinalTestRun(run.status);
  return (
    <>
      <Link href={`/inspect/${run.id}`} className="button">
        State chart
      </Link>
      {isFinal && (
        <Link href={`/runs/${run.id}/review`} className="button">
          Review
        </Link>
      )}
      {isFinal && <Exports runId={run.id} label={run.test_run_id} />}
      {isFinal && (
        <Link href={`/compare?base=${run.id}`} className="button">
          Compare…
        </Link>
      )}
      {run.status === 'completed' && <BaselineButton run={run} />}
      {!isFinal && (
        <ConfirmButton
          needs="run"
          label="Cancel the run"
          question="Cancel? Conversations in progress stop at once."
          onConfirm={() => cancel.mutate()}
          busy={cancel.isPending}
        />
      )}
      {cancel.isError && <Problem error={cancel.error} />}
    </>
  );
}

function Heat({ run }: { run: TestRun }) {
  const { data } = useScenarioRuns(run);
  return <CriteriaHeat scenarioRuns={data?.results ?? NONE} total={data?.total ?? 0} />;
}

const NONE: readonly ScenarioRun[] = [];

/** At the end of the page, away from what is pressed often. */
function DeleteRun({ run }: { run: TestRun }) {
  const queries = useQueryClient();
  const [, go] = useLocation();
  const remove = useMutation({
    mutationFn: () => deleteRun(run.id),
    onSuccess: () => {
      queries.removeQueries({ queryKey: ['run', run.id] });
      go('/');
    },
  });
  return (
    <div className="actions at-the-end">
      <ConfirmButton
        label="Delete"
        question="Delete this run and its transcripts?"
        onConfirm={() => remove.mutate()}
        busy={remove.isPending}
      />
      {remove.isError && <Problem error={remove.error} />}
    </div>
  );
}

function tookText({ started_at, completed_at, canceled_at }: TestRun): string {
  const ended = completed_at ?? canceled_at;
  if (started_at === null || ended === null) return '–';
  return durationText(new Date(ended).getTime() - new Date(started_at).getTime());
}
