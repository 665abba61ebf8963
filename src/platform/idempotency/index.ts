/**
 * A request that is repeated with the same `Idempotency-Key` takes effect once and is answered alike. An endpoint hands its
 * effect to `OncePerKey`, which commits it together with the key.
 */

export { IdempotencyModule } from './idempotency.module';
export { OncePerKey, type MadeRow, type Answered } from './once-per-key';
export { IdempotencyKeysStore } from './idempotency-keys.store';
