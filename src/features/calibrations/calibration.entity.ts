import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Labelled transcripts that one judge marks, and what came of it. */
@Entity('calibrations')
@Index('calibrations_newest', ['createdAt'])
@Index('calibrations_live', { synchronize: false })
export class CalibrationEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** given, starter_set */
  @Column('text')
  source!: string;

  /** pending, running, completed, failed, canceled */
  @Column('text', { default: 'pending' })
  status!: string;

  @Column('integer')
  repeats!: number;

  @Column('integer')
  transcripts!: number;

  /** Of all transcripts together. */
  @Column('integer')
  criteria!: number;

  /** As asked for, with its prefix; null for the one that is set up. */
  @Column('text', { name: 'judge_model', nullable: true })
  judgeModel!: string | null;

  /** `{ name, model, prompt_version }` of the judge that it is about. */
  @Column('jsonb')
  judge!: Record<string, unknown>;

  /** As the API answers it; null until it is completed. */
  @Column('json', { nullable: true })
  result!: Record<string, unknown> | null;

  @Column('text', { name: 'error_message', nullable: true })
  errorMessage!: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'started_at', precision: 3, nullable: true })
  startedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'completed_at', precision: 3, nullable: true })
  completedAt!: Date | null;
}
