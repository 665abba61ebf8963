import { STARTER_LIBRARY } from '../../domain/approval';
import type { ScenarioEntity } from './scenario.entity';

const BEFORE_RELYING =
  'Read its gold standard and its sources, and approve it in your name, before you rely on its marks.';

/** What is missing in an approval; null when somebody answers for it, and when there is none. */
export function approvalNote({ approved, approvedBy, approvedRole }: ScenarioEntity): string | null {
  if (!approved || approvedBy !== null) return null;
  return approvedRole === STARTER_LIBRARY
    ? `No clinician has signed this scenario: it comes with Agent OSCE, approved so that it can be run. ${BEFORE_RELYING}`
    : `Nobody is named who approved this scenario. ${BEFORE_RELYING}`;
}
