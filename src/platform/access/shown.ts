import type { IncomingMessage } from 'node:http';
import type { Caller } from './caller';

/** What a request shows of its sender: a caller, or something that opens nothing any more, with a sentence why. */
export type Shown =
  { readonly kind: 'known'; readonly caller: Caller } | { readonly kind: 'refused'; readonly why: string };

/** Who holds which key, besides those of the settings. */
export abstract class KeyHolders {
  /**
   * @param key as the request sent it
   * @returns null when it is no key of this service
   * @throws when that cannot be looked up now
   */
  abstract holderOf(key: string): Promise<Shown | null>;
}

/** Who has signed in with which session. */
export abstract class SessionHolders {
  /** Whether the request shows a session, of this service or not. */
  abstract isShownBy(request: IncomingMessage): boolean;

  /**
   * @returns null when it is no session of this service
   * @throws when that cannot be looked up now
   */
  abstract holderOf(request: IncomingMessage): Promise<Shown | null>;
}
