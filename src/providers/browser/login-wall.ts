import type { Page } from 'playwright-core';
import { ProviderError } from '../errors';

const CAPTCHA = [
  'iframe[src*="captcha" i]',
  'iframe[src*="challenges.cloudflare.com"]',
  '#challenge-form, #challenge-running, #cf-challenge-running',
  '.g-recaptcha:not([data-size="invisible"]), .h-captcha, .cf-turnstile',
].join(', ');

/**
 * Why a page shows no input for messages: a login or a check for robots is in the way. Null when it is neither.
 * @param asked the address in the config
 */
export async function findWall(page: Page, asked: URL): Promise<ProviderError | null> {
  const scopes = page.frames().slice(0, 20);
  const counts = await Promise.all(
    scopes.map(async (frame) => ({
      passwords: await frame.locator('input[type="password"]').filter({ visible: true }).count(),
      checks: await frame.locator(CAPTCHA).filter({ visible: true }).count(),
    })),
  );
  if (counts.some(({ passwords }) => passwords > 0)) {
    return behindLogin('The page asks for a password');
  }
  if (counts.some(({ checks }) => checks > 0)) {
    return new ProviderError(
      'auth_failed',
      'The page shows a check for robots (CAPTCHA), which the harness does not solve: let the harness through, or give the ' +
        'agent a storage_state in which it is passed.',
    );
  }
  const shown = URL.canParse(page.url()) ? new URL(page.url()).origin : asked.origin;
  if (shown !== asked.origin) return behindLogin(`The page sent the browser to ${shown}, which shows no chat`);
  return null;
}

function behindLogin(what: string): ProviderError {
  return new ProviderError(
    'auth_failed',
    `${what}: log in once and set storage_state (cookies and local storage) in the agent's config.`,
  );
}
