import type { Frame, Page } from 'playwright-core';
import { ProviderError } from '../errors';
import { namesOfFields, textsOf } from './page-functions';

const CAPTCHA = [
  'iframe[src*="captcha" i]',
  'iframe[src*="challenges.cloudflare.com"]',
  '#challenge-form, #challenge-running, #cf-challenge-running',
  '.g-recaptcha:not([data-size="invisible"]), .h-captcha, .cf-turnstile',
].join(', ');

/** Fields for a user's name or address, as a login's first step asks for them. */
const IDENTIFIER = [
  'input[type="email"]',
  'input[autocomplete~="username" i], input[autocomplete~="email" i]',
  'input[name^="user" i], input[name^="login" i], input[name^="email" i], input[name="identifier"]',
].join(', ');
const FIELD = 'input:not([type]), input[type="text"], input[type="tel"]';
/** The words of fields that say so only beside or within them. */
const IDENTIFIER_WORDS =
  /\b(e-?mail|user ?name|user ?id|benutzername|nom d.utilisateur|identifiant|usuario|nome utente|gebruikersnaam)\b/i;
const LOGIN_WORDS =
  /\b((sign|log)[ -]?(in|on)|anmelden|einloggen|se connecter|connexion|iniciar sesi[oó]n|accedi|inloggen)\b/i;
/** Buttons that lead to a login elsewhere; a plain "Log in" stands on many pages that are no login. */
const LOGIN_ELSEWHERE =
  /\b(continue|sign[ -]?in|log[ -]?in|weiter|anmelden|continuer|se connecter|continuar) (with|using|mit|avec|con) \S/i;

const MAX_FRAMES = 20;
const MOST_LOOKED_AT = 50;
/** Longer texts are no names of buttons. */
const LONGEST_NAME = 80;

/**
 * Why a page shows no input for messages: a login or a check for robots is in the way. Null when it is neither.
 * @param asked the address in the config
 */
export async function findWall(page: Page, asked: URL): Promise<ProviderError | null> {
  const { passwords, checks } = await wallsOn(page);
  if (passwords > 0) return behindLogin('The page asks for a password');
  if (checks > 0) {
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

/**
 * The same for a page that has had all the time it needs to show an input, and has shown none: then the first step of a login,
 * which asks for the user's name, and the way to a login elsewhere count too. A chat may have them beside it.
 */
export async function findLogin(page: Page, asked: URL): Promise<ProviderError | null> {
  const wall = await findWall(page, asked);
  if (wall !== null) return wall;
  for (const frame of page.frames().slice(0, MAX_FRAMES)) {
    const sign = await loginIn(frame);
    if (sign !== null) return behindLogin(`The page shows a login and no chat (${sign})`);
  }
  return null;
}

/** How many fields for passwords and checks for robots a page shows. */
export async function wallsOn(page: Page): Promise<{ readonly passwords: number; readonly checks: number }> {
  const counts = await Promise.all(
    page
      .frames()
      .slice(0, MAX_FRAMES)
      .map(async (frame) => ({
        passwords: await frame.locator('input[type="password"]').filter({ visible: true }).count(),
        checks: await frame.locator(CAPTCHA).filter({ visible: true }).count(),
      })),
  );
  return {
    passwords: counts.reduce((sum, { passwords }) => sum + passwords, 0),
    checks: counts.reduce((sum, { checks }) => sum + checks, 0),
  };
}

async function loginIn(frame: Frame): Promise<string | null> {
  if ((await frame.locator(IDENTIFIER).filter({ visible: true }).count()) > 0) return ASKS_WHO;
  const fields = await frame.locator(FIELD).filter({ visible: true }).evaluateAll(namesOfFields, MOST_LOOKED_AT);
  if (fields.some((name) => IDENTIFIER_WORDS.test(name.slice(0, LONGEST_NAME)))) return ASKS_WHO;
  const named = async (selector: string, words: RegExp): Promise<boolean> => {
    const shown = await frame.locator(selector).filter({ visible: true }).evaluateAll(textsOf, MOST_LOOKED_AT);
    return shown.some((text) => text.length <= LONGEST_NAME && words.test(text));
  };
  if (await named('button, a, [role="button"], input[type="submit"]', LOGIN_ELSEWHERE))
    return 'it leads to one elsewhere';
  return (await named('h1, h2, legend', LOGIN_WORDS)) ? 'its heading says so' : null;
}

const ASKS_WHO = 'it asks for an e-mail address or a user name';

function behindLogin(what: string): ProviderError {
  return new ProviderError(
    'auth_failed',
    `${what}: log in once and set storage_state (cookies and local storage) in the agent's config.`,
  );
}
