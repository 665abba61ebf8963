import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexOnline } from './online-index';

/**
 * Inspection tells the way of one scenario run from its events: without this it reads every event of the run, transcripts
 * included. Text, not uuid: an index must not be what refuses an event.
 */
export class IndexEventsOfScenarioRuns1732250000000 implements MigrationInterface {
  readonly name = 'IndexEventsOfScenarioRuns1732250000000';
  /** The log of events may be large, and older processes go on writing to it. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await buildIndexOnline(queryRunner, 'run_events_of_scenario_runs', `ON run_events ((fields->>'scenario_run_id'))`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
