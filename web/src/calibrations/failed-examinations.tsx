import type { CalibrationResult } from '../api/calibrations';
import { counted } from '../parts/numbers';
import { Name } from '../parts/untrusted-text';

interface Props {
  readonly failed: CalibrationResult['failed'];
  /** Examinations of the calibration. */
  readonly total: number;
}

/** The examinations that ended in an error, and why: no other number counts them. */
export function FailedExaminations({ failed, total }: Props) {
  return (
    <section className="panel stack" aria-labelledby="failed-title">
      <h2 id="failed-title">Failed examinations</h2>
      {failed.length === 0 ? (
        <p className="quiet">None of {counted(total, 'examination')} ended in an error.</p>
      ) : (
        <ul className="stack plain">
          {failed.map(({ kind, count, message }) => (
            <li key={kind}>
              <strong className="number">{count.toLocaleString()}</strong> of {total.toLocaleString()},{' '}
              <span className="code">
                <Name>{kind}</Name>
              </span>
              : <Name>{message}</Name>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
