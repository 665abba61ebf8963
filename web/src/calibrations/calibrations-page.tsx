import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { CALIBRATIONS_A_PAGE, isUnderWay, listCalibrations, type ListedCalibration } from '../api/calibrations';
import { Empty } from '../parts/empty';
import { Loaded } from '../parts/loaded';
import { MeasureText } from '../parts/measure-table';
import { Allowed } from '../parts/permissions';
import { PageHead } from '../parts/page-head';
import { Pager } from '../parts/pager';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';
import { CalibrationStatus } from './calibration-status';
import { changesText, judgeName } from './judge-name';
import { OwnLabels } from './own-labels';
import { StarterSet } from './starter-set';

const LIVE_EVERY_MS = 1_500;
const IDLE_EVERY_MS = 30_000;

/** How far each judge has been found to agree with people, newest first. */
export function CalibrationsPage() {
  const [page, setPage] = useState(0);
  const found = useQuery({
    queryKey: ['calibrations', 'list', page],
    queryFn: ({ signal }) => listCalibrations(page, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.calibrations.some(isUnderWay) === true ? LIVE_EVERY_MS : IDLE_EVERY_MS,
  });
  return (
    <>
      <PageHead
        title="Calibrations of the judge"
        lead="How far the judge agrees with what people decided about the same transcripts."
      />
      <Loaded query={found}>
        {({ calibrations, total }) =>
          total === 0 ? (
            <NotCalibrated />
          ) : (
            <>
              <CalibrationTable listed={calibrations} />
              <Pager page={page} pageSize={CALIBRATIONS_A_PAGE} total={total} onPage={setPage} />
              <section className="panel stack" aria-labelledby="again-title">
                <h2 id="again-title">Calibrate again</h2>
                <Allowed to="change">
                  <StarterSet />
                  <OwnLabels />
                </Allowed>
              </section>
            </>
          )
        }
      </Loaded>
    </>
  );
}

function NotCalibrated() {
  return (
    <Empty title="The judge has not been calibrated yet">
      <p>
        A calibration has the judge mark transcripts that people have already marked, with the same prompts as in a run,
        and tells how far the two agree. Without one, you cannot tell how closely its marks match a clinician’s.
      </p>
      <Allowed to="change">
        <StarterSet />
        <OwnLabels />
      </Allowed>
    </Empty>
  );
}

function CalibrationTable({ listed }: { readonly listed: readonly ListedCalibration[] }) {
  return (
    <div className="table-frame">
      <table className="rows calibrations">
        <thead>
          <tr>
            <th scope="col">Calibration</th>
            <th scope="col">Judge</th>
            <th scope="col">Status</th>
            <th scope="col">Cohen’s κ</th>
            <th scope="col">Gwet’s AC1</th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {listed.map((calibration) => (
            <tr key={calibration.id}>
              <th scope="row">
                <Link href={`/calibrations/${calibration.id}`}>
                  <Name>{calibration.name}</Name>
                </Link>
              </th>
              <td data-label="Judge">
                <Name>{judgeName(calibration.judge)}</Name>
                {calibration.stale && (
                  <span className="quiet small"> · stale: {changesText(calibration.changed)} now</span>
                )}
              </td>
              <td data-label="Status">
                <CalibrationStatus of={calibration.status} />
                {isUnderWay(calibration) && <span className="quiet number"> {progressText(calibration)}</span>}
              </td>
              <td data-label="Cohen’s κ">
                {calibration.kappa === null ? '–' : <MeasureText of={calibration.kappa} />}
              </td>
              <td data-label="Gwet’s AC1">{calibration.ac1 === null ? '–' : <MeasureText of={calibration.ac1} />}</td>
              <td data-label="Started">
                <Time at={calibration.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function progressText({ progress: { total, marked, failed } }: ListedCalibration): string {
  return `${marked + failed} of ${total}`;
}
