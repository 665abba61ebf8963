/**
 * PostgreSQL, embedded or given by its address: connected, migrated, and asked through `Database`. Stores come here for
 * statements, transactions and what an error of the server means; it also encrypts columns, makes backups and restores them.
 */

// Statements and transactions.
export { Database, startEmbeddedServer } from './database';
export { Connections, ALONE, statementsOf, type Transaction, type Queryable, type WriteWith } from './connections';
export { insertRows, updateRow } from './row-writer';
export { findOptions, type Part } from './part';
export { SharedRead } from './shared-read';
export { isUuid } from './uuid';
export { isoTime } from './iso-time';
export { ADVISORY_LOCKS } from './advisory-locks';

// What an error means, and whether to try again.
export { isUnavailable, CommitInDoubt, sqlStateOf, DatabaseStartError } from './unavailable';
export { retryablePostgresError, isLockedOut, sentenceAbout, outageOf, outageSentence } from './postgres-errors';

// Secrets in rows.
export { whyUnopened, UnknownKey, UnopenedSecret } from './encryption/vault';
export { openConfig, openedRow } from './encryption/sealed-columns';
export { ResealingStore } from './encryption/resealing.store';
export { TableRewritesStore } from './encryption/table-rewrites.store';

// Backups.
export { addAuditLine, withAuditLine } from './backup/audit-line';
export { checkBackup, requireFile, restoreBackup } from './backup/restore-backup';
export { BackupError, RestoredError, SinkError } from './backup/format';
export { reachEmptyDatabase, reachUsedDatabase } from './backup/reach';
export { writeBackup, type WrittenBackup } from './backup/write-backup';
