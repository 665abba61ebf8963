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
import type { GateVerdict, GateView, StartOutcome } from '../../../contract/schedules';
import type { RecurringRun } from '../../../contract/start-run';

/** A run that starts again and again. */
@Entity('schedules')
@Unique('schedules_name', ['name'])
@Index('schedules_due', ['nextAt'])
export class ScheduleEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** What start-run is to be told each time. */
  @Column('json')
  run!: RecurringRun;

  @Column('text')
  cron!: string;

  @Column('text', { name: 'time_zone' })
  timeZone!: string;

  @Column('json', { nullable: true })
  gate!: GateView | null;

  /** skip, allow */
  @Column('text')
  overlap!: 'skip' | 'allow';

  @Column('boolean', { name: 'is_enabled' })
  isEnabled!: boolean;

  /** When its next start is due; null while it is paused. Every start moves it on, in the transaction that makes the start: its fence. */
  @Column({ type: 'timestamptz', name: 'next_at', precision: 3, nullable: true })
  nextAt!: Date | null;

  /** Raised by every change: what was prepared before one is not started after it. */
  @Column('integer', { default: 1 })
  revision!: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}

/** What became of a start; one row may stand for several that were missed together. As a job it is the gate of its run, which waits for the run's end. */
@Entity('schedule_starts')
@Index('schedule_starts_newest', ['scheduleId', 'notedAt'])
@Index('schedule_starts_once', { synchronize: false })
@Index('schedule_starts_of_run', { synchronize: false })
@Index('schedule_starts_undecided', { synchronize: false })
export class ScheduleStartEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'schedule_id' })
  scheduleId!: string;

  @ManyToOne(() => ScheduleEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'schedule_id', foreignKeyConstraintName: 'schedule_starts_schedule_id_fkey' })
  schedule!: ScheduleEntity;

  @Column({ type: 'timestamptz', name: 'due_at', precision: 3 })
  dueAt!: Date;

  /** When the last one that was missed was due. */
  @Column({ type: 'timestamptz', name: 'missed_until', precision: 3, nullable: true })
  missedUntil!: Date | null;

  @Column('integer', { nullable: true })
  missed!: number | null;

  @Column('boolean', { name: 'is_manual' })
  isManual!: boolean;

  /** started, skipped, failed, missed */
  @Column('text')
  outcome!: StartOutcome;

  /** Why no run was started. */
  @Column('text', { nullable: true })
  sentence!: string | null;

  /** The run may be gone. */
  @Column('uuid', { name: 'test_run_id', nullable: true })
  testRunId!: string | null;

  /** The gate as it was when the run was started. */
  @Column('json', { nullable: true })
  gate!: GateView | null;

  @Column('text', { name: 'gate_verdict', nullable: true })
  gateVerdict!: GateVerdict | null;

  @Column('text', { name: 'gate_sentence', nullable: true })
  gateSentence!: string | null;

  @Column('uuid', { nullable: true })
  claim!: string | null;

  @Column('integer', { default: 0 })
  attempts!: number;

  /** Null when there is no gate, and once it is decided. */
  @Column({ type: 'timestamptz', name: 'next_attempt_at', precision: 3, nullable: true })
  nextAttemptAt!: Date | null;

  @CreateDateColumn({ name: 'noted_at', type: 'timestamptz', precision: 3 })
  notedAt!: Date;
}
