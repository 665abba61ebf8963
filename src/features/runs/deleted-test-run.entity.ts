import { CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A run whose row is gone and whose scenario runs, turns and events are still to be cleared away. Noted by a trigger. */
@Entity('deleted_test_runs')
export class DeletedTestRunEntity {
  @PrimaryColumn('uuid', { name: 'test_run_id', primaryKeyConstraintName: 'deleted_test_runs_pkey' })
  testRunId!: string;

  @CreateDateColumn({ name: 'deleted_at', type: 'timestamptz', precision: 3 })
  deletedAt!: Date;
}
