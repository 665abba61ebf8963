/** Runs that begin from another run’s rows: a retry of its errors, a regrade of its conversations, a fork of one. */

export { DerivationSourcesStore } from './derivation-sources.store';
