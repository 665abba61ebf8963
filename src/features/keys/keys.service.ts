import { randomBytes } from 'node:crypto';
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import type { CreateKeyRequest, KeyList, KeyView, NewKeyView } from '../../../contract/keys';
import { ANYONE, type Caller } from '../../platform/access';
import { Settings } from '../../platform/config';
import { digestOf, NamedKeys, PREFIX } from './named-keys';
import { MOST_KEYS, NamedKeysStore, type StoredKey } from './named-keys.store';

const SECRET_BYTES = 32;
/** Of the secret's characters: 24 of its 256 bits. */
const HINT_CHARACTERS = 4;

/** Keys for programs: made, listed and revoked while the service runs. */
@Injectable()
export class KeysService {
  constructor(
    private readonly store: NamedKeysStore,
    private readonly keys: NamedKeys,
    private readonly settings: Settings,
  ) {}

  async list(): Promise<KeyList> {
    const keys = (await this.store.list()).map(viewOf);
    return { keys, total: keys.length };
  }

  /** @throws ConflictException */
  async create({ name, role, expires_in_days }: CreateKeyRequest, by: Caller): Promise<NewKeyView> {
    if (!this.settings.isGuarded) {
      throw new ConflictException(
        'This service answers every caller without a key, so that a named key would guard nothing: set SERVICE_API_KEY or OIDC_ISSUER, and restart.',
      );
    }
    if ([ANYONE, ...this.settings.serviceKeys].some((other) => other.name.toLowerCase() === name.toLowerCase())) {
      throw new ConflictException(
        `name: callers are called ${name} already, by a key of the settings or without a key; choose another name.`,
      );
    }
    const key = PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
    const made = await this.store.create({
      ...{ name, role, digest: digestOf(key), hint: key.slice(0, PREFIX.length + HINT_CHARACTERS) },
      ...{ createdBy: by.name, expiresInDays: expires_in_days ?? null },
    });
    if (made === 'too many')
      throw new ConflictException(`There are ${MOST_KEYS} keys, as many as may be: revoke one first.`);
    if (made === 'name taken') {
      throw new ConflictException(`name: there is a key "${name}" already; revoke it first, or choose another name.`);
    }
    if (made === 'name of a person') {
      throw new ConflictException(`name: ${name} is a person who has signed in here; choose another name for the key.`);
    }
    this.keys.forget();
    return { ...viewOf(made), key };
  }

  /** @throws NotFoundException */
  async revoke(id: string, by: Caller): Promise<void> {
    if ((await this.store.revoke(id, by.name)) === null) throw new NotFoundException('Key not found');
    this.keys.forget();
  }
}

function viewOf(key: StoredKey): KeyView {
  const { id, name, role, hint, created_by, revoked_by } = key;
  return {
    ...{ id, name, role, hint, created_by, revoked_by },
    state: key.revoked_at !== null ? 'revoked' : key.is_expired ? 'expired' : 'live',
    created_at: key.created_at.toISOString(),
    expires_at: key.expires_at?.toISOString() ?? null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
    revoked_at: key.revoked_at?.toISOString() ?? null,
  };
}
