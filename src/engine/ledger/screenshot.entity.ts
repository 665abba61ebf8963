import { Column, CreateDateColumn, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { ScenarioRunEntity } from './scenario-run.entity';

/** What a browser agent's page showed when its scenario run failed. */
@Entity('screenshots')
export class ScreenshotEntity {
  @PrimaryColumn('uuid', { name: 'scenario_run_id' })
  scenarioRunId!: string;

  @OneToOne(() => ScenarioRunEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'scenario_run_id', foreignKeyConstraintName: 'screenshots_scenario_run_id_fkey' })
  scenarioRun!: ScenarioRunEntity;

  /** The one that saw it. */
  @Column('integer')
  attempt!: number;

  @Column('bytea')
  jpeg!: Buffer;

  @CreateDateColumn({ name: 'taken_at', type: 'timestamptz', precision: 3 })
  takenAt!: Date;
}
