import { changeAsRead } from '../../cli/connection/change-as-read';
import { RefusedFailure, UnreachableFailure } from '../../cli/failure';

interface Suite {
  readonly name: string;
  readonly ids: readonly string[];
}

/** A suite at a service that changes it only for the tag that it has now. */
class StoredSuite {
  version = 1;
  patches = 0;
  /** What somebody else does just before the next change arrives. */
  meanwhile: (() => void)[] = [];

  constructor(public suite: Suite) {}

  set(changes: Partial<Suite>): void {
    this.suite = { ...this.suite, ...changes };
    this.version += 1;
  }

  change(known: Suite, fields: Partial<Suite>): Promise<Suite> {
    return changeAsRead({
      what: 'The suite "Gate"',
      known,
      fields,
      read: async () => ({ item: this.suite, etag: `"${this.version}"` }),
      patch: async (etag) => {
        this.patches += 1;
        this.meanwhile.shift()?.();
        if (etag !== `"${this.version}"`) throw new RefusedFailure('The test suite was changed.', 412, null);
        this.set(fields);
        return this.suite;
      },
    });
  }
}

const READ: Suite = { name: 'Gate', ids: ['a'] };
let stored: StoredSuite;
beforeEach(() => {
  stored = new StoredSuite(READ);
});

describe('a change of what the command has read', () => {
  test('goes through while nobody else changes anything', async () => {
    expect(await stored.change(READ, { ids: ['a', 'b'] })).toEqual({ name: 'Gate', ids: ['a', 'b'] });
    expect(stored.patches).toBe(1);
  });

  test('leaves what somebody else made of the same field, whether before it is sent or at that moment', async () => {
    const refusal = /^The suite "Gate" was changed by another client since it was read/;
    stored.set({ ids: ['c'] });
    await expect(stored.change(READ, { ids: ['a', 'b'] })).rejects.toThrow(refusal);
    expect(stored.patches).toBe(0);
    stored = new StoredSuite(READ);
    stored.meanwhile = [() => stored.set({ ids: ['c'] })];
    await expect(stored.change(READ, { ids: ['a', 'b'] })).rejects.toThrow(refusal);
    expect(stored.suite.ids).toEqual(['c']);
  });

  test('goes through beside a change of another field, and keeps it', async () => {
    stored.meanwhile = [() => stored.set({ name: 'Theirs' })];
    expect(await stored.change(READ, { ids: ['a', 'b'] })).toEqual({ name: 'Theirs', ids: ['a', 'b'] });
  });

  test('that was made, and whose answer was lost, is found made', async () => {
    stored.meanwhile = [() => stored.set({ ids: ['a', 'b'] })];
    expect(await stored.change(READ, { ids: ['a', 'b'] })).toEqual({ name: 'Gate', ids: ['a', 'b'] });
    expect(stored.patches).toBe(1);
  });

  test('gives up when somebody keeps changing other fields', async () => {
    stored.meanwhile = Array.from({ length: 9 }, (_, place) => () => stored.set({ name: `${place}` }));
    await expect(stored.change(READ, { ids: ['b'] })).rejects.toThrow('The test suite was changed.');
    expect(stored.suite.ids).toEqual(['a']);
  });

  test('of a field that answers leave out is made, whatever that was', async () => {
    const told = { item: { name: 'Gate' }, etag: null };
    const sent: unknown[] = [];
    const patch = async (etag: string | null) => {
      sent.push(etag);
      return told.item;
    };
    const known = { name: 'Gate', severity: 'low' };
    const fields = { severity: 'high' };
    await changeAsRead<object>({ what: 'The scenario', known, fields, read: async () => told, patch });
    expect(sent).toEqual([null]);
  });

  test('that fails otherwise fails as it did', async () => {
    stored.meanwhile = [
      () => {
        throw new UnreachableFailure('Out of reach.', false);
      },
    ];
    await expect(stored.change(READ, { ids: ['b'] })).rejects.toThrow('Out of reach.');
    expect(stored.patches).toBe(1);
  });
});
