import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexOnline } from './online-index';

/** How a scenario fared under the same agent is looked up across runs: by scenario, the newest verdicts first, and by agent config. */
export class IndexVerdicts1732856000000 implements MigrationInterface {
  readonly name = 'IndexVerdicts1732856000000';
  /** The tables may be large, and older processes go on writing to them. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await buildIndexOnline(
      queryRunner,
      'scenario_runs_verdicts',
      `ON scenario_runs (scenario_id, completed_at) WHERE status IN ('passed', 'failed')`,
    );
    await buildIndexOnline(queryRunner, 'test_runs_by_agent_config', 'ON test_runs (agent_config_hash)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
