import Provider, { type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { z } from 'zod';

/** A real provider of OpenID Connect in a process of its own, with a form that believes every login. It is told who is in which groups. */

const told = z.object({
  port: z.number(),
  clientId: z.string(),
  /** Null: a public client. */
  clientSecret: z.string().nullable(),
  redirectUri: z.string(),
  afterLogout: z.string(),
  /** Whether groups are in the ID token; otherwise only where the provider is asked about the person. */
  inIdToken: z.boolean(),
});

const account = z.object({
  login: z.string(),
  groups: z.array(z.string()).nullable(),
  claims: z.record(z.string(), z.unknown()),
});

const { port, clientId, clientSecret, redirectUri, afterLogout, inIdToken } = told.parse(
  JSON.parse(process.argv[2] ?? ''),
);
const accounts = new Map<string, z.infer<typeof account>>();

const configuration: Configuration = {
  clients: [
    {
      client_id: clientId,
      ...(clientSecret === null ? { token_endpoint_auth_method: 'none' } : { client_secret: clientSecret }),
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [afterLogout],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  ],
  claims: { openid: ['sub'], profile: ['preferred_username'], groups: ['groups'] },
  scopes: ['openid', 'profile', 'groups'],
  conformIdTokenClaims: !inIdToken,
  pkce: { required: () => true },
  issueRefreshToken: () => Promise.resolve(true),
  // One that is used twice ends the sign-in.
  rotateRefreshToken: true,
  cookies: { keys: ['a key of tests'] },
  features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
  ttl: {
    AccessToken: 300,
    AuthorizationCode: 60,
    IdToken: 300,
    RefreshToken: 3_600,
    Interaction: 300,
    Session: 3_600,
    Grant: 3_600,
  },
  findAccount: (_context: KoaContextWithOIDC, id: string) => {
    const { groups, claims } = accounts.get(id) ?? { groups: null, claims: {} };
    // The provider knows everybody under an id of its own.
    return {
      accountId: id,
      claims: () => ({ sub: id, preferred_username: id, ...claims, ...(groups !== null && { groups }) }),
    };
  },
};

const provider = new Provider(`http://127.0.0.1:${port}`, configuration);
process.on('message', (message) => {
  const given = account.parse(message);
  accounts.set(given.login, given);
  process.send?.('noted');
});
provider.listen(port, '127.0.0.1', () => process.send?.('listening'));
process.on('disconnect', () => process.exit());
