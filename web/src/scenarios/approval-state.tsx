import { approvalState, approvalWords, type Approval } from '../../../src/domain/scenario';
import { Time } from '../parts/time';
import { Name } from '../parts/untrusted-text';

interface Props {
  readonly of: Approval & { readonly approved_at?: string | null | undefined };
}

/** Whether anybody answers for a scenario: a draft, a starter that nobody has signed, or approved by whom and when. */
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
