import { CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A pair of tester and judge that examined in a run; deleted with it. */
@Entity('run_examiners')
export class RunExaminersEntity {
  @PrimaryColumn('uuid', { name: 'test_run_id', primaryKeyConstraintName: 'run_examiners_pkey' })
  testRunId!: string;

  /** `{ name, model, prompt_version }` */
  @PrimaryColumn('jsonb', { primaryKeyConstraintName: 'run_examiners_pkey' })
  tester!: Record<string, unknown>;

  @PrimaryColumn('jsonb', { primaryKeyConstraintName: 'run_examiners_pkey' })
  judge!: Record<string, unknown>;

  @CreateDateColumn({ name: 'noted_at', type: 'timestamptz', precision: 3 })
  notedAt!: Date;
}
