import type { Environment } from './environment';
import { isOnLoopback } from './host-name';
import { SettingsError } from './setting-values';
import { ROLES, type Role } from '../../../contract/operation';

/** How people sign in with the identity that their organisation gave them. */
export interface SignInSettings {
  /** The address that the provider calls itself by, exactly. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client, which shows by PKCE alone that it began the sign-in. */
  readonly clientSecret: string | null;
  /** Separated by spaces. */
  readonly scopes: string;
  /** The claim that lists the groups of a person. */
  readonly groupsClaim: string;
  /** The groups whose members have the role. */
  readonly groups: Readonly<Record<Role, readonly string[]>>;
  readonly sessionHours: number;
  /** PUBLIC_URL: the provider sends people back there. */
  readonly publicUrl: string;
}

const LISTS = {
  viewer: 'OIDC_VIEWERS',
  reviewer: 'OIDC_REVIEWERS',
  runner: 'OIDC_RUNNERS',
  admin: 'OIDC_ADMINS',
} as const satisfies Readonly<Record<Role, keyof Environment>>;

const NAMES_OF_LISTS = ROLES.map((role) => LISTS[role]).join(', ');

/** Null where people do not sign in. @throws SettingsError for settings that do not go together */
export function signInSettingsOf(environment: Environment): SignInSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = environment;
  if (issuer === undefined) {
    const other = [...Object.values(LISTS), 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'].find((name) =>
      isSet(environment, name),
    );
    if (other === undefined) return null;
    throw new SettingsError(
      `${other} is set and OIDC_ISSUER is not: set it to the address of your provider of identities.`,
    );
  }
  if (isOfEveryOrganisation(issuer)) {
    throw new SettingsError(
      'OIDC_ISSUER names every organisation that Entra ID knows, so that people of any of them could sign in: put the id of your tenant in place of common, organizations or consumers.',
    );
  }
  if (clientId === undefined) {
    throw new SettingsError(
      'OIDC_ISSUER is set and OIDC_CLIENT_ID is not: register this service with the provider and set it to the id of the client.',
    );
  }
  const publicUrl = environment.PUBLIC_URL?.replace(/\/+$/, '');
  if (publicUrl === undefined) {
    throw new SettingsError(
      'OIDC_ISSUER is set and PUBLIC_URL is not: the provider sends people back to PUBLIC_URL/auth/callback, so set it to where they open the page.',
    );
  }
  if (!keepsSessions(publicUrl)) {
    throw new SettingsError(
      'PUBLIC_URL must be https where people sign in: over http whoever carries their requests reads the cookie of their session. On this machine alone, http is taken too.',
    );
  }
  const scopes = environment.OIDC_SCOPES.split(/\s+/);
  if (!scopes.includes('openid'))
    throw new SettingsError('OIDC_SCOPES must contain openid: without it there is no identity.');
  const groups = {
    viewer: environment.OIDC_VIEWERS,
    reviewer: environment.OIDC_REVIEWERS,
    runner: environment.OIDC_RUNNERS,
    admin: environment.OIDC_ADMINS,
  };
  if (ROLES.every((role) => groups[role].length === 0)) {
    throw new SettingsError(
      `OIDC_ISSUER is set and no group has a role, so that no person could do anything: set one of ${NAMES_OF_LISTS}.`,
    );
  }
  return Object.freeze({
    ...{ issuer, clientId, clientSecret: clientSecret ?? null, scopes: scopes.join(' '), publicUrl },
    ...{ groupsClaim: environment.OIDC_GROUPS_CLAIM, groups, sessionHours: environment.SESSION_HOURS },
  });
}

/** Browsers take names below `localhost` for this machine (RFC 6761, section 6.3). */
function keepsSessions(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return protocol === 'https:' || isOnLoopback(host) || host.endsWith('.localhost');
}

const EVERY_ORGANISATION = new Set(['common', 'organizations', 'consumers']);

/** Entra ID then issues tokens under the name of whichever tenant the person is of, who also names their groups and app roles. */
function isOfEveryOrganisation(issuer: string): boolean {
  const { hostname, pathname } = new URL(issuer);
  const [tenant = ''] = pathname.split('/').filter((part) => part !== '');
  return hostname === 'login.microsoftonline.com' && EVERY_ORGANISATION.has(tenant.toLowerCase());
}

function isSet(environment: Environment, name: string): boolean {
  const value: unknown = Reflect.get(environment, name);
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}
