/**
 * Hashes of documents and ids made of them, the same whatever the order of their fields. Reports, scenarios and agents’ configs
 * are compared by them, also across releases.
 */

export { canonicalHash, namedUuid } from './canonical-hash';
