import { Column, Entity, Index, JoinColumn, ManyToOne, OneToOne, PrimaryColumn } from 'typeorm';
import { TestRunEntity } from '../../engine/ledger/test-run.entity';

/** What a run that calibrates a judge has beside it. Its name, its judge and its times are those of the run. */
@Entity('calibrations')
@Index('calibrations_unfinished', { synchronize: false })
export class CalibrationEntity {
  /** Of its run, too. */
  @PrimaryColumn('uuid')
  id!: string;

  @OneToOne(() => TestRunEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'id', foreignKeyConstraintName: 'calibrations_id_fkey' })
  run!: TestRunEntity;

  /** given, starter_set */
  @Column('text')
  source!: string;

  /** The number of criteria of all transcripts together. */
  @Column('integer')
  criteria!: number;

  /** As the API answers it; null until everything is marked. */
  @Column('json', { nullable: true })
  result!: Record<string, unknown> | null;
}

/** What people decided about a transcript, which the scenario runs of the calibration hold. */
@Entity('calibration_items')
export class CalibrationItemEntity {
  @PrimaryColumn('uuid', { name: 'calibration_id', primaryKeyConstraintName: 'calibration_items_pkey' })
  calibrationId!: string;

  @ManyToOne(() => CalibrationEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'calibration_id', foreignKeyConstraintName: 'calibration_items_calibration_id_fkey' })
  calibration!: CalibrationEntity;

  /** From 1: the position of its scenario run in the first repeat. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'calibration_items_pkey' })
  position!: number;

  /** As its author calls it. */
  @Column('text', { name: 'item_id' })
  itemId!: string;

  /** With their labels. */
  @Column('json')
  criteria!: unknown;
}
