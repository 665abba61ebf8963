import { useState, type ReactNode } from 'react';
import { useIsNarrow } from './use-narrow';
import { usePrinting } from './use-printing';

interface Props {
  /** What is below it, in a few words. */
  readonly title: string;
  readonly children: ReactNode;
}

/**
 * On a narrow screen a line that unfolds what is below it; on a wide one, and on paper, just that. The same elements either way:
 * what was typed below stays when a phone is turned.
 */
export function Fold({ title, children }: Props) {
  const isNarrow = useIsNarrow();
  const isPrinting = usePrinting();
  const [isOpen, setOpen] = useState(false);
  const folds = isNarrow && !isPrinting;
  return (
    <details
      className={folds ? 'fold' : 'fold unfolded'}
      open={!folds || isOpen}
      onToggle={({ currentTarget }) => folds && setOpen(currentTarget.open)}
    >
      <summary>{title}</summary>
      <div className="folded">{children}</div>
    </details>
  );
}
