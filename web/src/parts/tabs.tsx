import { Link } from 'wouter';

interface Tab {
  readonly href: string;
  readonly label: string;
  readonly isCurrent: boolean;
}

interface Props {
  /** For a screen reader. */
  readonly label: string;
  readonly tabs: readonly Tab[];
}

/** Views of one thing, each with its own address. */
export function Tabs({ label, tabs }: Props) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ href, label: name, isCurrent }) => (
        <Link key={href} href={href} {...(isCurrent && { 'aria-current': 'page' as const })}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
