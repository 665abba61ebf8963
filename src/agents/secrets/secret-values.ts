import { parseConfigJson } from '../agent-json';
import { isPlaceholder } from '../placeholders';
import { MIN_LENGTH } from './secret-forms';
import { secretsOfAddress } from './secret-address';
import { isBesideSecrets, isSecretName, secretPlacesIn } from './secret-names';

/** Parts of a config whose values may be credentials, whatever their names. */
const CARRIED_PART = /^(headers|token_?headers|token_?body|custom_?parameters|cookies)$/i;
const LOGIN = /^storage_?state$/i;

/** Values that only accompany credentials: what every client sends, and words that an agent says too. */
const MEDIA_TYPE = /^(application|text|image|multipart)\/|^\*\/\*$/i;
const WORDS = /^(\p{Lu}?\p{Ll}{0,17}|\p{Lu}{1,11})([ ,.;]{1,3}(\p{Lu}?\p{Ll}{1,17}|\p{Lu}{1,11}))*$/u;

/** The most secrets of one config: first values named as secrets, then what requests carry, last what a login left in a browser. */
const MAX_VALUES = 100;
const MAX_DEPTH = 20;
/** The beginning of a URL, after characters that a URL parser passes over. Looking at a long text in vain is expensive. */
const BEGINS_AS_URL = /^[\0- ]*[a-z][a-z\d+.\t\n\r-]*:/i;

/** Why a value counts as a secret: by its name, or because of where it is. */
type Suspicion = 'none' | 'named' | 'carried' | 'login';

/** The secret values of a config; of more than MAX_VALUES, the likeliest ones. */
export function secretValuesOf(config: Readonly<Record<string, unknown>>): readonly string[] {
  const found = new FoundSecrets();
  found.collect(config, 'none', '', 0);
  return found.values;
}

/**
 * The longest a secret may be: no key, token or cookie comes near it (a server takes 8 to 16 KB of headers), and what an agent says is compared
 * with all its written forms.
 */
export const LONGEST_SECRET = 16_384;

/** The fields of a config whose secrets are longer; not a browser's login, where pages keep whatever they like. */
export function fieldsWithLongSecrets(config: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(config).filter((key) => {
    const secrets = LOGIN.test(key) ? [] : secretValuesOf({ [key]: config[key] });
    return secrets.some(({ length }) => length > LONGEST_SECRET);
  });
}

class FoundSecrets {
  private readonly found = { named: new Set<string>(), carried: new Set<string>(), login: new Set<string>() };

  get values(): readonly string[] {
    const { named, carried, login } = this.found;
    return [...new Set([...named, ...carried, ...login])].slice(0, MAX_VALUES);
  }

  collect(value: unknown, suspicion: Suspicion, name: string, depth: number): void {
    if (depth > MAX_DEPTH) return;
    if (typeof value === 'string') this.note(value, suspicion, name, depth);
    else if (typeof value === 'number') this.add(String(value), suspicion, name);
    else if (Array.isArray(value)) for (const item of value) this.collect(item, suspicion, name, depth + 1);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        this.collect(item, suspicionOf(key, suspicion), key, depth + 1);
      }
    }
  }

  private note(text: string, suspicion: Suspicion, name: string, depth: number): void {
    const document = suspicion === 'login' ? documentIn(text) : null;
    if (document !== null) return this.collect(document, suspicion, name, depth + 1);
    const url = BEGINS_AS_URL.test(text) && URL.canParse(text) ? new URL(text) : null;
    if (url !== null) for (const secret of secretsOfAddress(text)) this.found.named.add(secret);
    // An address is widely known; its path and query may not be.
    if (url !== null && url.host !== '' && url.pathname + url.search + url.hash === '/') return;
    this.add(text, suspicion, name);
    if (name === 'body' && suspicion === 'none') {
      for (const { start, end } of secretPlacesIn(text)) this.add(text.slice(start, end), 'named', name);
    }
    const parts = suspicion === 'named' ? partsOf(text, name) : [];
    for (const part of parts) if (!isPlaceholder(part)) this.found.named.add(part);
  }

  private add(text: string, suspicion: Suspicion, name: string): void {
    if (suspicion === 'none' || isPlaceholder(text)) return;
    // A short value not named as a secret is a version, a language, a switch.
    const isOther = text.length < MIN_LENGTH || isOrdinary(text, name, suspicion === 'login');
    if (suspicion !== 'named' && isOther) return;
    this.found[suspicion].add(text);
  }
}

function isOrdinary(text: string, name: string, isLogin: boolean): boolean {
  return isBesideSecrets(name, isLogin) || MEDIA_TYPE.test(text) || WORDS.test(text);
}

function suspicionOf(key: string, around: Suspicion): Suspicion {
  if (around === 'named') return 'named';
  if (LOGIN.test(key)) return 'login';
  // The list of a login's cookies is not a secret as a whole.
  if (CARRIED_PART.test(key)) return around === 'login' ? 'login' : 'carried';
  return isSecretName(key) ? 'named' : around;
}

/** The file of a login, or what a page stores of one, as text. */
function documentIn(text: string): object | null {
  try {
    const document = parseConfigJson(text);
    return typeof document === 'object' ? document : null;
  } catch {
    return null;
  }
}

/** What a server reads from a header: the values of cookies, and the user and password of HTTP Basic. */
function partsOf(text: string, name: string): readonly string[] {
  if (/cookie$/i.test(name)) return text.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  const [, encoded] = /^Basic\s+([\w+/=-]+)$/i.exec(text.trim()) ?? [];
  if (encoded === undefined) return [];
  const credential = Buffer.from(encoded, 'base64').toString();
  return [credential, credential.slice(credential.indexOf(':') + 1)];
}
