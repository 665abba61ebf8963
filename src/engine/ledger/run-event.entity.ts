import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

/** The log of a run: appended by append-run-events, never changed. */
@Entity('run_log')
@Index('run_log_by_scenario_run', { synchronize: false })
export class RunEventEntity {
  /** Without a foreign key: a run is deleted at once, and what belongs to it in pieces. */
  @PrimaryColumn('uuid', { name: 'test_run_id' })
  testRunId!: string;

  /** From 1, without gaps. A bigint, which the driver reads as text. */
  @PrimaryColumn('bigint')
  seq!: string;

  @Column('text')
  type!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  at!: Date;

  /** The event without its envelope, and without the text of its turn. */
  @Column('json')
  fields!: Record<string, unknown>;

  /** Null for an event of the run itself. */
  @Column('uuid', { name: 'scenario_run_id', nullable: true })
  scenarioRunId!: string | null;

  /** With `turn`: the turn that holds what was said; null for an event that says everything itself. */
  @Column('integer', { nullable: true })
  conversation!: number | null;

  @Column('integer', { nullable: true })
  turn!: number | null;
}
