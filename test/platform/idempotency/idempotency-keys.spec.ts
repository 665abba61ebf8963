import { randomBytes, randomUUID } from 'node:crypto';
import { IdempotencyKeysStore, KeyLost, type KeyClaim } from '../../../src/platform/idempotency/idempotency-keys.store';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';

let runs: StoredRuns;
let keys: IdempotencyKeysStore;
beforeAll(async () => {
  runs = await openStoredRuns();
  keys = new IdempotencyKeysStore(runs.database);
});
afterAll(() => runs.close());

const request = (): KeyClaim => ({ keyHash: randomBytes(32), requestHash: randomBytes(32), claim: randomUUID() });
const again = (before: KeyClaim): KeyClaim => ({ ...before, claim: randomUUID() });
const answer = (claim: KeyClaim, given: object) => runs.database.transaction((tx) => keys.answer(tx, claim, given, []));
/** A while ago: a column of milliseconds may round this very moment up to one that is still to come. */
const endLeases = () => runs.database.query(`UPDATE idempotency_keys SET leased_until = now() - interval '1 second'`);

describe('an idempotency key', () => {
  test('is held by the first who asks, until there is an answer for the others', async () => {
    const first = request();
    await expect(keys.claim(first)).resolves.toEqual({ kind: 'claimed' });
    await expect(keys.claim(again(first))).resolves.toEqual({ kind: 'underWay' });
    await answer(first, { id: 1 });
    await expect(keys.claim(again(first))).resolves.toEqual({ kind: 'answered', answer: { id: 1 } });
    await expect(keys.claim({ ...again(first), requestHash: randomBytes(32) })).resolves.toEqual({
      kind: 'otherRequest',
    });
  });

  test('is taken over when its lease has ended; whoever held it before makes nothing any more', async () => {
    const stalled = request();
    await keys.claim(stalled);
    await endLeases();
    const successor = again(stalled);
    await expect(keys.claim(successor)).resolves.toEqual({ kind: 'claimed' });
    const made = runs.database.transaction(async (tx) => {
      await tx.query('CREATE TABLE made_by_the_stalled ()');
      await keys.answer(tx, stalled, {}, []);
    });
    await expect(made).rejects.toBeInstanceOf(KeyLost);
    await expect(runs.database.query('SELECT FROM made_by_the_stalled')).rejects.toThrow('does not exist');
    await keys.release(stalled);
    await expect(keys.claim(again(stalled))).resolves.toEqual({ kind: 'underWay' });
  });

  test('is kept by renewing its lease', async () => {
    const slow = request();
    await keys.claim(slow);
    await endLeases();
    await keys.renew(slow);
    await expect(keys.claim(again(slow))).resolves.toEqual({ kind: 'underWay' });
  });

  test('is free when nothing was made, and stays answered when something was', async () => {
    const failed = request();
    await keys.claim(failed);
    await keys.release(failed);
    await expect(keys.claim(again(failed))).resolves.toEqual({ kind: 'claimed' });
    const answered = request();
    await keys.claim(answered);
    await answer(answered, {});
    await keys.release(answered);
    await keys.releaseAll();
    await expect(keys.claim(again(answered))).resolves.toMatchObject({ kind: 'answered' });
    await expect(keys.claim(again(failed))).resolves.toEqual({ kind: 'claimed' });
  });

  test('is forgotten after a day, a bounded number at a time', async () => {
    await runs.database.query(
      `INSERT INTO idempotency_keys (key_hash, request_hash, claim, leased_until, created_at)
       SELECT sha256(n::text::bytea), '', gen_random_uuid(), now(), now() - interval '25 hours'
       FROM generate_series(1, 1500) n`,
    );
    const kept = request();
    await keys.claim(kept);
    const forgetOld = () => runs.database.transaction((tx) => keys.forgetOld(tx));
    await expect(forgetOld()).resolves.toBe(1_000);
    await expect(forgetOld()).resolves.toBe(500);
    await expect(forgetOld()).resolves.toBeNull();
    const [row] = await runs.database.query<{ old: number }>(
      `SELECT count(*)::int AS old FROM idempotency_keys WHERE created_at < now() - interval '24 hours'`,
    );
    expect(row).toEqual({ old: 0 });
    await expect(keys.claim(again(kept))).resolves.toEqual({ kind: 'underWay' });
  });
});
