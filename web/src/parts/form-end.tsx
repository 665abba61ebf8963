import { useMay, WhyNot } from './permissions';
import { Problem } from './problem';
import type { Saving } from './saving';
import { useUnsaved } from './use-unsaved';

interface Props {
  readonly saving: Pick<Saving<never>, 'isPending' | 'isSuccess' | 'error'>;
  /** The text of the button. */
  readonly label: string;
  /** Everything that the form holds: while it is not saved, the page asks before the reader leaves. */
  readonly draft: unknown;
  /** What saving takes; `change` unless it says otherwise. */
  readonly needs?: 'run' | 'change';
}

/** The end of every form: the error if it was not saved, the button, and whether everything is saved. */
export function FormEnd({ saving, label, draft, needs = 'change' }: Props) {
  const mayChange = useMay(needs);
  const isUnsaved = useUnsaved(JSON.stringify(draft), saving);
  return (
    <>
      {saving.error !== null && <Problem error={saving.error} />}
      <div className="actions">
        <button type="submit" className="button primary" disabled={saving.isPending || !mayChange}>
          {label}
        </button>
        {isUnsaved && !saving.isPending && <span className="quiet">Unsaved changes</span>}
        {saving.isSuccess && !isUnsaved && (
          <span role="status" className="saved">
            Saved.
          </span>
        )}
      </div>
      <WhyNot to={needs} />
    </>
  );
}
