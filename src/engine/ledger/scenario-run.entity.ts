import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  PrimaryColumn,
  JoinColumn,
  ManyToOne,
  OneToOne,
} from 'typeorm';
import type { EndedBy, ErrorCode, PatientProfile, ScenarioRunStatus } from '../../domain';

/** One scenario of a test run. Written by src/engine/ledger alone, fenced by owner and attempt. */
@Entity('scenario_runs')
@Index('scenario_runs_of_run', ['testRunId', 'position'], { unique: true })
@Index('scenario_runs_counted', ['testRunId', 'status'])
@Index('scenario_runs_verdicts', { synchronize: false })
@Index('scenario_runs_live', { synchronize: false })
@Index('scenario_runs_owned', { synchronize: false })
export class ScenarioRunEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** Without a foreign key: a run is deleted at once, and what belongs to it in pieces. */
  @Column('uuid', { name: 'test_run_id' })
  testRunId!: string;

  /** Scenarios may be edited meanwhile; `scenario` is the copy that is executed. */
  @Column('uuid', { name: 'scenario_id' })
  scenarioId!: string;

  /** From 1: trial by trial, and within a trial in the order in which the run was given its scenarios. */
  @Column('integer')
  position!: number;

  /** From 1. */
  @Column('integer', { default: 1 })
  trial!: number;

  /** How its patient behaves and which language it speaks. */
  @Column('json', { default: { style: 'cooperative', language: 'en' } })
  patient!: PatientProfile;

  @Column('text', { name: 'scenario_name' })
  scenarioName!: string;

  @Column('json')
  scenario!: Record<string, unknown>;

  /** `[[points, tags], …]` of the criteria of that copy, as JSON, where two runs are compared by them. */
  @Column('text', { name: 'rubric_kinds', default: '[]' })
  rubricKinds!: string;

  /** The revision of the scenario that was copied; both null in runs of releases that did not keep it. */
  @Column('integer', { name: 'scenario_revision', nullable: true })
  scenarioRevision!: number | null;

  @Column('text', { name: 'scenario_content_hash', nullable: true })
  scenarioContentHash!: string | null;

  /** In a derived run: the scenario run that it began from, or in which a carried verdict was given. */
  @Column('uuid', { name: 'source_scenario_run_id', nullable: true })
  sourceScenarioRunId!: string | null;

  /** It was final from the start: its verdict is its source's. */
  @Column('boolean', { default: false })
  carried!: boolean;

  /** How many turns, from the first on, its source had held. */
  @Column('integer', { name: 'kept_turns', nullable: true })
  keptTurns!: number | null;

  /** What the patient says after the kept turns, when the author of the fork has written it. */
  @Column('text', { name: 'given_message', nullable: true })
  givenMessage!: string | null;

  /** The tester that had played all of its conversation before the row was; null when its own tester does. */
  @Column('json', { name: 'played_by', nullable: true })
  playedBy!: Record<string, unknown> | null;

  /** `{ seed, region }` where the row has its own; null: a random seed, and the region of its run. */
  @Column('json', { nullable: true })
  examination!: Record<string, unknown> | null;

  @Column('text', { default: 'pending' })
  status!: ScenarioRunStatus;

  /** The fencing token: each claim raises it. */
  @Column('integer', { default: 0 })
  attempt!: number;

  /** The attempt that began the conversation. */
  @Column('integer', { default: 1 })
  conversation!: number;

  /** How many are recorded of the conversation. */
  @Column('integer', { default: 0 })
  turns!: number;

  /** The process that executes it. */
  @Column('uuid', { nullable: true })
  owner!: string | null;

  @Column({ name: 'heartbeat_at', type: 'timestamptz', precision: 3, nullable: true })
  heartbeatAt!: Date | null;

  /** The attempt that released the row with every turn it had sent recorded. */
  @Column('integer', { name: 'clean_release_attempt', nullable: true })
  cleanReleaseAttempt!: number | null;

  /** Who ended the conversation before it had all its turns; null while it goes on, and when it had them. */
  @Column('text', { name: 'ended_by', nullable: true })
  endedBy!: EndedBy | null;

  /** What the patient said last, when the conversation ended without a reply to it. */
  @Column('text', { name: 'unanswered_message', nullable: true })
  unansweredMessage!: string | null;

  /** What the agent did in place of a reply to it, as a turn's metadata holds it. */
  @Column('json', { name: 'closing_acts', nullable: true })
  closingActs!: Record<string, unknown> | null;

  @Column('boolean', { nullable: true })
  passed!: boolean | null;

  @Column('double precision', { name: 'score_percent', nullable: true })
  scorePercent!: number | null;

  @Column('double precision', { name: 'total_points', nullable: true })
  totalPoints!: number | null;

  @Column('double precision', { name: 'max_points', nullable: true })
  maxPoints!: number | null;

  @Column('text', { name: 'grade_summary', nullable: true })
  gradeSummary!: string | null;

  @Column('json', { name: 'criteria_results', nullable: true })
  criteriaResults!: Record<string, unknown>[] | null;

  /** Those of `criteria_results` as letters, where two runs are compared by them: 20,000 documents would take seconds to read. */
  @Column('text', { nullable: true })
  decisions!: string | null;

  @Column('text', { name: 'error_code', nullable: true })
  errorCode!: ErrorCode | null;

  @Column('text', { name: 'error_message', nullable: true })
  errorMessage!: string | null;

  @Column('json', { default: {} })
  metadata!: Record<string, unknown>;

  /** The tester and the judge, and what the statistics of its run count of it; `findings` is null when that is nothing. */
  @Column('json', { nullable: true })
  examiners!: Record<string, unknown> | null;

  @Column('json', { nullable: true })
  findings!: Record<string, unknown> | null;

  @Column({ name: 'started_at', type: 'timestamptz', precision: 3, nullable: true })
  startedAt!: Date | null;

  @Column({ name: 'completed_at', type: 'timestamptz', precision: 3, nullable: true })
  completedAt!: Date | null;

  @Column({ name: 'canceled_at', type: 'timestamptz', precision: 3, nullable: true })
  canceledAt!: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}

