import { Name } from './untrusted-text';

/** Characters that are enough to tell two hashes apart by eye. */
const SHOWN = 10;

/** The beginning of a hash; its title is the whole of it. */
export function ShortHash({ of }: { readonly of: string }) {
  return (
    <span className="code" title={of}>
      <Name>{of.slice(0, SHOWN)}</Name>
    </span>
  );
}
