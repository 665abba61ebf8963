import type { Scenario, ScenarioFields } from '../api/scenarios';
import { Field } from '../parts/field';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';

/** What the form says about the approval. `ticked` is null as long as nobody touched the box. */
export interface ApprovalDraft {
  readonly ticked: boolean | null;
  readonly by: string;
  readonly role: string;
}

export const UNTOUCHED: ApprovalDraft = { ticked: null, by: '', role: '' };

interface Props {
  /** Null for a new one. */
  readonly scenario: Scenario | null;
  /** Whether the form holds another content or rubric than the scenario. */
  readonly isRevised: boolean;
  readonly draft: ApprovalDraft;
  readonly onChange: (draft: ApprovalDraft) => void;
}

/** The fields to send: an approval is only sent by someone who gives one now, so that an edit of the text ends that of an earlier text. */
export function approvalFields(
  scenario: Scenario | null,
  isRevised: boolean,
  draft: ApprovalDraft,
): Pick<ScenarioFields, 'approved' | 'approved_by' | 'approved_role'> {
  const { ticked } = draft;
  const [by, role] = [draft.by.trim(), draft.role.trim()];
  if (!isTicked(scenario, isRevised, draft))
    return ticked === false && scenario?.approved === true ? { approved: false } : {};
  if (ticked !== true && by === '') return {};
  return { approved: true, ...(by !== '' && { approved_by: by }), ...(role !== '' && { approved_role: role }) };
}

function isTicked(scenario: Scenario | null, isRevised: boolean, { ticked }: ApprovalDraft): boolean {
  return ticked ?? (scenario?.approved === true && !isRevised);
}

/** Who approved the scenario, and the means to approve it: below everything that is approved. */
export function ApprovalFields({ scenario, isRevised, draft, onChange }: Props) {
  const checked = isTicked(scenario, isRevised, draft);
  const isSigned = scenario?.approved === true && scenario.approved_by !== null && !isRevised;
  return (
    <fieldset className="panel">
      <legend>Approval</legend>
      {scenario !== null && <Standing scenario={scenario} isRevised={isRevised} />}
      <label className="check">
        <input
          type="checkbox"
          checked={checked}
          onChange={(event) => onChange({ ...draft, ticked: event.target.checked })}
        />
        <span>
          Approved by a clinician
          <span className="help"> Only approved scenarios are run by default.</span>
        </span>
      </label>
      {checked && (!isSigned || draft.ticked === true) && (
        <div className="form-row">
          <Field label="Approved by" help="Whoever has read the script, gold standard, sources and rubric." optional>
            {(control) => (
              <input
                {...control}
                maxLength={200}
                value={draft.by}
                onChange={(event) => onChange({ ...draft, by: event.target.value })}
              />
            )}
          </Field>
          <Field label="Role" help="For example, emergency physician." optional>
            {(control) => (
              <input
                {...control}
                maxLength={200}
                value={draft.role}
                onChange={(event) => onChange({ ...draft, role: event.target.value })}
              />
            )}
          </Field>
        </div>
      )}
    </fieldset>
  );
}

function Standing({ scenario, isRevised }: { scenario: Scenario; isRevised: boolean }) {
  const { revision, approved, approved_by, approved_role, approved_at, approval_note } = scenario;
  if (approved && isRevised) {
    return (
      <p className="notice">
        Revision {revision} was approved. Saving this text ends that approval: tick the box to approve the new text.
      </p>
    );
  }
  if (!approved) return <p>Revision {revision} is not approved.</p>;
  if (approved_by === null) return <p className="notice">{approval_note ?? 'Nobody is named who approved it.'}</p>;
  return (
    <p>
      Revision {revision} was approved by <Name>{approved_by}</Name>
      {approved_role !== null && (
        <>
          {' '}
          (<Name>{approved_role}</Name>)
        </>
      )}
      {typeof approved_at === 'string' && (
        <>
          , <Time at={approved_at} />
        </>
      )}
      .
    </p>
  );
}
