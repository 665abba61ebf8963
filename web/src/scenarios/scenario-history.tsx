import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { isUsualPatient, patientName } from '../../../src/domain';
import { getHistory, GROUPS_A_PAGE, type LikeVerdicts, type PastExaminer } from '../api/history';
import { FlakyMark } from '../parts/flaky-mark';
import { counted, percentText } from '../parts/numbers';
import { Pager } from '../parts/pager';
import { Problem } from '../parts/problem';
import { ShortHash } from '../parts/short-hash';
import { Time } from '../parts/time';
import { TrialMarks } from '../parts/trial-marks';
import { Name } from '../parts/untrusted-text';
import { historySentences, runsOf } from './past-verdicts';

/** The verdicts on a scenario in all runs, newest first; verdicts under the same conditions are grouped. */
export function ScenarioHistory({ scenarioId }: { readonly scenarioId: string }) {
  const [page, setPage] = useState(0);
  const found = useQuery({
    queryKey: ['/scenarios', 'history', scenarioId, page],
    queryFn: ({ signal }) => getHistory(scenarioId, page, signal),
    placeholderData: keepPreviousData,
  });
  if (found.data === undefined) {
    return found.isError ? <Problem error={found.error} onRetry={() => void found.refetch()} /> : null;
  }
  const { history, total } = found.data;
  return (
    <section className="panel stack" aria-labelledby="history">
      <h2 id="history">History</h2>
      <p className="quiet">{historySentences(found.data).join(' ')}</p>
      {history.length > 0 && (
        <ol className="plain stack">
          {history.map((group) => (
            <li key={group.verdicts[0]?.scenario_run_id} className="past">
              <Group group={group} />
            </li>
          ))}
        </ol>
      )}
      <Pager page={page} pageSize={GROUPS_A_PAGE} total={total} onPage={setPage} />
    </section>
  );
}

function Group({ group }: { readonly group: LikeVerdicts }) {
  const { agent_id, agent_name, agent_version, agent_config_hash, passed, failed, flaky, verdicts } = group;
  const unnamed = passed + failed - verdicts.length;
  return (
    <>
      <p>
        <Link href={`/agents/${agent_id}`}>
          <Name>{agent_name}</Name>
        </Link>
        {agent_version !== null && (
          <>
            , version <Name>{agent_version}</Name>
          </>
        )}
        , config <ShortHash of={agent_config_hash} />:{' '}
        <strong className="number">
          {passed} of {passed + failed}
        </strong>{' '}
        passed {flaky && <FlakyMark />}
      </p>
      <Conditions group={group} />
      <ul className="past-runs" aria-label="Runs, newest first">
        {runsOf(verdicts).map((run) => (
          <li key={run.testRunId}>
            <Link href={`/runs/${run.testRunId}`}>
              <Time at={run.completedAt} />
            </Link>
            <TrialMarks
              trials={run.verdicts.map(({ scenario_run_id, ...verdict }) => ({ id: scenario_run_id, ...verdict }))}
            />
          </li>
        ))}
        {unnamed > 0 && <li className="quiet">and {counted(unnamed, 'earlier verdict')}</li>}
      </ul>
    </>
  );
}

/** The other conditions that a group shares. */
function Conditions({ group }: { readonly group: LikeVerdicts }) {
  const {
    scenario_revision,
    scenario_content_hash,
    patient,
    examiners,
    max_turns,
    pass_threshold,
    region = null,
  } = group;
  return (
    <p className="quiet small">
      {scenario_revision === null ? 'Scenario' : `Revision ${scenario_revision}`}{' '}
      <ShortHash of={scenario_content_hash} />, {max_turns} turns, pass threshold {percentText(pass_threshold)}
      {region !== null && `, region ${region}`}
      {!isUsualPatient(patient) && `, ${patientName(patient)}`}; patient played by <Examiner of={examiners.tester} />,
      marked by <Examiner of={examiners.judge} />
    </p>
  );
}

/** What the service calls a tester or judge that is not a language model. */
const OFFLINE = 'offline';

function Examiner({ of: { name, model, prompt_version } }: { readonly of: PastExaminer }) {
  return (
    <>
      {name === OFFLINE ? 'rules (offline)' : <Name>{model ?? name}</Name>}
      {prompt_version !== null && (
        <>
          {' '}
          with instructions <ShortHash of={prompt_version} />
        </>
      )}
    </>
  );
}
