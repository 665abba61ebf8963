import { CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A service key was shown how a run, or one of its conversations, was marked. Without foreign keys: it goes with what is cleared away. */
@Entity('shown_marks')
export class ShownMarkEntity {
  @PrimaryColumn('uuid', { name: 'test_run_id' })
  testRunId!: string;

  /** The scenario run that was shown, or the run itself where all of it was. */
  @PrimaryColumn('uuid', { name: 'subject_id' })
  subjectId!: string;

  /** The name of the key; empty: anybody, on a service without keys. */
  @PrimaryColumn('text')
  caller!: string;

  /** marks: the judge's. reviews: what people decided. */
  @PrimaryColumn('text')
  what!: string;

  /** For the first time. */
  @CreateDateColumn({ name: 'shown_at', type: 'timestamptz', precision: 3 })
  shownAt!: Date;
}
