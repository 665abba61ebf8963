import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A table whose files may still hold plain text of what has been sealed since: a job. */
@Entity('pending_table_rewrites')
export class PendingTableRewriteEntity {
  @PrimaryColumn('text', { name: 'table_name', primaryKeyConstraintName: 'pending_table_rewrites_pkey' })
  tableName!: string;

  @Column('integer', { default: 0 })
  attempts!: number;

  @Column({ type: 'timestamptz', name: 'next_attempt_at', precision: 3, default: () => 'now()' })
  nextAttemptAt!: Date;

  @Column('uuid', { nullable: true })
  claim!: string | null;
}
