import type { ClientAuth, Configuration } from 'openid-client';
import type { SignInSettings } from '../../platform/config';
import type { Egress } from '../../platform/egress';
import { groupsIn, type Claims } from './identity';
import { IdentityProvider, type Attempt, type Grant } from './identity-provider';
import { ProviderAway, ProviderCalls } from './provider-calls';
import { SignInFailure } from './sign-in-failure';

const ANSWERS_WITHIN_SECONDS = 10;
/** Of a discovery that failed for want of an answer: it changes nothing and may be asked again. */
const TRIES = 2;

/** Loaded when somebody signs in: most services have no provider, and all of them start. */
type OpenId = typeof import('openid-client');
const openIdClient = (): Promise<OpenId> => import('openid-client');

/** The part of a token response that is used. */
interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string | undefined;
  readonly id_token?: string | undefined;
  claims(): Claims | undefined;
  expiresIn(): number | undefined;
}

/** OpenID Connect by the library that is certified for it: the authorization code with PKCE, state and nonce. */
export class OpenIdProvider extends IdentityProvider {
  private readonly calls: ProviderCalls;
  /** Null until the provider is asked to describe itself, and when it could not: it may be down when this service starts. */
  private configuration: Promise<Configuration> | null = null;

  constructor(
    private readonly settings: SignInSettings,
    egress: Egress,
  ) {
    super();
    this.calls = new ProviderCalls(egress);
  }

  authorizationUrl({ state, nonce, verifier }: Attempt): Promise<URL> {
    return this.asking(async (configuration, openId) =>
      openId.buildAuthorizationUrl(configuration, {
        ...{ scope: this.settings.scopes, state, nonce, redirect_uri: callbackOf(this.settings) },
        ...{ code_challenge: await openId.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      }),
    );
  }

  exchange(callback: URL, { state, nonce, verifier }: Attempt): Promise<Grant> {
    return this.asking(async (configuration, openId) => {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await openId.authorizationCodeGrant(configuration, callback, checks);
      const subject = tokens.claims()?.sub;
      if (subject === undefined) throw SignInFailure.unacceptableToken('there is no ID token');
      return this.grantOf(openId, configuration, tokens, subject);
    });
  }

  refresh(refreshToken: string, subject: string): Promise<Grant> {
    return this.asking(async (configuration, openId) => {
      const tokens = await openId.refreshTokenGrant(configuration, refreshToken);
      const answered = tokens.claims()?.sub ?? subject;
      if (answered !== subject) throw SignInFailure.unacceptableToken('it is about another person');
      return this.grantOf(openId, configuration, tokens, subject);
    });
  }

  endSessionUrl(idToken: string | null): Promise<URL | null> {
    return this.asking((configuration, openId) => {
      if (configuration.serverMetadata().end_session_endpoint === undefined) return Promise.resolve(null);
      const parameters = {
        post_logout_redirect_uri: `${this.settings.publicUrl}/`,
        ...(idToken !== null && { id_token_hint: idToken }),
      };
      return Promise.resolve(openId.buildEndSessionUrl(configuration, parameters));
    });
  }

  close(): Promise<void> {
    return this.calls.close();
  }

  /** Many providers put groups into the ID token; some answer them only when asked about the person. */
  private async grantOf(openId: OpenId, configuration: Configuration, tokens: Tokens, subject: string): Promise<Grant> {
    const signed = tokens.claims() ?? {};
    const isComplete = groupsIn(signed, this.settings.groupsClaim) !== null;
    const mayAsk = !isComplete && configuration.serverMetadata().userinfo_endpoint !== undefined;
    const asked = mayAsk ? await openId.fetchUserInfo(configuration, tokens.access_token, subject) : {};
    return {
      subject,
      // What is signed counts over what is only answered.
      claims: { ...asked, ...signed },
      refreshToken: tokens.refresh_token ?? null,
      idToken: tokens.id_token ?? null,
      expiresInSeconds: tokens.expiresIn() ?? null,
    };
  }

  private async asking<Answer>(
    ask: (configuration: Configuration, openId: OpenId) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await ask(await this.described(), await openIdClient());
    } catch (error) {
      throw failureOf(error, this.settings.issuer);
    }
  }

  /** Asked once at a time: strangers can begin any number of sign-ins while the provider is away. */
  private described(): Promise<Configuration> {
    this.configuration ??= this.discovered().catch((error: unknown) => {
      this.configuration = null;
      throw error;
    });
    return this.configuration;
  }

  private async discovered(): Promise<Configuration> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.discover();
      } catch (error) {
        if (tries >= TRIES || !isAway(error)) throw error;
      }
    }
  }

  private async discover(): Promise<Configuration> {
    const openId = await openIdClient();
    const { issuer, clientId, clientSecret } = this.settings;
    const server = new URL(issuer);
    const isPlain = server.protocol === 'http:';
    return openId.discovery(server, clientId, {}, authenticationBy(openId, clientSecret), {
      [openId.customFetch]: this.calls.fetch,
      timeout: ANSWERS_WITHIN_SECONDS,
      // The settings allow it on loopback only.
      execute: [...(isPlain ? [openId.allowInsecureRequests] : []), openId.enableNonRepudiationChecks],
    });
  }
}

/** Where the provider sends people back to. */
export function callbackOf({ publicUrl }: SignInSettings): string {
  return `${publicUrl}/auth/callback`;
}

/** As OpenID Connect has it by default, unless the provider says that it takes the secret otherwise. */
function authenticationBy(openId: OpenId, secret: string | null): ClientAuth {
  if (secret === null) return openId.None();
  const [basic, post] = [openId.ClientSecretBasic(secret), openId.ClientSecretPost(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...request);
  };
}

/** Read by shape: the library's errors may come from outside a sandbox that runs this code (Jest), so instanceof fails there. */
function failureOf(error: unknown, issuer: string): SignInFailure {
  if (error instanceof SignInFailure) return error;
  if (isAway(error)) return SignInFailure.providerAway(issuer, awayReason(error));
  const refusal = textAt(error, 'error');
  if (refusal !== null) return SignInFailure.providerRefused(textAt(error, 'error_description') ?? refusal);
  return SignInFailure.unacceptableToken(textAt(error, 'message') ?? 'unknown');
}

const NO_ANSWER: ReadonlySet<string | null> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

function isAway(error: unknown): boolean {
  return (
    error instanceof ProviderAway || NO_ANSWER.has(textAt(error, 'code')) || causeOf(error) instanceof ProviderAway
  );
}

function awayReason(error: unknown): string {
  const away = error instanceof ProviderAway ? error : causeOf(error);
  return away instanceof ProviderAway ? away.message : `no answer within ${ANSWERS_WITHIN_SECONDS} s`;
}

function causeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'cause' in error ? error.cause : undefined;
}

function textAt(error: unknown, field: string): string | null {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, field) : null;
  return typeof value === 'string' && value !== '' ? value : null;
}
