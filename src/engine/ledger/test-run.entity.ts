import { Check, Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import type { Derivation, TestRunStatus, Region, Modality, SpokenRun } from '../../domain';
import { RunSetEntity } from './run-set.entity';

/** A test run. Written by src/engine/ledger alone, and read in SQL, with its counts. */
@Entity('test_runs')
@Unique('test_runs_label_key', ['label'])
@Check('test_runs_modality_check', `modality IN ('text', 'spoken')`)
@Check('test_runs_spoken_check', `(modality = 'spoken') = (spoken IS NOT NULL)`)
@Index('test_runs_newest', { synchronize: false })
@Index('test_runs_newest_by_status', { synchronize: false })
@Index('test_runs_calibrating', { synchronize: false })
@Index('test_runs_by_agent', ['agentId'])
@Index('test_runs_by_agent_config', ['agentConfigHash'])
@Index('test_runs_live', { synchronize: false })
@Index('test_runs_by_source', { synchronize: false })
@Index('test_runs_by_twin', { synchronize: false })
@Index('test_runs_by_set', { synchronize: false })
export class TestRunEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  label!: string;

  @Column('text', { nullable: true })
  name!: string | null;

  @Column('text', { nullable: true })
  note!: string | null;

  @Column('text', { array: true, default: '{}' })
  tags!: string[];

  @Column('text')
  status!: TestRunStatus;

  /** Agents are erased; their runs stay, with the name and kind they had. */
  @Column('uuid', { name: 'agent_id' })
  agentId!: string;

  @Column('text', { name: 'agent_name' })
  agentName!: string;

  @Column('text', { name: 'agent_provider' })
  agentProvider!: string;

  /** The agent's config as the run found it, secrets masked; null in runs of releases that did not keep it. */
  @Column('json', { name: 'agent_config', nullable: true })
  agentConfig!: Record<string, unknown> | null;

  /** The hash of the same with its secrets left out. */
  @Column('text', { name: 'agent_config_hash', nullable: true })
  agentConfigHash!: string | null;

  /** What the client calls the agent's version, such as a git commit. */
  @Column('text', { name: 'agent_version', nullable: true })
  agentVersion!: string | null;

  @Column('uuid', { name: 'test_suite_id', nullable: true })
  testSuiteId!: string | null;

  /** The set that it was started in; null for a run of its own. */
  @Column('uuid', { name: 'run_set_id', nullable: true })
  runSetId!: string | null;

  @ManyToOne(() => RunSetEntity, { nullable: true })
  @JoinColumn({ name: 'run_set_id', foreignKeyConstraintName: 'test_runs_run_set_id_fkey' })
  runSet!: RunSetEntity | null;

  /** Its place in the set, from 1. */
  @Column('integer', { name: 'run_set_place', nullable: true })
  runSetPlace!: number | null;

  /** How many scenario runs it has. */
  @Column('integer', { name: 'total_scenarios' })
  totalScenarios!: number;

  /** How often each conversation is held. */
  @Column('integer', { default: 1 })
  trials!: number;

  @Column('integer', { name: 'max_turns' })
  maxTurns!: number;

  @Column('integer', { name: 'concurrency_limit' })
  concurrencyLimit!: number;

  /** 0..100. */
  @Column('double precision', { name: 'pass_threshold' })
  passThreshold!: number;

  /** Where the agent's patients are; null in runs that did not say. */
  @Column('text', { nullable: true })
  region!: Region | null;

  /** Models that the run asks for, with their prefixes; null: those that are set up. */
  @Column('text', { name: 'tester_model', nullable: true })
  testerModel!: string | null;

  @Column('text', { name: 'judge_model', nullable: true })
  judgeModel!: string | null;

  @Column('text', { default: 'text' })
  modality!: Modality;

  /** How its patient sounds and who hears; null in text. */
  @Column('jsonb', { nullable: true })
  spoken!: SpokenRun | null;

  /** The first of the runs that examine the same, each held differently; null for one of no such family, and for the first. Without a foreign key too. */
  @Column('uuid', { name: 'twin_of', nullable: true })
  twinOf!: string | null;

  /** The run whose rows it began from. Without a foreign key: it is read on when that one is deleted. */
  @Column('uuid', { name: 'derived_from', nullable: true })
  derivedFrom!: string | null;

  @Column('text', { nullable: true })
  derivation!: Derivation | null;

  /** `{ name, model, prompt_version }` of the judge that it calibrates, which alone marks in it; null in a test of an agent. */
  @Column('jsonb', { name: 'calibrated_judge', nullable: true })
  calibratedJudge!: Record<string, unknown> | null;

  @Column('text', { name: 'error_message', nullable: true })
  errorMessage!: string | null;

  @Column({ name: 'scheduled_at', type: 'timestamptz', precision: 3, nullable: true })
  scheduledAt!: Date | null;

  @Column({ name: 'started_at', type: 'timestamptz', precision: 3, nullable: true })
  startedAt!: Date | null;

  @Column({ name: 'completed_at', type: 'timestamptz', precision: 3, nullable: true })
  completedAt!: Date | null;

  @Column({ name: 'canceled_at', type: 'timestamptz', precision: 3, nullable: true })
  canceledAt!: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** The number of the run's last event; its row's lock numbers them. A bigint, which the driver reads as text. */
  @Column('bigint', { name: 'last_seq', default: 0 })
  lastSeq!: string;

  /** The fencing token of the supervision. */
  @Column('integer', { default: 0 })
  attempt!: number;

  /** The process that supervises the run. */
  @Column('uuid', { nullable: true })
  owner!: string | null;

  @Column({ name: 'heartbeat_at', type: 'timestamptz', precision: 3, nullable: true })
  heartbeatAt!: Date | null;

  @Column('integer', { name: 'failed_supervisions', default: 0 })
  failedSupervisions!: number;

  /** The counts of its scenario runs by final status, kept by the statement that numbers their events (append-run-events). */
  @Column('integer', { name: 'passed_count', default: 0 })
  passedCount!: number;

  @Column('integer', { name: 'failed_count', default: 0 })
  failedCount!: number;

  @Column('integer', { name: 'error_count', default: 0 })
  errorCount!: number;

  @Column('integer', { name: 'canceled_count', default: 0 })
  canceledCount!: number;
}

