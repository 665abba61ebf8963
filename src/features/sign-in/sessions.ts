import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SessionHolders, type Caller, type Shown } from '../../platform/access';
import { Remembered, RecentMap } from '../../platform/concurrency';
import type { Log, SignInSettings } from '../../platform/config';
import { identityIn, roleOfGroups } from './identity';
import type { Grant, IdentityProvider } from './identity-provider';
import { SessionsStore, type Renewal, type SessionState } from './sessions.store';
import type { SignInCookies } from './sign-in-cookies';
import { SignInFailure } from './sign-in-failure';

/** A session that was ended through another process opens this one for so long at most. */
const FRESH_MS = 2_000;
const MOST_REMEMBERED = 10_000;
/** The provider is asked again when its tokens end, but neither all the time nor so seldom that leaving a group has no effect. */
const RENEW_AFTER_SECONDS = { least: 60, most: 3_600, usual: 900 };
const AWAY_AGAIN_SECONDS = 60;

const UNKNOWN = 'Your session is not known any more: sign in again.';

/** When the provider is asked about a session again, in seconds. */
export function renewInSeconds({ expiresInSeconds }: Grant): number {
  const { least, most, usual } = RENEW_AFTER_SECONDS;
  return Math.min(most, Math.max(least, Math.floor(expiresInSeconds ?? usual)));
}

/** Recognises people by their sessions, and asks the provider again whether it still vouches for them. */
export class Sessions extends SessionHolders {
  private readonly known = new RecentMap<Remembered<Looked>>(MOST_REMEMBERED);
  private readonly callers = new RecentMap<Caller>(MOST_REMEMBERED);

  constructor(
    private readonly settings: SignInSettings,
    private readonly cookies: SignInCookies,
    private readonly store: SessionsStore,
    private readonly provider: IdentityProvider,
    private readonly log: Log,
  ) {
    super();
  }

  isShownBy(request: IncomingMessage): boolean {
    return this.cookies.sessionIn(request) !== null;
  }

  async holderOf(request: IncomingMessage): Promise<Shown | null> {
    const secret = this.cookies.sessionIn(request);
    if (secret === null) return null;
    const { state } = await this.lookedUp(digestOf(secret));
    if (state === null) return { kind: 'refused', why: UNKNOWN };
    const why = this.whyEnded(state);
    return why === null ? { kind: 'known', caller: this.callerOf(state) } : { kind: 'refused', why };
  }

  /** Ends the session that the request shows; answers its ID token, null when there is none. */
  async end(request: IncomingMessage): Promise<string | null> {
    const secret = this.cookies.sessionIn(request);
    if (secret === null) return null;
    const digest = digestOf(secret);
    const idToken = await this.store.end(digest, this.settings.issuer);
    this.known.delete(digest.toString('hex'));
    return idToken;
  }

  private lookedUp(digest: Buffer): Promise<Looked> {
    const name = digest.toString('hex');
    const known = this.known.get(name) ?? new Remembered(() => this.lookUp(digest), FRESH_MS);
    this.known.set(name, known);
    return known.get();
  }

  private async lookUp(digest: Buffer): Promise<Looked> {
    const { issuer } = this.settings;
    const state = await this.store.find(digest, issuer);
    if (state === null || !state.is_due || this.whyEnded(state) !== null) return { state };
    const renewal = await this.store.claimRenewal(state.id);
    // Another process asks: until it knows, what was said before holds. Or it has ended now.
    if (renewal === null) return { state: await this.store.find(digest, issuer) };
    await this.renew(renewal, state);
    return { state: await this.store.find(digest, issuer) };
  }

  private async renew(renewal: Renewal, { subject, name }: SessionState): Promise<void> {
    const { groupsClaim, groups } = this.settings;
    try {
      const grant = await this.provider.refresh(renewal.refreshToken, subject);
      const role = roleOfGroups(identityIn(grant.claims, subject, groupsClaim).groups, groups);
      if (role === null) await this.store.endBecause(renewal, 'no role');
      else await this.store.renewed(renewal, role, grant, renewInSeconds(grant));
    } catch (error) {
      if (!(error instanceof SignInFailure)) throw error;
      this.log.warn('A session was not renewed', { problem: error.problem, reason: error.message, who: name });
      if (error.problem === 'provider away') await this.store.away(renewal, AWAY_AGAIN_SECONDS);
      else await this.store.endBecause(renewal, 'refused');
    }
  }

  private whyEnded({ name, ended_because, is_expired, was_away }: SessionState): string | null {
    if (ended_because === 'refused') {
      return `The provider of identities no longer confirms the session of ${name}: sign in again.`;
    }
    if (ended_because === 'no role') {
      return `No group of ${name} has a role here any more: ask for membership of one, then sign in again.`;
    }
    if (ended_because === 'not decrypted') {
      return `What keeps the session of ${name} going cannot be decrypted with the SECRETS_KEY of this service: sign in again.`;
    }
    if (!is_expired) return null;
    const away = was_away ? ' The provider of identities could not be reached to renew it.' : '';
    return `The session of ${name} has ended after ${this.settings.sessionHours} h: sign in again.${away}`;
  }

  /** The same object for as long as nothing about it changes, also where the person has another session with another role: what counts streams and requests of a caller counts by it. */
  private callerOf({ person_id, name, role }: SessionState): Caller {
    const place = `${person_id} ${role}`;
    const known = this.callers.get(place);
    if (known?.name === name) return known;
    const caller: Caller = Object.freeze({ id: `person ${person_id}`, name, role, isPerson: true });
    this.callers.set(place, caller);
    return caller;
  }
}

/** Where people do not sign in, there are no sessions. */
export class NoSessions extends SessionHolders {
  isShownBy(): boolean {
    return false;
  }

  holderOf(): Promise<null> {
    return Promise.resolve(null);
  }
}

interface Looked {
  readonly state: SessionState | null;
}

export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
