import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { CalibrationEntity } from './calibration.entity';

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
