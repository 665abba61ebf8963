import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { BrowserProgram } from './browser-program';
import type { BrowserUser } from './browser-user';
import { findBrowser, type BrowserSearchOptions } from './installation';

export interface BrowserOptions extends BrowserSearchOptions {
  /** The setting BROWSER_ALLOW_NO_SANDBOX: a root process may hold a browser that nothing keeps in. */
  readonly allowNoSandbox: boolean;
}

/** A browser that may be started here, and as whom. */
export interface ChosenBrowser {
  /** For sentences: its path, or where it comes from. */
  readonly name: string;
  /** Null: the user of the service. */
  readonly user: BrowserUser | null;
  /** Whether it is started with its sandbox, if the system grants one; Chromium has none as root. */
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
 * Which browser is driven, and as whom. A page is hostile until proven otherwise, so a service that runs as root hands its
 * browser to a user who owns nothing. Where there is none, the browser would run as root, which Chromium does only without
 * its sandbox: that is refused unless the operator allows it.
 * @param user whom a service that runs as root can hand it to; null: the service does not run as root
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

/** What exists of a path: a browser that is not unpacked yet will be as easy to reach as the folder it comes to lie in. */
function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path));
}
