import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useParams } from 'wouter';
import {
  cancelCalibration,
  deleteCalibration,
  getCalibration,
  isUnderWay,
  type Calibration,
} from '../api/calibrations';
import { ConfirmButton } from '../parts/confirm-button';
import { LoadedPage } from '../parts/loaded';
import { PageHead } from '../parts/page-head';
import { Problem } from '../parts/problem';
import { ShortHash } from '../parts/short-hash';
import { durationText, Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { CalibrationProgress } from './calibration-progress';
import { CalibrationStatus } from './calibration-status';
import { Differences } from './differences';
import { FailedExaminations } from './failed-examinations';
import { changesText, judgeName } from './judge-name';
import { JudgeAgreement } from './judge-agreement';
import { JudgeConsistency } from './judge-consistency';

const LIVE_EVERY_MS = 1_000;
const ABOVE = { href: '/calibrations', label: 'Calibrations' };

/** One calibration: its progress, then its results about the judge. */
export function CalibrationPage() {
  const { id = '' } = useParams();
  const found = useQuery({
    queryKey: ['calibrations', 'item', id],
    queryFn: ({ signal }) => getCalibration(id, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? LIVE_EVERY_MS : false),
  });
  return (
    <LoadedPage query={found} title="Calibration" above={ABOVE}>
      {(calibration) => <Found calibration={calibration} />}
    </LoadedPage>
  );
}

function Found({ calibration }: { readonly calibration: Calibration }) {
  const { result, notes, stale, changed, error_message: error } = calibration;
  return (
    <>
      <PageHead title={calibration.name} above={ABOVE}>
        <Actions calibration={calibration} />
      </PageHead>
      {error !== null && (
        <div className="problem">
          <p>
            <Name>{error}</Name>
          </p>
        </div>
      )}
      {stale && (
        <p className="notice">
          This calibration is stale: the judge marks with {changesText(changed)} now. Calibrate again before relying on
          it.
        </p>
      )}
      {notes.map((note) => (
        <p key={note} className="notice">
          <Name>{note}</Name>
        </p>
      ))}
      {isUnderWay(calibration) && <CalibrationProgress of={calibration.progress} />}
      {calibration.status === 'canceled' && (
        <p>Canceled: numbers are computed once every transcript is marked, so this one has no numbers.</p>
      )}
      <Facts calibration={calibration} />
      {result !== null && (
        <>
          <JudgeAgreement result={result} />
          <div className="outcome-panels">
            <JudgeConsistency result={result} />
            <FailedExaminations failed={result.failed} total={calibration.progress.total} />
          </div>
          <Differences listed={result.disagreements} total={result.disagreements_total} />
        </>
      )}
    </>
  );
}

function Actions({ calibration: { id, ...calibration } }: { readonly calibration: Calibration }) {
  const queries = useQueryClient();
  const [, go] = useLocation();
  const refreshList = () => queries.invalidateQueries({ queryKey: ['calibrations', 'list'] });
  const cancel = useMutation({
    mutationFn: () => cancelCalibration(id),
    onSuccess: (canceled) => {
      queries.setQueryData(['calibrations', 'item', id], canceled);
      return refreshList();
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteCalibration(id),
    onSuccess: () => {
      queries.removeQueries({ queryKey: ['calibrations', 'item', id] });
      void refreshList();
      go('/calibrations');
    },
  });
  return (
    <>
      {isUnderWay(calibration) ? (
        <ConfirmButton
          needs="run"
          label="Cancel the calibration"
          question="Cancel? Marking stops at once."
          onConfirm={() => cancel.mutate()}
          busy={cancel.isPending}
        />
      ) : (
        <ConfirmButton
          label="Delete"
          question="Delete this calibration with its transcripts and marks?"
          onConfirm={() => remove.mutate()}
          busy={remove.isPending}
        />
      )}
      {(cancel.isError || remove.isError) && <Problem error={cancel.error ?? remove.error} />}
    </>
  );
}

/** What was marked, by which judge, and who decided the labels. */
function Facts({ calibration }: { readonly calibration: Calibration }) {
  const { judge, status, transcripts, criteria, repeats, result, created_at, started_at, completed_at } = calibration;
  return (
    <dl className="facts">
      <div>
        <dt>Judge</dt>
        <dd>
          <Name>{judgeName(judge)}</Name>
        </dd>
      </div>
      <div>
        <dt>Judge prompt</dt>
        <dd>{judge.prompt_version === null ? 'none' : <ShortHash of={judge.prompt_version} />}</dd>
      </div>
      <div>
        <dt>Status</dt>
        <dd>
          <CalibrationStatus of={status} />
        </dd>
      </div>
      <div>
        <dt>Transcripts</dt>
        <dd className="number">{transcripts.toLocaleString()}</dd>
      </div>
      <div>
        <dt>Criteria</dt>
        <dd className="number">{criteria.toLocaleString()}</dd>
      </div>
      <div>
        <dt>Each marked</dt>
        <dd className="number">{repeats} ×</dd>
      </div>
      {result !== null && (
        <div>
          <dt>Labelled by</dt>
          <dd>
            <Name>{result.raters.join(', ')}</Name>
          </dd>
        </div>
      )}
      <div>
        <dt>Started</dt>
        <dd>
          <Time at={started_at ?? created_at} />
        </dd>
      </div>
      {started_at !== null && completed_at !== null && (
        <div>
          <dt>Duration</dt>
          <dd className="number">{durationText(Date.parse(completed_at) - Date.parse(started_at))}</dd>
        </div>
      )}
    </dl>
  );
}
