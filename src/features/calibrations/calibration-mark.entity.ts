import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { CalibrationEntity } from './calibration.entity';

/** One examination of one labelled transcript: due, under way by a claim, or over. */
@Entity('calibration_marks')
@Index('calibration_marks_due', { synchronize: false })
export class CalibrationMarkEntity {
  @PrimaryColumn('uuid', { name: 'calibration_id', primaryKeyConstraintName: 'calibration_marks_pkey' })
  calibrationId!: string;

  @ManyToOne(() => CalibrationEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'calibration_id', foreignKeyConstraintName: 'calibration_marks_calibration_id_fkey' })
  calibration!: CalibrationEntity;

  /** Of the transcript. */
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

  /** Of the attempt under way: a fencing token. */
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
