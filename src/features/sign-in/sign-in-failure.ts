import { sentenceWithin } from '../../domain';

/** Why a sign-in, or the renewal of one, did not succeed. */
export type SignInProblem =
  /** The provider could not be reached, or could not serve. */
  | 'provider away'
  /** The provider said no: the person declined, the code was used before, the account was disabled. */
  | 'provider refused'
  /** What the provider sent is not for this sign-in, not for this service, or not by the provider. */
  | 'unacceptable token'
  /** The browser did not begin this sign-in, or began it too long ago. */
  | 'not begun here'
  /** No group of the person has a role. */
  | 'no role';

const STATUS: Readonly<Record<SignInProblem, number>> = {
  'provider away': 503,
  'provider refused': 403,
  'unacceptable token': 400,
  'not begun here': 400,
  'no role': 403,
};

const LONGEST_CAUSE = 300;

/** A person was not signed in. The message is for them; it holds no token, code or secret. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';
  /** The HTTP status of the page that says so. */
  readonly status: number;

  private constructor(
    readonly problem: SignInProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = STATUS[problem];
  }

  static providerAway(issuer: string, why: string): SignInFailure {
    return new SignInFailure(
      'provider away',
      `The provider of identities at ${hostOf(issuer)} cannot be reached now (${shown(why)}): try again in a minute. If it stays so, an operator looks at OIDC_ISSUER and the network.`,
    );
  }

  static providerRefused(why: string): SignInFailure {
    return new SignInFailure(
      'provider refused',
      `The provider of identities did not confirm the sign-in (${shown(why)}): sign in again, or ask those who manage the accounts there.`,
    );
  }

  static unacceptableToken(why: string): SignInFailure {
    return new SignInFailure(
      'unacceptable token',
      `What the provider of identities sent is not accepted (${shown(why)}): sign in again. If it stays so, an operator compares OIDC_ISSUER, OIDC_CLIENT_ID and the clocks.`,
    );
  }

  static notBegunHere(): SignInFailure {
    return new SignInFailure(
      'not begun here',
      'This sign-in was not begun in this browser within the last ten minutes, or another one was begun since: sign in again.',
    );
  }

  static noRole(name: string, groups: number, claim: string): SignInFailure {
    const has =
      groups === 0
        ? `the provider of identities named no group of yours in the claim "${claim}"`
        : groups === 1
          ? 'the one group that the provider of identities named has no role here'
          : `none of the ${groups} groups that the provider of identities named has a role here`;
    return new SignInFailure(
      'no role',
      `You are ${name}, and ${has}: ask for membership of a group that OIDC_VIEWERS, OIDC_REVIEWERS, OIDC_RUNNERS or OIDC_ADMINS names.`,
    );
  }
}

function hostOf(issuer: string): string {
  return new URL(issuer).host;
}

function shown(why: string): string {
  return sentenceWithin(why).slice(0, LONGEST_CAUSE);
}
