import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyHolders, type Caller, type Shown } from '../../platform/access';
import { Remembered } from '../../platform/concurrency';
import { Log } from '../../platform/config';
import { NamedKeysStore, type KnownKey } from './named-keys.store';

/** What every key that is made here begins with: a scanner of repositories, and a reader, can tell what it is. */
export const PREFIX = 'osce_';

/** A key that was revoked through another process opens this one for so long at most. */
const FRESH_MS = 2_000;
const USE_NOTED_EVERY_MS = 60_000;

/** Which named keys there are, in this process: a request is recognised without asking the database, unless it is asked rarely. */
@Injectable()
export class NamedKeys extends KeyHolders {
  private known: Remembered<ReadonlyMap<string, Holder>>;
  private readonly noted = new Map<string, number>();
  private callers: ReadonlyMap<string, Caller> = new Map();

  constructor(
    private readonly store: NamedKeysStore,
    private readonly log: Log,
  ) {
    super();
    this.known = this.anew();
  }

  /** @throws the database's errors: a key that cannot be looked up opens nothing */
  async holderOf(key: string): Promise<Shown | null> {
    if (!key.startsWith(PREFIX)) return null;
    const holder = (await this.known.get()).get(digestOf(key).toString('hex'));
    if (holder === undefined) return null;
    const { known, caller } = holder;
    if (known.is_expired) {
      return {
        kind: 'refused',
        why: `The key "${known.name}" has expired: an admin makes another with osce keys create.`,
      };
    }
    this.noteUse(known.id);
    return { kind: 'known', caller };
  }

  /** The next request is recognised by what is stored by then. */
  forget(): void {
    this.known = this.anew();
  }

  private anew(): Remembered<ReadonlyMap<string, Holder>> {
    return new Remembered(() => this.load(), FRESH_MS);
  }

  private async load(): Promise<ReadonlyMap<string, Holder>> {
    const keys = await this.store.known();
    // The same object for as long as nothing about it changes: what counts streams and requests of a caller counts by it.
    this.callers = new Map(keys.map((known) => [known.id, sameCaller(this.callers.get(known.id), known)]));
    return new Map(
      keys.map((known) => [known.digest, { known, caller: this.callers.get(known.id) ?? callerOf(known) }]),
    );
  }

  /** Without waiting: a request is not held up by a statistic, and fails by none. */
  private noteUse(id: string): void {
    const now = performance.now();
    if (now - (this.noted.get(id) ?? -Infinity) < USE_NOTED_EVERY_MS) return;
    for (const [other, at] of this.noted) if (now - at >= USE_NOTED_EVERY_MS) this.noted.delete(other);
    this.noted.set(id, now);
    this.store.noteUse([id]).catch((error: unknown) => this.log.warn('The last use of a key was not noted', { error }));
  }
}

interface Holder {
  readonly known: KnownKey;
  readonly caller: Caller;
}

export function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function callerOf({ id, name, role }: KnownKey): Caller {
  return Object.freeze({ id: `key ${id}`, name, role });
}

function sameCaller(before: Caller | undefined, known: KnownKey): Caller {
  return before?.role === known.role && before.name === known.name ? before : callerOf(known);
}