/** What was said in one turn, stored nowhere else. Turns of conversations that were begun again stay. */
@Entity('turns')
export class TurnEntity {
  @PrimaryColumn('uuid', { name: 'scenario_run_id' })
  scenarioRunId!: string;

  @ManyToOne(() => ScenarioRunEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'scenario_run_id', foreignKeyConstraintName: 'turns_scenario_run_id_fkey' })
  scenarioRun!: ScenarioRunEntity;

  /** The attempt that began the conversation. */
  @PrimaryColumn('integer')
  conversation!: number;

  /** From 1. */
  @PrimaryColumn('integer')
  turn!: number;

  @Column('text', { name: 'patient_message' })
  patientMessage!: string;

  @Column({ name: 'patient_at', type: 'timestamptz', precision: 3 })
  patientAt!: Date;

  @Column('text', { name: 'agent_message' })
  agentMessage!: string;

  @Column({ name: 'agent_at', type: 'timestamptz', precision: 3 })
  agentAt!: Date;

  @Column('double precision', { name: 'latency_ms', nullable: true })
  latencyMs!: number | null;

  /** Where the provider left the conversation. */
  @Column('json', { nullable: true })
  continuation!: unknown;

  @Column('json', { default: {} })
  metadata!: Record<string, unknown>;
}

/** What a browser agent's page showed when its scenario run failed. */
@Entity('screenshots')
export class ScreenshotEntity {
  @PrimaryColumn('uuid', { name: 'scenario_run_id' })
  scenarioRunId!: string;

  @OneToOne(() => ScenarioRunEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'scenario_run_id', foreignKeyConstraintName: 'screenshots_scenario_run_id_fkey' })
  scenarioRun!: ScenarioRunEntity;

  /** The one that saw it. */
  @Column('integer')
  attempt!: number;

  @Column('bytea')
  jpeg!: Buffer;

  @CreateDateColumn({ name: 'taken_at', type: 'timestamptz', precision: 3 })
  takenAt!: Date;
}

/** A piece of what was said and heard in a spoken conversation, as the room had it. */
@Entity('recording_pieces')
@Check('recording_pieces_track_check', `track IN ('patient', 'agent')`)
@Index('recording_pieces_by_age', ['keptAt'])
@Index('recording_pieces_undecided', { synchronize: false })
export class RecordingPieceEntity {
  @PrimaryColumn('uuid', { name: 'scenario_run_id' })
  scenarioRunId!: string;

  @ManyToOne(() => ScenarioRunEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'scenario_run_id', foreignKeyConstraintName: 'recording_pieces_scenario_run_id_fkey' })
  scenarioRun!: ScenarioRunEntity;

  /** The one that heard it. */
  @PrimaryColumn('integer')
  attempt!: number;

  @PrimaryColumn('text')
  track!: 'patient' | 'agent';

  /** Its place since the call began, 16,000 a second; what lies between pieces is silence. A bigint, which the driver reads as text. */
  @PrimaryColumn('bigint', { name: 'first_sample' })
  firstSample!: string;

  @Column('integer')
  samples!: number;

  /** Of the bytes. */
  @Column('text')
  sha256!: string;

  @Column('bytea')
  bytes!: Buffer;

  @CreateDateColumn({ name: 'kept_at', type: 'timestamptz', precision: 3 })
  keptAt!: Date;

  /** Set once the others of its conversation were removed. */
  @Column('boolean', { name: 'holds_evidence', default: false })
  holdsEvidence!: boolean;
}
