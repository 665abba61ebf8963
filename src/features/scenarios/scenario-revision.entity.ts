import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { RubricCriterion } from '../../domain/rubric';

/**
 * What a scenario held, revision by revision. Only its approval is ever written to again. They go with their
 * scenario when it is purged.
 */
@Entity('scenario_revisions')
export class ScenarioRevisionEntity {
  @PrimaryColumn('uuid', { name: 'scenario_id' })
  scenarioId!: string;

  /** From 1. */
  @PrimaryColumn('integer')
  revision!: number;

  @Column('text', { name: 'content_hash' })
  contentHash!: string;

  @Column('json')
  content!: Record<string, unknown>;

  @Column('json', { name: 'rubric_criteria' })
  rubricCriteria!: RubricCriterion[];

  /** The last approval that it was given, also when that was withdrawn since. */
  @Column('text', { name: 'approved_by', nullable: true })
  approvedBy!: string | null;

  @Column('text', { name: 'approved_role', nullable: true })
  approvedRole!: string | null;

  @Column({ name: 'approved_at', type: 'timestamptz', precision: 3, nullable: true })
  approvedAt!: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
