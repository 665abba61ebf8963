import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
  PrimaryColumn,
} from 'typeorm';
import type { RubricCriterion } from '../../domain';

@Entity('scenarios')
@Index('scenarios_listed', { synchronize: false })
@Index('scenarios_tags', ['tags'], { type: 'gin' })
export class ScenarioEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  category!: string;

  @Column('text', { name: 'scenario_type' })
  scenarioType!: string;

  @Column('text', { default: 'medium' })
  severity!: string;

  @Column('boolean', { name: 'is_active', default: true })
  isActive!: boolean;

  @Column('boolean', { default: false })
  approved!: boolean;

  @Column('double precision', { nullable: true })
  priority!: number | null;

  @Column('json')
  content!: Record<string, unknown>;

  @Column('json', { name: 'rubric_criteria' })
  rubricCriteria!: RubricCriterion[];

  @Column('text', { array: true, default: () => "'{}'" })
  tags!: string[];

  /** Raised by every change of content or rubric. */
  @Column('integer', { default: 1 })
  revision!: number;

  /** The hash of content and rubric. */
  @Column('text', { name: 'content_hash' })
  contentHash!: string;

  /** Who answers for the approval; null when no name was given. */
  @Column('text', { name: 'approved_by', nullable: true })
  approvedBy!: string | null;

  @Column('text', { name: 'approved_role', nullable: true })
  approvedRole!: string | null;

  /** Null when no person ever approved it, as for starters. */
  @Column({ name: 'approved_at', type: 'timestamptz', precision: 3, nullable: true })
  approvedAt!: Date | null;

  @Column('integer', { name: 'approved_revision', nullable: true })
  approvedRevision!: number | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}

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
