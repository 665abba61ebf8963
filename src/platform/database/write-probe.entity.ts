import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The one row that health writes to see whether PostgreSQL takes writes. */
@Entity('write_probe')
@Check('write_probe_id_check', 'id')
export class WriteProbeEntity {
  @PrimaryColumn('boolean', { default: true })
  id!: boolean;

  @Column({ name: 'written_at', type: 'timestamptz' })
  writtenAt!: Date;
}
