import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Baseline1797100000000 } from '../../migrations/0001-baseline';
import { buildIndexOnline } from '../../migrations/online-index';
import type { Migration } from '../../src/platform/database/data-source';
import { readFunction, RECORD } from '../../src/engine/ledger/functions';

/** What a made-up next version calls in place of `record_scenario_changes`, which the processes of this one go on calling. */
export const NEXT_RECORD = `${RECORD.name}_2`;

/** It counts the changes of a run, in a column of its own. */
class NoteChanges implements MigrationInterface {
  readonly name = 'NoteChanges2000000000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    // In the order in which every writer takes them.
    await queryRunner.query('LOCK TABLE test_runs, scenario_runs, run_log IN ACCESS EXCLUSIVE MODE');
    await queryRunner.query('ALTER TABLE test_runs ADD COLUMN noted_changes integer NOT NULL DEFAULT 0');
    const [head = '', ...body] = readFunction(RECORD.file).replace(RECORD.name, NEXT_RECORD).split('  RETURN QUERY\n');
    const noted = `  UPDATE test_runs SET noted_changes = noted_changes + 1 WHERE id = ANY(run_ids);\n\n`;
    await queryRunner.query([`${head}${noted}`, ...body].join('  RETURN QUERY\n'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

export const NEXT_INDEX = 'run_log_by_time';

/** It finds events by their time. */
class IndexLogByTime implements MigrationInterface {
  readonly name = 'IndexLogByTime2000000000002';
  /** The log of events may be large, and processes of this version go on writing to it. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await buildIndexOnline(queryRunner, NEXT_INDEX, 'ON run_log (at)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only.');
  }
}

/** The steps of a made-up next version, in which upgrades are tried until there is a real one: those of this version come first. */
export const NEXT_VERSION: readonly Migration[] = [Baseline1797100000000, NoteChanges, IndexLogByTime];
