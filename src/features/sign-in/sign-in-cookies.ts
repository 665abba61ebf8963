import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { CookieOptions, Response } from 'express';
import type { SignInSettings } from '../../platform/config';
import type { Attempt } from './identity-provider';

const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;
const ATTEMPT_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
const LONGEST_PATH = 2_000;

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** A sign-in under way in one browser. */
export interface Begun {
  readonly secret: string;
  /** The view of the page that the person wanted to see. */
  readonly returnTo: string;
}

/** The three values of a sign-in come from one secret, which only the browser has: nothing of it is stored here. */
export function attemptOf({ secret }: Begun): Attempt {
  const part = (purpose: string): string => createHash('sha256').update(`${purpose}\n${secret}`).digest('base64url');
  return { state: part('state'), nonce: part('nonce'), verifier: part('verifier') };
}

/** A path of this origin and nothing else: no address of another site, however it is written. */
export function safePath(given: unknown): string {
  if (typeof given !== 'string' || given.length > LONGEST_PATH) return '/';
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(given) && !given.includes('\\') ? given : '/';
}

/**
 * The cookies of signing in. No script can read them; other sites' pages do not send them along with what changes something. Where people
 * come over https, only https carries them, and no neighbouring host can set them (`__Host-`).
 */
export class SignInCookies {
  private readonly session: string;
  private readonly attempt: string;
  private readonly options: CookieOptions;

  constructor(private readonly settings: SignInSettings) {
    const secure = settings.publicUrl.startsWith('https:');
    this.session = `${secure ? '__Host-' : ''}osce_session`;
    this.attempt = `${secure ? '__Host-' : ''}osce_sign_in`;
    this.options = { httpOnly: true, sameSite: 'lax', secure, path: '/' };
  }

  /** What the session's cookie holds; null when there is none of the right form. */
  sessionIn(request: IncomingMessage): string | null {
    const value = cookieOf(request, this.session);
    return value !== null && SECRET.test(value) ? value : null;
  }

  giveSession(response: Response, secret: string): void {
    response.cookie(this.session, secret, { ...this.options, maxAge: this.settings.sessionHours * HOUR_MS });
  }

  dropSession(response: Response): void {
    response.clearCookie(this.session, this.options);
  }

  begunIn(request: IncomingMessage): Begun | null {
    const [secret = '', path = ''] = cookieOf(request, this.attempt)?.split('.') ?? [];
    if (!SECRET.test(secret)) return null;
    return { secret, returnTo: safePath(Buffer.from(path, 'base64url').toString()) };
  }

  giveAttempt(response: Response, { secret, returnTo }: Begun): void {
    const value = `${secret}.${Buffer.from(returnTo).toString('base64url')}`;
    response.cookie(this.attempt, value, { ...this.options, maxAge: ATTEMPT_MS });
  }

  dropAttempt(response: Response): void {
    response.clearCookie(this.attempt, this.options);
  }
}

/** The first of the name. None of ours needs decoding. */
function cookieOf({ headers }: IncomingMessage, name: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at >= 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}
