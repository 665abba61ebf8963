import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** An address that is told of events, signed with its secret. */
@Entity('webhooks')
export class WebhookEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  url!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  /** The types it is told of. */
  @Column('text', { array: true })
  events!: string[];

  /** `whsec_` and base64, as Standard Webhooks write it. */
  @Column('text')
  secret!: string;

  /** The one before it, which signs too until it expires; null when there is none. */
  @Column('text', { name: 'previous_secret', nullable: true })
  previousSecret!: string | null;

  @Column({ type: 'timestamptz', name: 'previous_secret_expires_at', precision: 3, nullable: true })
  previousSecretExpiresAt!: Date | null;

  @Column('boolean', { name: 'is_active', default: true })
  isActive!: boolean;

  /** Why the service itself has switched it off; null otherwise. */
  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason!: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}
