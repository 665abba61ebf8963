import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_CHARACTERS = 8;

/** A key of AES-256-GCM. What it seals can be opened only at the place that it was sealed for. */
export class SecretKey {
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
