import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  PrimaryGeneratedColumn,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
} from 'typeorm';

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

  /** The number of criteria of all transcripts together. */
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

/** A transcript with what people decided about it, as it was given. */
@Entity('calibration_items')
export class CalibrationItemEntity {
  @PrimaryColumn('uuid', { name: 'calibration_id', primaryKeyConstraintName: 'calibration_items_pkey' })
  calibrationId!: string;

  @ManyToOne(() => CalibrationEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'calibration_id', foreignKeyConstraintName: 'calibration_items_calibration_id_fkey' })
  calibration!: CalibrationEntity;

  /** From 0. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'calibration_items_pkey' })
  position!: number;

  /** As its author calls it. */
  @Column('text', { name: 'item_id' })
  itemId!: string;

  @Column('json')
  transcript!: unknown;

  /** With their labels. */
  @Column('json')
  criteria!: unknown;

  @Column('text', { name: 'rubric_scale', nullable: true })
  rubricScale!: string | null;

  /** Null: any country's emergency number counts. */
  @Column('text', { nullable: true })
  region!: string | null;
}

/** One examination of one labelled transcript: due, under way by a claim, or over. */
@Entity('calibration_marks')
@Index('calibration_marks_due', { synchronize: false })
export class CalibrationMarkEntity {
  @PrimaryColumn('uuid', { name: 'calibration_id', primaryKeyConstraintName: 'calibration_marks_pkey' })
  calibrationId!: string;

  @ManyToOne(() => CalibrationEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'calibration_id', foreignKeyConstraintName: 'calibration_marks_calibration_id_fkey' })
  calibration!: CalibrationEntity;

  /** The position of the transcript. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'calibration_marks_pkey' })
  position!: number;

  /** From 1. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'calibration_marks_pkey' })
  repeat!: number;

  /** Determines the order of the criteria. */
  @Column('bigint')
  seed!: string;

  /** pending, marked, failed */
  @Column('text', { default: 'pending' })
  status!: string;

  @Column('integer', { default: 0 })
  attempts!: number;

  /** The claim of the attempt under way: a fencing token. */
  @Column('uuid', { nullable: true })
  claim!: string | null;

  /** When another process may take it over. */
  @Column({ type: 'timestamptz', name: 'leased_until', precision: 3, nullable: true })
  leasedUntil!: Date | null;

  /** The marks, in the order of the transcript's criteria. */
  @Column('json', { nullable: true })
  criteria!: unknown;

  /** What the examination cost and found. */
  @Column('json', { nullable: true })
  record!: unknown;

  @Column('text', { name: 'error_kind', nullable: true })
  errorKind!: string | null;

  @Column('text', { name: 'error_message', nullable: true })
  errorMessage!: string | null;

  @Column({ type: 'timestamptz', name: 'marked_at', precision: 3, nullable: true })
  markedAt!: Date | null;
}
