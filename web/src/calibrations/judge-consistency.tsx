import type { ReactNode } from 'react';
import type { CalibrationResult, MarkConsistency } from '../api/calibrations';
import { costText, counted, percentText } from '../parts/numbers';

/** Results that need no labels: whether a judge repeats its marks, and whether it reads what it is asked. */
export function JudgeConsistency({ result }: { readonly result: CalibrationResult }) {
  const { consistency, controls, disputed, usage } = result;
  return (
    <section className="panel stack" aria-labelledby="consistency-title">
      <h2 id="consistency-title">Does the judge repeat its marks?</h2>
      <dl className="told">
        <Told name="Criteria in the same order">
          <Same of={consistency.repeats} least={3} />
        </Told>
        <Told name="Criteria in another order">
          <Same of={consistency.orders} least={2} />
        </Told>
        <Told name="Control questions answered wrong">
          {controls.share === null ? (
            <span className="quiet">None were asked.</span>
          ) : (
            <>
              <strong className="number">{percentText(controls.share * 100)}</strong> ({controls.wrong} of{' '}
              {controls.asked})
            </>
          )}
        </Told>
        <Told name="Marks by a divided vote">{disputed.toLocaleString()}</Told>
        <Told name="Cost">
          {counted(usage.calls, 'call')}
          {usage.cost_usd !== null && usage.calls > 0 && `, ${costText(usage.cost_usd)}`}
        </Told>
      </dl>
    </section>
  );
}

function Told({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface SameProps {
  readonly of: MarkConsistency;
  /** The repeats needed for a result. */
  readonly least: number;
}

function Same({ of: { pairs, same, value }, least }: SameProps) {
  if (value === null) return <span className="quiet">It takes {least} repeats to tell.</span>;
  return (
    <>
      <strong className="number">{percentText(value * 100)}</strong> the same ({same.toLocaleString()} of{' '}
      {counted(pairs, 'pair of marks', 'pairs of marks')})
    </>
  );
}
