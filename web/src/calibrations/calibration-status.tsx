import { SIGNS } from '../parts/status';
import { Name } from '../parts/untrusted-text';

/** Looks as that of a run does; a newer service may know a status that this page does not. */
export function CalibrationStatus({ of }: { readonly of: string }) {
  const sign = new Map<string, string>(Object.entries(SIGNS)).get(of) ?? '·';
  return (
    <span className={`status ${of}`}>
      <span className="sign" aria-hidden="true">
        {sign}
      </span>
      <Name>{of}</Name>
    </span>
  );
}
