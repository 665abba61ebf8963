import type { ReactNode } from 'react';

/** Shown in place of an empty list, with what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
