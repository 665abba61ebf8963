import { useMutation, useQuery } from '@tanstack/react-query';
import { getSignIn, signOut } from '../api/sign-in';
import { serviceKey } from '../api/service-key';
import { Problem } from './problem';

/** Where people sign in and come back to this view from; null where they do not, and while that is unknown. */
export function useSignInAddress(): string | null {
  const asked = useQuery({
    queryKey: ['sign-in'],
    queryFn: ({ signal }) => getSignIn(signal),
    staleTime: Infinity,
  });
  const at = asked.data?.sign_in ?? null;
  return at && `${at}?${new URLSearchParams({ return_to: location.pathname + location.search })}`;
}

/** Leads to the organisation's own sign-in. A key that this tab holds is forgotten: it would count over the session. */
export function SignInButton({ address }: { readonly address: string }) {
  return (
    <a className="button primary" href={address} onClick={() => serviceKey.drop()}>
      Sign in
    </a>
  );
}

export function SignOutButton() {
  const leaving = useMutation({ mutationFn: signOut, onSuccess: (next) => location.assign(next) });
  return (
    <>
      <button type="button" className="link" disabled={leaving.isPending} onClick={() => leaving.mutate()}>
        Sign out
      </button>
      {leaving.error !== null && <Problem error={leaving.error} />}
    </>
  );
}
