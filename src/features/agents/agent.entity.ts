import {
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm';
import { TestRunEntity } from '../../engine/ledger/test-run.entity';

@Entity('agents')
@Index('agents_listed', { synchronize: false })
export class AgentEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** Free text in the row: an older or newer version may have written a kind that this one does not know. */
  @Column('text')
  provider!: string;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('json')
  config!: Record<string, unknown>;

  @Column('boolean', { name: 'is_active', default: true })
  isActive!: boolean;

  /** The run of this agent that its other runs are compared with when no other is named. */
  @Column('uuid', { name: 'baseline_test_run_id', nullable: true })
  baselineTestRunId!: string | null;

  @ManyToOne(() => TestRunEntity, { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'baseline_test_run_id', foreignKeyConstraintName: 'agents_baseline_test_run_id_fkey' })
  baselineTestRun!: TestRunEntity | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;

  /** Set when the agent was deleted while a run of it was live; the row goes when the last one ends. */
  @DeleteDateColumn({ name: 'deleted_at', type: 'timestamptz', precision: 3 })
  deletedAt!: Date | null;
}
