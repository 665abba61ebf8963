import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readFunction } from '../src/persistence/ledger/functions';

/**
 * An agent may end a conversation before it has all its turns: the row says so, and keeps what the patient said last when
 * nobody replied to it. Older versions of record_scenario_changes stay: processes of the release before call theirs until the
 * last of them has stopped. They go on with such a row rightly, since its status is `grading`.
 */
export class ConversationsEndedByAgents1732830000000 implements MigrationInterface {
  readonly name = 'ConversationsEndedByAgents1732830000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE scenario_runs ADD COLUMN ended_by text, ADD COLUMN unanswered_message text');
    await queryRunner.query(readFunction('record-scenario-changes.v5.sql'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
