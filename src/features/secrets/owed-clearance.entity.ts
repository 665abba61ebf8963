import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A table whose files may still hold plain text of what has been sealed since. */
@Entity('owed_clearances')
export class OwedClearanceEntity {
  @PrimaryColumn('text', { name: 'table_name', primaryKeyConstraintName: 'owed_clearances_pkey' })
  tableName!: string;

  /** How often plain text was sealed in it: what was sealed while it was written anew is owed again. */
  @Column('integer', { default: 1 })
  times!: number;
}
