import { Link } from 'wouter';
import type { ShownCalibration, Statistics } from '../api/statistics';
import { numberText } from '../parts/measure-table';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';

/** The known agreement of a run's judge with people, shown beside the rate that follows from its marks. */
export function CalibrationNote({ statistics }: { readonly statistics: Statistics }) {
  const { calibration, calibration_note: note } = statistics;
  return (
    <p className={calibration?.stale === true ? 'notice' : undefined}>
      Calibration: <Name>{note}</Name>{' '}
      {calibration === null ? (
        <Link href="/calibrations">Calibrate the judge</Link>
      ) : (
        <Shown calibration={calibration} />
      )}
    </p>
  );
}

function Shown({ calibration: { id, name, at, kappa, ac1 } }: { readonly calibration: ShownCalibration }) {
  const coefficients = [
    kappa.value === null ? null : `κ ${numberText(kappa.value)}`,
    ac1.value === null ? null : `AC1 ${numberText(ac1.value)}`,
  ].filter((one) => one !== null);
  return (
    <>
      <Link href={`/calibrations/${id}`}>
        <Name>{name}</Name>
      </Link>{' '}
      <span className="number">
        (<Time at={at} />
        {coefficients.length > 0 && `: ${coefficients.join(', ')}`})
      </span>
    </>
  );
}
