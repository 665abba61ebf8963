import type { ReactNode } from 'react';
import { useIsNarrow } from './use-narrow';
import { usePrinting } from './use-printing';

interface Props {
  /** What is below it, in a few words. */
  readonly title: string;
  readonly children: ReactNode;
}

/** On a narrow screen a line that unfolds what is below it; on a wide one, and on paper, just that. */
export function Fold({ title, children }: Props) {
  const isNarrow = useIsNarrow();
  const isPrinting = usePrinting();
  if (!isNarrow || isPrinting) return children;
  return (
    <details className="fold">
      <summary>{title}</summary>
      <div className="stack">{children}</div>
    </details>
  );
}
