/**
 * People sign in with the identity that their organisation gave them (OpenID Connect), and are callers with a role by their groups. The
 * provider is behind a port; sessions are rows.
 */

export { SignInModule, SigningIn } from './sign-in.module';
export { SessionsStore } from './sessions.store';
