import { useEffect, type ReactNode } from 'react';
import { Link } from 'wouter';
import { visibleText } from './visible-parts';
import { Name } from './untrusted-text';

interface Props {
  readonly title: string;
  /** Where this view belongs. */
  readonly above?: { readonly href: string; readonly label: string };
  /** Actions of the view. */
  readonly children?: ReactNode;
  readonly lead?: ReactNode;
}

/** The heading of a view; also the title of the window. */
export function PageHead({ title, above, lead, children }: Props) {
  useEffect(() => {
    document.title = `${visibleText(title)} · Agent OSCE`;
  }, [title]);
  return (
    <div className="page-head">
      <div>
        {above && (
          <p className="above">
            <Link href={above.href}>
              <span aria-hidden="true">← </span>
              <Name>{above.label}</Name>
            </Link>
          </p>
        )}
        <h1 title={visibleText(title)}>
          <Name>{title}</Name>
        </h1>
        {lead !== undefined && <p className="lead">{lead}</p>}
      </div>
      {children !== undefined && <div className="actions">{children}</div>}
    </div>
  );
}
