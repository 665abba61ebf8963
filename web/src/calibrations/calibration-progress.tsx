import type { Calibration } from '../api/calibrations';

/** The progress of a calibration under way. */
export function CalibrationProgress({ of: { total, marked, failed } }: { readonly of: Calibration['progress'] }) {
  const done = marked + failed;
  return (
    <section className="panel stack" aria-label="Progress">
      <progress aria-label="Examinations done" max={Math.max(1, total)} value={done} />
      <p>
        <strong className="number">{done.toLocaleString()}</strong> of {total.toLocaleString()} examinations done
        {failed > 0 && `, ${failed.toLocaleString()} of them with an error`}. It continues when this page is closed.
      </p>
    </section>
  );
}
