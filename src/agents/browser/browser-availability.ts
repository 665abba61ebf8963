import type { Availability } from '../provider';
import type { BrowserChoice } from './browser-choice';

/**
 * What start-run and health report about the browser.
 * @param hasSandbox as of its last start, or as the kernel suggests before the first one; null where neither is known
 */
export function describeBrowser(choice: BrowserChoice, hasSandbox: boolean | null): Availability {
  if (choice.chosen === null) return { available: false, reason: choice.reason };
  const { name, user, sandbox } = choice.chosen;
  const driven = `Browser agents are examined with ${name}`;
  if (!sandbox) {
    const exposed = 'as root and without a sandbox, as BROWSER_ALLOW_NO_SANDBOX allows';
    return { available: true, isLimited: true, detail: `${driven}, ${exposed}: ${RISK}.` };
  }
  const as = user === null ? '' : `, as user ${user.uid}, who owns nothing`;
  if (hasSandbox !== false)
    return { available: true, detail: `${driven}${as}${hasSandbox ? ', in its sandbox' : ''}.` };
  const denied = 'without a sandbox: this system does not let its user open a user namespace and change the root in it';
  return { available: true, isLimited: true, detail: `${driven}${as}, ${denied}; ${RISK}.` };
}

const RISK = 'a page that breaks out of the browser can do everything that this user can';
