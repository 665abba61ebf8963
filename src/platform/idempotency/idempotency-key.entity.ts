import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

/** A key that a client sent with something that may be made only once. */
@Entity('idempotency_keys')
@Index('idempotency_keys_about', { synchronize: false })
export class IdempotencyKeyEntity {
  /** The hash of the key and of its sender. */
  @PrimaryColumn('bytea', { name: 'key_hash' })
  keyHash!: Buffer;

  /** The hash of what was asked for. */
  @Column('bytea', { name: 'request_hash' })
  requestHash!: Buffer;

  /** The request that does the work: a fencing token. */
  @Column('uuid')
  claim!: string;

  /** When another request may take an unanswered key over. */
  @Column({ type: 'timestamptz', name: 'leased_until', precision: 3 })
  leasedUntil!: Date;

  /** Null while it is under way. */
  @Column('json', { nullable: true })
  answer!: Record<string, unknown> | null;

  /** The ids of what the answer tells of: when one of them is deleted, the answer is emptied. */
  @Column('uuid', { array: true, default: [] })
  about!: string[];

  @Column('boolean', { name: 'is_gone', default: false })
  isGone!: boolean;

  @Index('idempotency_keys_oldest')
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
