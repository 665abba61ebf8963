import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the examiners' language models cost by list price in a UTC day, over all processes. */
@Entity('model_spend')
export class ModelSpendEntity {
  /** YYYY-MM-DD. */
  @PrimaryColumn('date')
  day!: string;

  @Column('double precision')
  usd!: number;
}
