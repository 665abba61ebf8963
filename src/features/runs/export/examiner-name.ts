import type { Examiner } from '../../../engine/ledger/findings';

/** "anthropic claude-…", or "offline"; null when it is not known who examined. */
export function calledOf(examiner: Pick<Examiner, 'name' | 'model'> | null | undefined): string | null {
  if (!examiner) return null;
  return examiner.model === null ? examiner.name : `${examiner.name} ${examiner.model}`;
}
