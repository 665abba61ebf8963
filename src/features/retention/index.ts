/** Deletes what has been kept for long enough, and clears away, in pieces, what deleted runs and agents leave. */

export { RetentionModule } from './retention';
