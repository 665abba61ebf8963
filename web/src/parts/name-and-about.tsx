import { Link } from 'wouter';
import { Name } from './untrusted-text';
import { visibleText } from './visible-parts';

interface Props {
  readonly href: string;
  readonly name: string;
  /** Null for nothing. */
  readonly about: string | null;
}

/** A row's name and description on one line; where either is cut, its title holds the whole text. */
export function NameAndAbout({ href, name, about }: Props) {
  return (
    <span className="named">
      <Link href={href} className="cut" title={visibleText(name)}>
        <Name>{name}</Name>
      </Link>
      {about !== null && (
        <span className="about cut" title={visibleText(about)}>
          <Name>{about}</Name>
        </span>
      )}
    </span>
  );
}
