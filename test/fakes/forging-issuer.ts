import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What the issuer puts into its next ID token, beside what a right one has. */
export interface Forgery {
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Claims that are left out. */
  readonly without?: readonly string[];
  readonly header?: Readonly<Record<string, unknown>>;
  /** Signs with a key that the issuer does not publish. */
  readonly byAnother?: true;
  /** Changed after it was signed. */
  readonly changed?: true;
  readonly unsigned?: true;
}

export interface ForgingIssuer {
  readonly issuer: string;
  forge(forgery: Forgery): void;
  /** Answers every request to the path so, until it is told otherwise. */
  answer(path: string, how: ((response: ServerResponse) => void) | null): void;
  close(): Promise<void>;
}

const KEY_ID = 'key-1';

/** An issuer of OpenID Connect that signs whatever it is told to: what no honest provider sends. Its login is a redirect. */
export async function startForgingIssuer(clientId: string): Promise<ForgingIssuer> {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let forgery: Forgery = {};
  let nonce = '';
  const instead = new Map<string, (response: ServerResponse) => void>();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const given = instead.get(path);
    if (given !== undefined) given(response);
    else answerTo(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;

  const idToken = (): string => {
    const now = Math.floor(Date.now() / 1_000);
    const right = { iss: issuer, sub: 'mallory', aud: clientId, iat: now, exp: now + 300, nonce, groups: ['platform'] };
    const claims: Record<string, unknown> = { ...right, ...forgery.claims };
    for (const name of forgery.without ?? []) Reflect.deleteProperty(claims, name);
    const key = forgery.byAnother === true ? other.privateKey : own.privateKey;
    const token = signed(
      { alg: 'RS256', kid: KEY_ID, ...forgery.header },
      claims,
      forgery.unsigned === true ? null : key,
    );
    if (forgery.changed !== true) return token;
    const [header, , signature] = token.split('.');
    return [header, encoded({ ...claims, sub: 'somebody-else' }), signature].join('.');
  };

  const answerTo = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', issuer);
    const json = (body: object): void => {
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
    };
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json({
          ...{
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/keys`,
          },
          ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
          id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        });
      case '/keys':
        return json({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: KEY_ID, use: 'sig', alg: 'RS256' }] });
      case '/authorize': {
        nonce = url.searchParams.get('nonce') ?? '';
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        back.search = new URLSearchParams({ code: 'a-code', state: url.searchParams.get('state') ?? '' }).toString();
        return void response.writeHead(302, { location: back.href }).end();
      }
      case '/token':
        request.resume();
        return json({ access_token: 'at', token_type: 'bearer', expires_in: 300, id_token: idToken() });
      default:
        return void response.writeHead(404).end();
    }
  };

  return {
    issuer,
    forge: (next) => (forgery = next),
    answer: (path, how) => (how === null ? instead.delete(path) : instead.set(path, how)),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function signed(header: object, claims: object, key: KeyObject | null): string {
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${key === null ? '' : sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
