import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Runs that were started together, each with its place in `run_set_place`. It goes with the last of its runs. */
@Entity('run_sets')
export class RunSetEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { nullable: true })
  name!: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
