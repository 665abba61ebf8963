import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
  Index,
  JoinColumn,
  ManyToOne,
  Unique,
  PrimaryColumn,
} from 'typeorm';

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

/** One event for one webhook: what is to be told, and how telling it went. */
@Entity('webhook_deliveries')
@Unique('webhook_deliveries_once', ['webhookId', 'type', 'testRunId'])
@Index('webhook_deliveries_due', { synchronize: false })
@Index('webhook_deliveries_newest', ['webhookId', 'createdAt'])
export class WebhookDeliveryEntity {
  /** Also what the receiver is told as webhook-id, the same in every attempt. */
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'webhook_id' })
  webhookId!: string;

  @ManyToOne(() => WebhookEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'webhook_id', foreignKeyConstraintName: 'webhook_deliveries_webhook_id_fkey' })
  webhook!: WebhookEntity;

  @Column('text')
  type!: string;

  /** Null for tests. The run may be gone. */
  @Column('uuid', { name: 'test_run_id', nullable: true })
  testRunId!: string | null;

  /** Made at the first attempt; the same in every further one. */
  @Column('json', { nullable: true })
  payload!: Record<string, unknown> | null;

  /** pending, delivered, failed */
  @Column('text', { default: 'pending' })
  status!: string;

  @Column('integer', { default: 0 })
  attempts!: number;

  /** When another process may make the attempt that is under way, or when the next one is due. Null once there is none. */
  @Column({ type: 'timestamptz', name: 'next_attempt_at', precision: 3, nullable: true, default: () => 'now()' })
  nextAttemptAt!: Date | null;

  /** The claim of the attempt under way: a fencing token. */
  @Column('uuid', { nullable: true })
  claim!: string | null;

  @Column({ type: 'timestamptz', name: 'last_attempt_at', precision: 3, nullable: true })
  lastAttemptAt!: Date | null;

  @Column('integer', { name: 'last_status_code', nullable: true })
  lastStatusCode!: number | null;

  @Column('text', { name: 'last_error', nullable: true })
  lastError!: string | null;

  /** The beginning of the receiver's answer. */
  @Column('text', { name: 'response_excerpt', nullable: true })
  responseExcerpt!: string | null;

  @Column({ type: 'timestamptz', name: 'delivered_at', precision: 3, nullable: true })
  deliveredAt!: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}

/** A finished run that is to be compared with its agent's baseline; gone once that is done. */
@Entity('webhook_comparisons')
export class WebhookComparisonEntity {
  @PrimaryColumn('uuid', { name: 'test_run_id' })
  testRunId!: string;

  /** The baseline when the run ended. */
  @Column('uuid', { name: 'baseline_test_run_id' })
  baselineTestRunId!: string;

  @Column('integer', { default: 0 })
  attempts!: number;

  @Column({ type: 'timestamptz', name: 'next_attempt_at', precision: 3, default: () => 'now()' })
  nextAttemptAt!: Date;

  @Column('uuid', { nullable: true })
  claim!: string | null;
}
