import type { Command } from 'commander';
import { dataFolderSetting } from '../data-folder';
import type { Host } from '../session';

const BACKUP_EXAMPLES = `
It reads the database itself, as of one moment, while the service runs or not: run it where the service runs (docker exec), as its user, with its
settings. For a PostgreSQL server of your own use its own tools (pg_dump); with DATABASE_URL this command works there too, and moves data from one
kind of database to the other. The file is gzip text with the rows of each table, their number and a hash; only its owner may read it, and it holds
agents' keys as the database does.

It leaves a line in the audit trail, where that can be written. A process that was killed may leave a file that ends in .part: it is not a backup, remove it.

Exit codes: 0 the backup is complete and on the disk; 2 there is no backup, and the reason is printed; 129, 130 and 143 ended by a signal.

Recordings of spoken conversations are left out, since they are most of the data and are kept for a while only; --recordings adds them.

Examples:
  $ osce backup osce-2026-01-31.backup
  $ osce backup --recordings with-sound.backup
  $ osce backup --data-dir /srv/osce/data /mnt/backups/osce.backup
  $ docker exec CONTAINER node dist/cli/osce.js backup - > osce.backup`;

const RESTORE_EXAMPLES = `
The file is read to its end and checked before anything is done. The folder (or the database of DATABASE_URL) must be empty; all of the backup is
restored or nothing. One of an older version is brought up to date; one of a newer version is refused. Runs that were under way go on when the service
starts: stop the service that the backup was made of first, or both examine the agents.

Exit codes: 0 restored; 2 not restored, and the reason is printed; 129, 130 and 143 ended by a signal, and nothing is restored.

Examples:
  $ osce restore osce-2026-01-31.backup --data-dir ./restored
  $ osce serve --data-dir ./restored`;

interface BackupCommandOptions {
  readonly dataDir?: string;
  /** Of `backup` alone. */
  readonly recordings?: boolean;
}

/** `osce backup` and `osce restore`. */
export function addBackupCommands(program: Command, host: Host): void {
  for (const [name, summary, description, examples] of [
    [
      'backup',
      'write all that the service holds to a file',
      'Write all that the service holds to a file; - for standard output.',
      BACKUP_EXAMPLES,
    ],
    [
      'restore',
      'fill an empty data folder from a backup',
      'Fill an empty data folder, or an empty database, from a backup.',
      RESTORE_EXAMPLES,
    ],
  ] as const) {
    const added = program
      .command(`${name} <file>`)
      .summary(summary)
      .description(description)
      .option('--data-dir <folder>', 'the data folder of the service; DATA_DIR, else a folder of this user')
      .addHelpText('after', examples)
      .action((file: string, { dataDir, recordings = false }: BackupCommandOptions, command: Command) => {
        const { json = false } = command.optsWithGlobals<{ json?: boolean }>();
        const args = [name, file, ...(json ? ['--json'] : []), ...(recordings ? ['--recordings'] : [])];
        host.handOver(command, name, (environment) => dataFolderSetting(dataDir, environment), args);
      });
    if (name === 'backup') added.option('--recordings', 'with the sound of spoken conversations');
  }
}
