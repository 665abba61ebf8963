import { Controller, Header, Inject, Injectable, Module, Req, Res, type OnApplicationShutdown } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import { getSignIn, signOut, type SignedOutView, type SignInView } from '../../../contract/sign-in';
import { SessionHolders } from '../../platform/access';
import { Log, Settings } from '../../platform/config';
import { ADVISORY_LOCKS } from '../../platform/database';
import { Egress } from '../../platform/egress';
import { Serves } from '../../platform/http';
import { Jobs } from '../../platform/jobs';
import { OpenIdProvider } from './openid-provider';
import { NoSessions, Sessions } from './sessions';
import { SessionsStore } from './sessions.store';
import { SIGN_IN_PATH, SignIn } from './sign-in';
import { SignInCookies } from './sign-in-cookies';

const FORGET_EVERY_MS = 10 * 60_000;

/** Everything of signing in, put together from the settings; nothing of it where people do not sign in. */
@Injectable()
export class SigningIn implements OnApplicationShutdown {
  readonly holders: SessionHolders;
  readonly signIn: SignIn | null;
  private readonly provider: OpenIdProvider | null;

  constructor(settings: Settings, store: SessionsStore, egress: Egress, log: Log, jobs: Jobs) {
    const { signIn, serviceKeys } = settings;
    if (signIn === null) {
      this.holders = new NoSessions();
      this.signIn = this.provider = null;
      return;
    }
    const cookies = new SignInCookies(signIn);
    const provider = new OpenIdProvider(signIn, egress);
    const sessions = new Sessions(signIn, cookies, store, provider, log);
    this.provider = provider;
    this.holders = sessions;
    this.signIn = new SignIn(signIn, serviceKeys, cookies, sessions, store, provider, log);
    jobs.addUpkeep({
      name: 'forget sessions that have ended',
      everyMs: FORGET_EVERY_MS,
      lock: ADVISORY_LOCKS.endedSessions,
      round: (inPieces) => inPieces((tx) => store.forgetEnded(tx)),
    });
  }

  /** Passes every request on where people do not sign in. */
  get pages(): RequestHandler {
    return this.signIn?.pages ?? ((_request, _response, next) => next());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.provider?.close();
  }
}

@Controller()
class SignInController {
  constructor(@Inject(SigningIn) private readonly signingIn: SigningIn) {}

  @Header('Cache-Control', 'no-store')
  @Serves(getSignIn)
  get(): SignInView {
    return { sign_in: this.signingIn.signIn === null ? null : SIGN_IN_PATH };
  }

  @Header('Cache-Control', 'no-store')
  @Serves(signOut)
  async end(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<SignedOutView> {
    return { next: (await this.signingIn.signIn?.end(request, response)) ?? '/' };
  }
}

/** People sign in with the identity that their organisation gave them. */
@Module({
  controllers: [SignInController],
  providers: [
    SigningIn,
    { provide: SessionHolders, useFactory: ({ holders }: SigningIn) => holders, inject: [SigningIn] },
  ],
  exports: [SigningIn, SessionHolders],
})
export class SignInModule {}
