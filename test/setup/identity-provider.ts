import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';

export const CLIENT = { id: 'agent-osce', secret: 'secret-of-the-client-0123456789' } as const;

/** Where people open the page: no request goes there, a spec's browser brings it to the service that it tests. */
export const PUBLIC_URL = 'http://osce.localhost';

export interface ProviderOptions {
  readonly port?: number;
  readonly clientSecret?: string | null;
  readonly inIdToken?: boolean;
  readonly publicUrl?: string;
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** `oidc-provider` in a process of its own. */
export class TestIdentityProvider {
  private constructor(
    readonly issuer: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(options: ProviderOptions = {}): Promise<TestIdentityProvider> {
    const { clientSecret = CLIENT.secret, inIdToken = true, publicUrl = PUBLIC_URL } = options;
    const port = options.port ?? (await freePort());
    const told = {
      ...{ port, clientId: CLIENT.id, clientSecret, inIdToken },
      ...{ redirectUri: `${publicUrl}/auth/callback`, afterLogout: `${publicUrl}/` },
    };
    const program = join(__dirname, '..', 'fakes', 'identity-provider-program.ts');
    // What it prints warns of what only a test may do.
    const child = fork(program, [JSON.stringify(told)], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`The provider of identities ended with ${String(code)} before it listened.`);
    });
    await Promise.race([once(child, 'message'), ended]);
    return new TestIdentityProvider(`http://127.0.0.1:${port}`, child);
  }

  /** Says which groups an account has from now on; null: no claim about groups at all. */
  async account(login: string, groups: readonly string[] | null, claims: object = {}): Promise<void> {
    const noted = once(this.child, 'message');
    this.child.send({ login, groups, claims });
    await noted;
  }

  /** As a machine that loses its power. Idempotent. */
  async close(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }
}

/** The settings of a service that signs people in there. */
export function signInVariables({ issuer }: { readonly issuer: string }): Record<string, string> {
  return {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_SCOPES: 'openid profile groups',
    OIDC_VIEWERS: 'ward staff, auditors',
    OIDC_REVIEWERS: 'clinicians',
    OIDC_RUNNERS: 'night-shift',
    OIDC_ADMINS: 'platform',
    PUBLIC_URL,
  };
}