/** The log of a run: appended by append-run-events, never changed. */
@Entity('run_log')
@Index('run_log_by_scenario_run', { synchronize: false })
export class RunEventEntity {
  /** Without a foreign key: a run is deleted at once, and what belongs to it in pieces. */
  @PrimaryColumn('uuid', { name: 'test_run_id' })
  testRunId!: string;

  /** From 1, without gaps. A bigint, which the driver reads as text. */
  @PrimaryColumn('bigint')
  seq!: string;

  @Column('text')
  type!: string;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  at!: Date;

  /** The event without its envelope, and without the text of its turn. */
  @Column('json')
  fields!: Record<string, unknown>;

  /** Null for an event of the run itself. */
  @Column('uuid', { name: 'scenario_run_id', nullable: true })
  scenarioRunId!: string | null;

  /** With `turn`: the turn that holds what was said; null for an event that says everything itself. */
  @Column('integer', { nullable: true })
  conversation!: number | null;

  @Column('integer', { nullable: true })
  turn!: number | null;
}

/** A pair of tester and judge that examined in a run; deleted with it. */
@Entity('run_examiners')
export class RunExaminersEntity {
  @PrimaryColumn('uuid', { name: 'test_run_id', primaryKeyConstraintName: 'run_examiners_pkey' })
  testRunId!: string;

  /** `{ name, model, prompt_version }` */
  @PrimaryColumn('jsonb', { primaryKeyConstraintName: 'run_examiners_pkey' })
  tester!: Record<string, unknown>;

  @PrimaryColumn('jsonb', { primaryKeyConstraintName: 'run_examiners_pkey' })
  judge!: Record<string, unknown>;

  @CreateDateColumn({ name: 'noted_at', type: 'timestamptz', precision: 3 })
  notedAt!: Date;
}
