import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { getMe, type Me } from '../api/health';
import { Name } from './untrusted-text';

/** `review`: review; `run`: start, cancel, try; `change`: create, change, delete. */
type Deed = Exclude<keyof Me['may'], 'see_secrets'>;

const TAKES: Readonly<Record<Deed, string>> = {
  review: 'reviewer, runner or admin',
  run: 'runner or admin',
  change: 'admin',
};

function useAsked() {
  return useQuery({ queryKey: ['me'], queryFn: ({ signal }) => getMe(signal), staleTime: 60_000 });
}

/** Who the page acts for: the person who has signed in, or the owner of its key; undefined until the service has answered. */
export function useMe(): Me | undefined {
  return useAsked().data;
}

/** Whether the key has the permission; true while that is unknown, since the service refuses what it does not allow. */
export function useMay(deed: Deed): boolean {
  return useMe()?.may[deed] ?? true;
}

interface Props {
  readonly to: Deed;
  readonly children: ReactNode;
}

/** Shows its children only to holders of a key with the permission. */
export function Offered({ to, children }: Props) {
  return useMay(to) ? children : null;
}

interface AllowedProps extends Props {
  /** What others read in place of the form. */
  readonly otherwise?: ReactNode;
}

/** A form for holders of a key with the permission; others read which role it takes, and what it would show. */
export function Allowed({ to, children, otherwise = null }: AllowedProps) {
  const { data, isPending } = useAsked();
  // While a key is entered again the answer is unknown: a form with what was typed into it stays.
  const [me, setKnown] = useState(data);
  if (data !== undefined && data !== me) setKnown(data);
  // A form that vanishes would be worse than one that appears a moment later.
  if (isPending && me === undefined) return null;
  if (me === undefined || me.may[to]) return children;
  return (
    <>
      <WhyNot to={to} />
      {otherwise}
    </>
  );
}

/** Explains, beside a disabled button, which role the key lacks. */
export function WhyNot({ to }: { readonly to: Deed }) {
  const me = useMe();
  if (me === undefined || me.may[to]) return null;
  return (
    <p className="quiet">
      {me.signed_in ? (
        <>
          You are signed in as <Name>{me.name}</Name>, with the role {me.role}: this takes the role {TAKES[to]}.
        </>
      ) : (
        <>
          Your key “<Name>{me.name}</Name>” has the role {me.role}: this takes a key with the role {TAKES[to]}.
        </>
      )}
    </p>
  );
}
