import type { Request, RequestHandler, Response } from 'express';
import type { Log, Settings, SignInSettings } from '../../platform/config';
import type { AuditDraft } from '../audit/audit.store';
import { requestIdOf } from '../../platform/http';
import { failurePage } from './failure-page';
import { identityIn, roleOfGroups, type Identity } from './identity';
import type { Grant, IdentityProvider } from './identity-provider';
import { callbackOf } from './openid-provider';
import { digestOf, renewInSeconds, type Sessions } from './sessions';
import type { SessionsStore } from './sessions.store';
import { attemptOf, newSecret, safePath, type SignInCookies } from './sign-in-cookies';
import { SignInFailure } from './sign-in-failure';

export const SIGN_IN_PATH = '/auth/sign-in';
const CALLBACK_PATH = '/auth/callback';

/** The two steps of signing in, and the end of it. */
export class SignIn {
  constructor(
    private readonly settings: SignInSettings,
    private readonly serviceKeys: Settings['serviceKeys'],
    private readonly cookies: SignInCookies,
    private readonly sessions: Sessions,
    private readonly store: SessionsStore,
    private readonly provider: IdentityProvider,
    private readonly log: Log,
  ) {}

  /**
   * What a browser is sent to, and sent back to: pages, which answer in HTML and are no part of the API. Every other request is passed
   * on.
   */
  readonly pages: RequestHandler = (request, response, next) => {
    const step = request.path === SIGN_IN_PATH ? this.begin : request.path === CALLBACK_PATH ? this.finish : null;
    if (step === null || request.method !== 'GET') return next();
    response.setHeader('Cache-Control', 'no-store');
    step(request, response).catch((error: unknown) => {
      if (!(error instanceof SignInFailure)) return next(error);
      this.log.warn('A person was not signed in', {
        ...{ problem: error.problem, reason: error.message, address: request.ip, request_id: requestIdOf(request) },
      });
      this.cookies.dropAttempt(response);
      response.status(error.status).type('html').send(failurePage(error.message, SIGN_IN_PATH));
    });
  };

  /** Ends the session of the request; answers where the browser goes next. */
  async end(request: Request, response: Response): Promise<string> {
    const idToken = await this.sessions.end(request);
    this.cookies.dropSession(response);
    try {
      return (await this.provider.endSessionUrl(idToken))?.toString() ?? '/';
    } catch (error) {
      // Here it has ended; the provider's own session ends when it does.
      if (error instanceof SignInFailure) return '/';
      throw error;
    }
  }

  private readonly begin = async (request: Request, response: Response): Promise<void> => {
    const begun = { secret: newSecret(), returnTo: safePath(request.query['return_to']) };
    const url = await this.provider.authorizationUrl(attemptOf(begun));
    this.cookies.giveAttempt(response, begun);
    response.redirect(302, url.toString());
  };

  private readonly finish = async (request: Request, response: Response): Promise<void> => {
    const begun = this.cookies.begunIn(request);
    if (begun === null) throw SignInFailure.notBegunHere();
    const attempt = attemptOf(begun);
    // The library says so too, in words about parameters.
    if (request.query['state'] !== attempt.state) throw SignInFailure.notBegunHere();
    const callback = new URL(callbackOf(this.settings));
    callback.search = new URL(request.originalUrl, 'http://localhost').search;
    const grant = await this.provider.exchange(callback, attempt);
    const secret = await this.admit(request, grant);
    // A session that this browser had before is not left open.
    await this.sessions.end(request);
    this.cookies.dropAttempt(response);
    this.cookies.giveSession(response, secret);
    response.redirect(302, begun.returnTo);
  };

  /** Stores a session for the person; answers the secret of its cookie. @throws SignInFailure when they have no role */
  private async admit(request: Request, grant: Grant): Promise<string> {
    const { issuer, groupsClaim, groups, sessionHours } = this.settings;
    const identity = identityIn(grant.claims, grant.subject, groupsClaim);
    const role = roleOfGroups(identity.groups, groups);
    if (role === null) throw SignInFailure.noRole(identity.name, identity.groups.length, groupsClaim);
    const secret = newSecret();
    await this.store.create(
      {
        ...{ digest: digestOf(secret), issuer, identity, role, grant, hours: sessionHours },
        renewInSeconds: grant.refreshToken === null ? null : renewInSeconds(grant),
        takenNames: this.serviceKeys.map(({ name }) => name),
      },
      (name) => recordOf(request, { ...identity, name }, role),
    );
    return secret;
  }
}

/** Who signed in, from where. */
function recordOf(request: Request, { name }: Identity, role: string): AuditDraft {
  return {
    ...{ who: name, role, address: request.ip ?? null, method: 'GET', route: CALLBACK_PATH, resource: 'sessions' },
    ...{ resource_ids: [], fields: [], request_id: requestIdOf(request), status: 302 },
  };
}
