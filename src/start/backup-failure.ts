import { isNativeError } from 'node:util/types';
import { BackupError, SinkError } from '../platform/database/backup/format';
import { sentenceAbout, outageOf } from '../platform/database/outage';
import { sqlStateOf } from '../platform/database/unavailable';
import { startFailureSentence } from './start-failure';

export const WHAT_IS_LEFT = {
  backup: 'Nothing was kept.',
  output: 'What was written is no whole backup.',
  restore: 'Nothing was restored.',
} as const;

export interface FailedWork {
  /** Null for what leaves nothing. */
  readonly what: keyof typeof WHAT_IS_LEFT | null;
  /** What a backup is written to. */
  readonly sink: string;
}

/** Why a backup or a restore failed, what is left of it, and what to do about it; an unforeseen error with its stack. */
export function backupFailureSentence(error: unknown, { what, sink }: FailedWork): string {
  if (error instanceof BackupError) return error.message;
  const left = what === null ? '' : ` ${WHAT_IS_LEFT[what]}`;
  if (error instanceof SinkError) return `${sinkSentence(sink, error)}${left}`;
  const outage = outageOf(error);
  if (outage === 'unreachable') {
    return `The connection to the database broke, or there was none: see that PostgreSQL runs, and try again.${left}`;
  }
  if (outage !== null) return `${sentenceAbout(outage)}${left}`;
  const state = sqlStateOf(error);
  if (state !== undefined && isNativeError(error))
    return `PostgreSQL refused (SQLSTATE ${state}): ${error.message}.${left}`;
  return startFailureSentence(error);
}

function sinkSentence(sink: string, { code }: SinkError): string {
  if (code === 'EPIPE') return 'Whoever was to take the backup has left.';
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk of ${sink} is full: free some space, or choose another disk.`;
    case 'EFBIG':
      return `${sink} may not grow so large: its file system, or this user (ulimit -f), has a limit. Choose another place.`;
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENAMETOOLONG':
      return `The file cannot be written (${code}): name one in a folder that exists and that you may write to.`;
    default:
      return `${sink} cannot be written (${code}): choose another place.`;
  }
}
