import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A table whose files may still hold plain text of what has been sealed since. */
@Entity('pending_table_rewrites')
export class PendingTableRewriteEntity {
  @PrimaryColumn('text', { name: 'table_name', primaryKeyConstraintName: 'pending_table_rewrites_pkey' })
  tableName!: string;

  /** How often plain text was sealed in it: what was sealed while it was written anew is owed again. */
  @Column('integer', { default: 1 })
  times!: number;
}
