import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import { WebhookEntity } from './webhook.entity';

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

  /** Of one under way: when another process may make it. Null once there is none. */
  @Column({ type: 'timestamptz', name: 'next_attempt_at', precision: 3, nullable: true, default: () => 'now()' })
  nextAttemptAt!: Date | null;

  /** Of the attempt under way: a fencing token. */
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
