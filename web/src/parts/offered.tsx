import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { getMe, type Me } from '../api/me';
import { Name } from './untrusted-text';

/** `run`: start, cancel, try, review; `change`: create, change, delete. */
type Deed = keyof Me['may'];

const TAKES: Readonly<Record<Deed, string>> = { run: 'runner or admin', change: 'admin' };

/** Whose key this is; undefined until the service has said so. */
export function useMe(): Me | undefined {
  return useQuery({ queryKey: ['me'], queryFn: ({ signal }) => getMe(signal), staleTime: 60_000 }).data;
}

/** Whether the key may; until that is known, and where it cannot be known, the service says so itself. */
export function useMay(deed: Deed): boolean {
  return useMe()?.may[deed] ?? true;
}

interface Props {
  readonly to: Deed;
  readonly children: ReactNode;
}

/** What somebody whose key may not do it is not offered. */
export function Offered({ to, children }: Props) {
  return useMay(to) ? children : null;
}

/** Beside a button that is disabled for it: why. */
export function WhyNot({ to }: { readonly to: Deed }) {
  const me = useMe();
  if (me === undefined || me.may[to]) return null;
  return (
    <p className="quiet">
      Your key “<Name>{me.name}</Name>” has the role {me.role}: this takes a key with the role {TAKES[to]}.
    </p>
  );
}
