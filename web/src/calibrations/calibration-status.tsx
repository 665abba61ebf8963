import { SIGNS } from '../parts/status';
import { Name } from '../parts/untrusted-text';

/** The status, drawn like that of a run; a newer service may have a status that this page does not know. */
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
