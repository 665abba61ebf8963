import type { SignInView } from '../../../contract/sign-in';
import { call } from './client';

/** Whether people sign in, and where. It takes no key. */
export function getSignIn(signal: AbortSignal): Promise<SignInView> {
  return call('GET /api/v1/sign-in', { signal });
}

/** Ends the session of this browser; answers where it goes next. */
export async function signOut(): Promise<string> {
  return (await call('POST /api/v1/sign-out', {})).next;
}
