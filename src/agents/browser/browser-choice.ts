import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { BrowserProgram } from './browser-program';
import type { BrowserUser } from './browser-user';
import { findBrowser, type BrowserSearchOptions } from './installation';

export interface BrowserOptions extends BrowserSearchOptions {
  /** The setting BROWSER_ALLOW_NO_SANDBOX: a root process may run a browser without a sandbox. */
  readonly allowNoSandbox: boolean;
}

/** A browser that may be started here, and the user it runs as. */
export interface ChosenBrowser {
  /** For messages: its path, or where it comes from. */
  readonly name: string;
  /** Null: the user of the service. */
  readonly user: BrowserUser | null;
  /** Whether it is started with its sandbox, where the system allows one; Chromium has none as root. */
  readonly sandbox: boolean;
  /** @throws Error when it cannot be unpacked */
  prepare(signal: AbortSignal): Promise<BrowserProgram>;
}

export type BrowserChoice =
  | { readonly chosen: ChosenBrowser }
  | {
      readonly chosen: null;
      /** A sentence saying what to do. */
      readonly reason: string;
    };

/**
 * Which browser is driven, and as which user. A page is hostile until proven otherwise, so a service that runs as root runs its
 * browser as a user who owns nothing. Where there is none, the browser would run as root, which Chromium does only without
 * its sandbox: that is refused unless the operator allows it.
 * @param user the user that a service running as root can start it as; null: the service does not run as root
 */
export function chooseBrowser(options: BrowserOptions, user: BrowserUser | null): BrowserChoice {
  const search = findBrowser(options);
  if (search.found === null) return { chosen: null, reason: search.reason };
  const { found } = search;
  const choose = (path: string, as: BrowserUser | null, sandbox: boolean): BrowserChoice => ({
    chosen: { name: found.name, user: as, sandbox, prepare: (signal) => found.prepare(path, signal) },
  });
  const [first = found.name] = found.paths;
  if (user === null) return choose(first, null, true);
  const reachable = user.canReach(tmpdir()) ? found.paths.find((path) => user.canReach(nearest(path))) : undefined;
  if (reachable !== undefined) return choose(reachable, user, true);
  if (options.allowNoSandbox) return choose(first, null, false);
  return {
    chosen: null,
    reason:
      `The service runs as root, and no other user can start ${found.name}: the browser would run as root without a sandbox. ` +
      'Start the service as another user, put the browser and TMPDIR where every user can reach them, ' +
      'or set BROWSER_ALLOW_NO_SANDBOX=true.',
  };
}

/** The part of a path that exists: a browser that is not unpacked yet will be as accessible as the folder it is unpacked into. */
function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path));
}
