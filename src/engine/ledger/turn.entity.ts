import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { ScenarioRunEntity } from './scenario-run.entity';

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

  @Column('double precision', { name: 'latency_ms' })
  latencyMs!: number;

  /** Where the provider left the conversation. */
  @Column('json', { nullable: true })
  continuation!: unknown;

  @Column('json', { default: {} })
  metadata!: Record<string, unknown>;
}
