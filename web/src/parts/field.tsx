import { useId, type ReactNode } from 'react';

/** Attributes that connect a control with its label, help and error. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

interface Props {
  readonly label: string;
  readonly help?: ReactNode;
  /** The reason why its value cannot be used. */
  readonly wrong?: string | undefined;
  /** A further remark on its value; null for none. */
  readonly note?: ReactNode;
  readonly optional?: boolean;
  readonly children: (control: ControlProps) => ReactNode;
}

/** A labelled control with its help and, when something is wrong with it, the reason. */
export function Field({ label, help, wrong, note = null, optional = false, children }: Props) {
  const id = useId();
  const described = [
    help !== undefined && `${id}-help`,
    wrong !== undefined && `${id}-wrong`,
    note !== null && `${id}-note`,
  ]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
        {optional && <span className="optional"> (optional)</span>}
      </label>
      {children({
        id,
        ...(described !== '' && { 'aria-describedby': described }),
        ...(wrong !== undefined && { 'aria-invalid': true }),
      })}
      {help !== undefined && (
        <span className="help" id={`${id}-help`}>
          {help}
        </span>
      )}
      {wrong !== undefined && (
        <span className="wrong" id={`${id}-wrong`}>
          {wrong}
        </span>
      )}
      {note !== null && <div id={`${id}-note`}>{note}</div>}
    </div>
  );
}
