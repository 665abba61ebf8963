import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A finished run that is to be compared with its agent's baseline; gone once that is done. */
@Entity('webhook_comparisons')
export class WebhookComparisonEntity {
  @PrimaryColumn('uuid', { name: 'test_run_id' })
  testRunId!: string;

  /** The baseline when the run ended. */
  @Column('uuid', { name: 'baseline_test_run_id' })
  baselineTestRunId!: string;

  @Column('integer', { default: 0 })
  attempts!: number;

  @Column({ type: 'timestamptz', name: 'next_attempt_at', precision: 3, default: () => 'now()' })
  nextAttemptAt!: Date;

  @Column('uuid', { nullable: true })
  claim!: string | null;
}
