import type { Claims } from './identity';

/** What only the browser that began a sign-in knows, and what the provider's answer is compared with. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

/** What a provider vouches for. */
export interface Grant {
  readonly subject: string;
  readonly claims: Claims;
  /** Null when the provider gives none: what it says then holds for the whole session. */
  readonly refreshToken: string | null;
  /** For the provider's own end of a session. */
  readonly idToken: string | null;
  /** How long the provider's tokens hold; null when it does not say. */
  readonly expiresInSeconds: number | null;
}

/** The organisation's provider of identities. Every method throws SignInFailure, and gives up after some seconds. */
export abstract class IdentityProvider {
  /** Where the browser is sent to sign in. */
  abstract authorizationUrl(attempt: Attempt): Promise<URL>;

  /** @param callback the address that the browser was sent back to, with its query */
  abstract exchange(callback: URL, attempt: Attempt): Promise<Grant>;

  /** @param subject of the session: an answer about another person is refused */
  abstract refresh(refreshToken: string, subject: string): Promise<Grant>;

  /** Where the browser ends its session at the provider; null when the provider has no such place. */
  abstract endSessionUrl(idToken: string | null): Promise<URL | null>;
}
