import { approvalState } from '../../../src/domain';
import type { Scenario, ScenarioFields } from '../api/scenarios';
import { Field } from '../parts/field';
import { useMe } from '../parts/permissions';
import { Name } from '../parts/untrusted-text';
import { counted } from '../parts/numbers';
import { ApprovalState } from './approval-state';

/** The form's state of the approval. Name and role are filled in beforehand, as this browser remembers them. */
export interface ApprovalDraft {
  readonly decision: 'keep' | 'approve' | 'withdraw';
  readonly by: string;
  readonly role: string;
}

export function untouched(): ApprovalDraft {
  return { decision: 'keep', by: remembered(STORED_AS.by), role: remembered(STORED_AS.role) };
}

interface Props {
  /** Null for a new one. */
  readonly scenario: Scenario | null;
  /** Whether content or rubric in the form differ from the scenario's. */
  readonly isRevised: boolean;
  /** How many findings the checks have on the text in the form. */
  readonly findings: number;
  readonly draft: ApprovalDraft;
  readonly onChange: (draft: ApprovalDraft) => void;
}

/** The fields to send: an approval is sent only when the reader gives one now, so that an edit of the text ends the earlier approval. */
export function approvalFields({
  decision,
  ...given
}: ApprovalDraft): Pick<ScenarioFields, 'approved' | 'approved_by' | 'approved_role'> {
  if (decision === 'keep') return {};
  if (decision === 'withdraw') return { approved: false };
  const [by, role] = [given.by.trim(), given.role.trim()];
  remember(STORED_AS.by, by);
  remember(STORED_AS.role, role);
  // Of a person who has signed in the service takes the name that it knows.
  return { approved: true, ...(by !== '' && { approved_by: by }), approved_role: role };
}

/** The approver of the scenario, and the fields to approve it: below everything that is approved. */
export function ApprovalFields({ scenario, isRevised, findings, draft, onChange }: Props) {
  const { decision } = draft;
  const tick = (asked: 'approve' | 'withdraw') => onChange({ ...draft, decision: decision === asked ? 'keep' : asked });
  return (
    <fieldset className="panel">
      <legend>Approval</legend>
      {scenario !== null && <Standing scenario={scenario} isRevised={isRevised} />}
      <label className="check">
        <input type="checkbox" checked={decision === 'approve'} onChange={() => tick('approve')} />
        <span>
          Approve this text
          <span className="help">
            {' '}
            I have read the patient, the rubric and the sources. Without approval it is a draft, and runs leave it out
            unless it is chosen one by one.
          </span>
        </span>
      </label>
      {decision === 'approve' && findings > 0 && (
        <p className="notice">{counted(findings, 'finding is', 'findings are')} open: see Checks before you approve.</p>
      )}
      {decision === 'approve' && <Signature draft={draft} onChange={onChange} />}
      {scenario?.approved === true && !isRevised && (
        <label className="check">
          <input type="checkbox" checked={decision === 'withdraw'} onChange={() => tick('withdraw')} />
          <span>
            {approvalState(scenario) === 'signed' ? 'Withdraw the approval' : 'Make it a draft'}
            <span className="help"> The scenario becomes a draft.</span>
          </span>
        </label>
      )}
    </fieldset>
  );
}

/** Who approves, and in which role. */
export function Signature({ draft, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  const me = useMe();
  return (
    <div className="form-row">
      {me?.signed_in === true ? (
        <p>
          Approved by <Name>{me.name}</Name>, who is signed in.
        </p>
      ) : (
        <Field label="Approved by" help="The person who has read the script, gold standard, sources and rubric.">
          {(control) => (
            <input
              {...control}
              required
              maxLength={200}
              value={draft.by}
              onChange={(event) => onChange({ ...draft, by: event.target.value })}
            />
          )}
        </Field>
      )}
      <Field label="Role" help="For example, emergency physician.">
        {(control) => (
          <input
            {...control}
            required
            maxLength={200}
            value={draft.role}
            onChange={(event) => onChange({ ...draft, role: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}

function Standing({ scenario, isRevised }: { scenario: Scenario; isRevised: boolean }) {
  const { revision, approval_note } = scenario;
  const state = approvalState(scenario);
  if (state !== 'draft' && isRevised) {
    return (
      <p className="notice">
        The approval was that of revision {revision}. Saving this text makes it a draft, unless you approve it here.
      </p>
    );
  }
  if (state === 'draft') return <p>Revision {revision} is a draft and is not approved.</p>;
  if (state !== 'signed') return <p className="notice">{approval_note}</p>;
  return (
    <p>
      Revision {revision}: <ApprovalState of={scenario} />.
    </p>
  );
}

const STORED_AS = { by: 'agent-osce.approver', role: 'agent-osce.approver-role' } as const;

function remembered(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // In a browser without storage it is asked for each time.
  }
}
