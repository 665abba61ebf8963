import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * A change that a caller asked for: written before it is begun, completed once, never changed after that. Or a change that the
 * service made by itself: written in the same transaction.
 */
@Entity('audit_records')
@Index('audit_records_by_resource', { synchronize: false })
export class AuditRecordEntity {
  /** In the order of writing. A bigint, which the driver reads as text. */
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  number!: string;

  @Index('audit_records_by_time')
  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  at!: Date;

  /** The name of the service key; of a user of the machine; or `the service`. */
  @Column('text')
  who!: string;

  @Column('text')
  role!: string;

  @Column('text', { nullable: true })
  address!: string | null;

  @Column('text')
  method!: string;

  /** The path with its parameters' names instead of what stood there; or a command, or a setting. */
  @Column('text')
  route!: string;

  @Column('text')
  resource!: string;

  /** UUIDs, and labels of runs. */
  @Column('text', { name: 'resource_ids', array: true, default: [] })
  resourceIds!: string[];

  /** Names that the API knows, never what a client called something. */
  @Column('text', { array: true, default: [] })
  fields!: string[];

  @Column('text', { name: 'request_id', nullable: true })
  requestId!: string | null;

  /** A record without a status after this time was left behind: its process ended, or lost the database. */
  @Column({ type: 'timestamptz', name: 'alive_until', precision: 3 })
  aliveUntil!: Date;

  /** The HTTP status of the answer; null until it is known. */
  @Column('integer', { nullable: true })
  status!: number | null;

  /** The answer repeats the one to an earlier request: nothing was changed again. */
  @Column('boolean', { default: false })
  replayed!: boolean;

  @Column({ type: 'timestamptz', name: 'completed_at', precision: 3, nullable: true })
  completedAt!: Date | null;
}
