import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When the next request to an agent may be sent, for all processes together. Unlogged: a crash may empty it. */
@Entity('request_budgets')
export class RequestBudgetEntity {
  /** A digest of the credential that has the limit. */
  @PrimaryColumn('text')
  key!: string;

  @Column({ name: 'free_at', type: 'timestamptz' })
  freeAt!: Date;
}
