import { approvalState, approvalWords, type Approval } from '../../../src/domain';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';

interface Props {
  readonly of: Approval & { readonly approved_at?: string | null | undefined };
}

/** The approval of a scenario: a draft, a starter that is not signed, or approved, with the approver and the time. */
export function ApprovalState({ of: approval }: Props) {
  const { approved_at: at } = approval;
  const isSigned = approvalState(approval) === 'signed';
  return (
    <>
      {isSigned && (
        <span className="yes" aria-hidden="true">
          ✓{' '}
        </span>
      )}
      <Name>{approvalWords(approval)}</Name>
      {isSigned && typeof at === 'string' && (
        <>
          , <Time at={at} />
        </>
      )}
    </>
  );
}
