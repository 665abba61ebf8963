import { isUsualPatient, patientName, isFinalScenarioRun } from '../../../src/domain';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useParams } from 'wouter';
import { getRun } from '../api/runs';
import { getScenarioRun, type ScenarioRunDetail } from '../api/scenario-runs';
import { Listening } from '../listening/listening';
import { LoadedPage } from '../parts/loaded';
import { PageHead } from '../parts/page-head';
import { runTitle } from '../parts/run-title';
import { SeverityTag } from '../parts/severity-tag';
import { Status } from '../parts/status';
import { durationText, Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { Checklist } from './checklist';
import { Circumstances, Cautions, isByRules } from './circumstances';
import { evidenceRanges } from './evidence';
import { FailedLinks } from './failed-links';
import { Instrument } from './instrument';
import { Origin } from './origin';
import { Screenshot } from './screenshot';
import { Transcript } from './transcript';
import { useForking } from './use-forking';
import { useLiveState } from './use-live-state';
import { WhyVerdict } from './why-verdict';

const LIVE_EVERY_MS = 1_000;

/** One conversation beside the checklist that it was marked with. */
export function ScenarioRunPage() {
  const { id = '' } = useParams();
  const found = useQuery({
    queryKey: ['scenario-run', id],
    queryFn: ({ signal }) => getScenarioRun(id, signal),
    refetchInterval: ({ state }) => (state.data && isFinalScenarioRun(state.data.status) ? false : LIVE_EVERY_MS),
  });
  return (
    <LoadedPage query={found} title="Scenario run" above={{ href: '/', label: 'Runs' }}>
      {(run) => <Found key={id} run={run} />}
    </LoadedPage>
  );
}

function Found({ run }: { run: ScenarioRunDetail }) {
  const [pointedAt, setPointedAt] = useState<number | null>(null);
  // Stays highlighted when the view scrolls to its evidence and the pointer ends up on something else.
  const [pressed, setPressed] = useState<number | null>(null);
  const active = pointedAt ?? pressed;
  const ranges = useMemo(() => evidenceRanges(run.transcript, run.criteria_results ?? []), [run]);
  const testRun = useQuery({
    queryKey: ['run', run.test_run_id],
    queryFn: ({ signal }) => getRun(run.test_run_id, signal),
  });
  const live = useLiveState(run);
  const forking = useForking(run, testRun.data);
  const label = testRun.data === undefined ? 'The run' : runTitle(testRun.data);
  return (
    <>
      <PageHead title={run.scenario_name} above={{ href: `/runs/${run.test_run_id}`, label }}>
        <Link href={`/scenarios/${run.scenario_id}`} className="button">
          Open the scenario
        </Link>
        <Link href={`/inspect/${run.id}`} className="button">
          State chart
        </Link>
        {run.criteria_results !== null && (
          <Link href={`/scenario-runs/${run.id}/review`} className="button">
            Review
          </Link>
        )}
        {testRun.data !== undefined && <FailedLinks run={testRun.data} id={run.id} />}
      </PageHead>
      <Origin run={run} testRun={testRun.data} />
      {run.status === 'error' && <Failure run={run} />}
      <WhyVerdict run={run} passThreshold={testRun.data?.pass_threshold ?? null} />
      <dl className="facts">
        <div>
          <dt>Status</dt>
          <dd>
            <Status of={run.status} />
          </dd>
        </div>
        {typeof run.scenario_severity === 'string' && (
          <div>
            <dt>Severity</dt>
            <dd>
              <SeverityTag severity={run.scenario_severity} />
            </dd>
          </div>
        )}
        <div>
          <dt>Duration</dt>
          <dd className="number">{run.duration_ms === null ? '–' : durationText(run.duration_ms)}</dd>
        </div>
        <div>
          <dt>Started</dt>
          <dd>{run.started_at === null ? 'not yet' : <Time at={run.started_at} />}</dd>
        </div>
        <Instrument run={run} />
        {!isUsualPatient(run.patient) && (
          <div>
            <dt>Patient</dt>
            <dd>{patientName(run.patient)}</dd>
          </div>
        )}
        {testRun.data !== undefined && testRun.data.trials > 1 && (
          <div>
            <dt>Trial</dt>
            <dd className="number">
              {run.trial} of {testRun.data.trials}
            </dd>
          </div>
        )}
        {run.attempt > 1 && (
          <div>
            <dt>Attempt</dt>
            <dd className="number">{run.attempt}</dd>
          </div>
        )}
      </dl>
      <Cautions metadata={run.metadata} />
      {run.grade_summary !== null && !isByRules(run.metadata) && (
        <p className="summary">
          <Name>{run.grade_summary}</Name>
        </p>
      )}
      {typeof run.screenshot_url === 'string' && <Screenshot path={run.screenshot_url} />}
      <Listening
        scenarioRunId={run.id}
        transcript={run.transcript}
        isOver={isFinalScenarioRun(run.status)}
        results={run.criteria_results}
        active={active}
      >
        <div className="marking">
          <Transcript
            run={run}
            maxTurns={testRun.data?.max_turns ?? null}
            ranges={ranges}
            active={active}
            live={live}
            isSpoken={testRun.data?.modality === 'spoken'}
            forking={forking}
          />
          <Checklist
            run={run}
            active={active}
            pressed={pressed}
            onPoint={setPointedAt}
            onPress={setPressed}
            hasRange={ranges.found}
          />
        </div>
      </Listening>
      <Circumstances metadata={run.metadata} />
    </>
  );
}

function Failure({ run }: { run: ScenarioRunDetail }) {
  return (
    <div className="problem">
      <p>
        <strong className="code">{run.error_code ?? 'error'}</strong>{' '}
        <Name>{run.error_message ?? 'No reason was recorded.'}</Name>
      </p>
      <p className="quiet">
        The harness or the connection failed: this says nothing about the agent. In the pass rate it counts as not
        passed.
      </p>
    </div>
  );
}
