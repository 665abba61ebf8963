import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A process of the service that is at work on this database. One that was killed stays for a day. */
@Entity('processes')
export class ProcessEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** What it has in common with the processes that it hears: `in_process` (none), `nats`, or `workers` with their machine and primary. */
  @Column('text')
  bus!: string;

  /** The testers of the process, by the name that a run asks for them; null is the one that is set up. */
  @Column({ type: 'jsonb' })
  testers!: readonly Record<string, unknown>[];

  /** The judges of the process, by the name that a run asks for them; null is the one that is set up. */
  @Column({ type: 'jsonb' })
  judges!: readonly Record<string, unknown>[];

  @Column({ type: 'timestamptz', name: 'started_at', precision: 3, default: () => 'now()' })
  startedAt!: Date;

  @Column({ type: 'timestamptz', name: 'seen_at', precision: 3, default: () => 'now()' })
  seenAt!: Date;
}
