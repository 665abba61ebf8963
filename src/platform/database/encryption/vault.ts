import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { listNames } from '../../../domain';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_CHARACTERS = 8;

/** A key of AES-256-GCM. What it seals can be opened only at the place that it was sealed for. */
class SecretKey {
  /** Names the key without telling anything of it: 32 random bytes cannot be found from their hash. */
  readonly id: string;
  private readonly bytes: Buffer;

  /** @param encoded 32 bytes in base64 */
  constructor(encoded: string) {
    this.bytes = Buffer.from(encoded, 'base64');
    this.id = createHash('sha256')
      .update('agent-osce secrets key\0')
      .update(this.bytes)
      .digest('hex')
      .slice(0, ID_CHARACTERS);
  }

  /** @param place authenticated with it, and not stored: which column of which row */
  seal(text: string, place: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.bytes, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws Error when it is of another place, another key, or was changed */
  open(sealed: Buffer, place: string): string {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, this.bytes, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(place))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString();
  }
}

/** The entry of SECRETS_KEY that stands for no key: what is written is readable. */
export const PLAIN = 'plain';

type Document = Readonly<Record<string, unknown>>;

/** No address begins like this, and no webhook's secret does; the number is that of the format. */
const FORMAT = /^\$sealed\$1\$([0-9a-f]{8})\$([\w-]+)$/;
/** The one field of a sealed document that is opened. */
const SEALED = '$sealed';
/**
 * Stands beside it for a process of an older release, which does not know sealing and would take what it finds for a config
 * without any field: an address that none of its kinds accepts. So that process calls no server, above all not the vendor's own
 * address with a key of the deployment.
 */
const UNUSABLE = { base_url: 'encrypted: needs SECRETS_KEY and a release that knows it' };
/**
 * The model stands outside, since SQL tells it apart from other models, and it is no secret; anything unlike a model's name stays
 * inside.
 */
const MODEL_NAME = /^[\w.-]{1,100}([/:][\w.-]{1,100}){0,4}$/;

/** A stored secret that cannot be opened here. */
export class UnopenedSecret extends Error {
  override readonly name = 'UnopenedSecret';
}

/** A secret that another process may well open, or this one with another SECRETS_KEY: nothing is wrong with it. */
export class UnknownKey extends UnopenedSecret {}

/** Seals what is stored and opens what is read, with the keys of SECRETS_KEY. What was stored in plain text is read as it is. */
export class Vault {
  private constructor(
    /** Null: stored in plain text. */
    private readonly first: SecretKey | null,
    private readonly keys: ReadonlyMap<string, SecretKey>,
  ) {}

  /** @param entries as SECRETS_KEY lists them; none: everything stays in plain text */
  static of(entries: readonly string[]): Vault {
    const [first = PLAIN] = entries;
    const keys = entries.filter((entry) => entry !== PLAIN).map((entry) => new SecretKey(entry));
    return new Vault(first === PLAIN ? null : (keys[0] ?? null), new Map(keys.map((key) => [key.id, key])));
  }

  /** The id of the key that seals; null when nothing is sealed. */
  get sealingKeyId(): string | null {
    return this.first?.id ?? null;
  }

  get keyIds(): readonly string[] {
    return [...this.keys.keys()];
  }

  sealText(text: string, place: string): string {
    if (this.first === null) return text;
    return `$sealed$1$${this.first.id}$${this.first.seal(text, place).toString('base64url')}`;
  }

  /** @throws UnopenedSecret */
  openText(stored: string, place: string): string {
    const [, id, sealed] = FORMAT.exec(stored) ?? [];
    if (id === undefined || sealed === undefined) return stored;
    const key = this.keys.get(id);
    if (key === undefined) {
      const given = this.keyIds.length === 0 ? 'is not set' : `has ${listNames(this.keyIds)}`;
      throw new UnknownKey(`${place} is encrypted with the key ${id}, and SECRETS_KEY ${given}.`);
    }
    try {
      return key.open(Buffer.from(sealed, 'base64url'), place);
    } catch (cause) {
      throw new UnopenedSecret(`${place} cannot be decrypted: it was changed, or copied from another row.`, { cause });
    }
  }

  sealDocument(document: Document, place: string): Document {
    // A client may have sent a field of this name.
    const { [SEALED]: _, ...plain } = document;
    if (this.first === null) return plain;
    const model = plain['model'];
    return {
      [SEALED]: this.sealText(JSON.stringify(plain), place),
      ...(typeof model === 'string' && MODEL_NAME.test(model) && { model }),
      ...UNUSABLE,
    };
  }

  /** @throws UnopenedSecret */
  openDocument(stored: Document, place: string): Record<string, unknown> {
    const sealed = stored[SEALED];
    if (typeof sealed !== 'string' || !FORMAT.test(sealed)) return { ...stored };
    return documentIn(this.openText(sealed, place));
  }
}

/** The document as it was sealed. */
function documentIn(text: string): Record<string, unknown> {
  const document: unknown = JSON.parse(text);
  if (typeof document !== 'object' || document === null) throw new UnopenedSecret('A sealed document is none.');
  return { ...document };
}

/** In SQL: the id of the key that a stored text is sealed with; null for plain text. */
export const keyIdOfText = (column: string): string => `substring(${column} FROM '^\\$sealed\\$1\\$([0-9a-f]{8})\\$')`;

/** The same for a stored document. */
export const keyIdOfDocument = (column: string): string => keyIdOfText(`${column}->>'${SEALED}'`);

const UNOPENED = new WeakMap<object, UnopenedSecret>();

/**
 * A row that does not open fails alone, and not the list that it is in: only a caller that uses the value of this property gets
 * the error.
 */
export function markUnopened(entity: object, property: string, error: UnopenedSecret): void {
  if (!UNOPENED.has(entity)) UNOPENED.set(entity, error);
  Object.defineProperty(entity, property, {
    enumerable: true,
    get: () => {
      throw error;
    },
  });
}

/** Why a loaded row's secrets cannot be opened, in a sentence; null when they are. */
export function whyUnopened(entity: object): string | null {
  return UNOPENED.get(entity)?.message ?? null;
}
