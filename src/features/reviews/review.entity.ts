import { Column, CreateDateColumn, Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { ScenarioRunEntity } from '../../engine/ledger/scenario-run.entity';

/** What a person decided about a conversation that the judge has marked. Never changed, and gone only with its run. */
@Entity('reviews')
@Unique('reviews_numbered', ['scenarioRunId', 'number'])
export class ReviewEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'scenario_run_id' })
  scenarioRunId!: string;

  @ManyToOne(() => ScenarioRunEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'scenario_run_id', foreignKeyConstraintName: 'reviews_scenario_run_id_fkey' })
  scenarioRun!: ScenarioRunEntity;

  /** From 1, within its scenario run. */
  @Column('integer')
  number!: number;

  @Column('text')
  reviewer!: string;

  /** The name of the service key that wrote it; null on a service without keys. */
  @Column('text', { name: 'key_name', nullable: true })
  keyName!: string | null;

  /** reviewer, adjudicator */
  @Column('text')
  role!: string;

  /** By what the service had shown to that key when it was written. */
  @Column('boolean')
  blind!: boolean;

  /** One of NOT_BLIND; null when the review was blind, and when that is unknown. */
  @Column('text', { name: 'not_blind_because', nullable: true })
  notBlindBecause!: string | null;

  /** 1..5 */
  @Column('integer', { name: 'global_rating', nullable: true })
  globalRating!: number | null;

  @Column('text')
  comment!: string;

  /** One for each of the rubric, in its order: `{ decision, rationale, evidence }`. */
  @Column('json')
  criteria!: Record<string, unknown>[];

  /** By this review alone. */
  @Column('boolean')
  passed!: boolean;

  @Column('double precision', { name: 'score_percent' })
  scorePercent!: number;

  /** By all reviews up to this one. */
  @Column('boolean', { name: 'effective_passed' })
  effectivePassed!: boolean;

  @Column('double precision', { name: 'effective_score_percent' })
  effectiveScorePercent!: number;

  /** Criteria on which the reviewers differ and which no adjudicator has decided. */
  @Column('integer')
  disagreements!: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
