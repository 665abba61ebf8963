import { Problem } from './problem';
import type { Saving } from './saving';

interface Props {
  readonly saving: Pick<Saving<never>, 'isPending' | 'isSuccess' | 'error'>;
  /** On the button. */
  readonly label: string;
}

/** The end of every form: the error if it was not saved, the button, and a confirmation if it was. */
export function FormEnd({ saving, label }: Props) {
  return (
    <>
      {saving.error !== null && <Problem error={saving.error} />}
      <div className="actions">
        <button type="submit" className="button primary" disabled={saving.isPending}>
          {label}
        </button>
        {saving.isSuccess && (
          <span role="status" className="saved">
            Saved.
          </span>
        )}
      </div>
    </>
  );
}
