import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Documents a client sends (config, content, rubric) are `json`, not `jsonb`: they come back exactly as they were sent.
 * `last_seq` numbers a run's events; its row lock is what makes sequence order equal commit order.
 */
export class InitialSchema1732000000000 implements MigrationInterface {
  readonly name = 'InitialSchema1732000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE agents (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        provider text NOT NULL,
        name text NOT NULL,
        description text,
        config json NOT NULL,
        is_active boolean NOT NULL DEFAULT true,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        deleted_at timestamptz(3)
      );
      CREATE INDEX agents_listed ON agents (name, id) WHERE deleted_at IS NULL;

      CREATE TABLE scenarios (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        name text NOT NULL,
        category text NOT NULL,
        scenario_type text NOT NULL,
        severity text NOT NULL DEFAULT 'medium',
        is_active boolean NOT NULL DEFAULT true,
        approved boolean NOT NULL DEFAULT false,
        priority double precision,
        content json NOT NULL,
        rubric_criteria json NOT NULL,
        tags text[] NOT NULL DEFAULT '{}',
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE INDEX scenarios_listed ON scenarios (priority NULLS LAST, name, id) WHERE is_active;
      CREATE INDEX scenarios_tags ON scenarios USING gin (tags);

      CREATE TABLE test_suites (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        name text NOT NULL,
        description text,
        scenario_ids uuid[] NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE INDEX test_suites_listed ON test_suites (name, id);

      CREATE TABLE test_runs (
        id uuid PRIMARY KEY,
        label text NOT NULL UNIQUE,
        name text,
        status text NOT NULL,
        agent_id uuid NOT NULL,
        agent_name text NOT NULL,
        agent_provider text NOT NULL,
        test_suite_id uuid,
        total_scenarios integer NOT NULL,
        max_turns integer NOT NULL,
        concurrency_limit integer NOT NULL,
        pass_threshold double precision NOT NULL,
        error_message text,
        scheduled_at timestamptz(3),
        started_at timestamptz(3),
        completed_at timestamptz(3),
        canceled_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_seq bigint NOT NULL DEFAULT 0,
        attempt integer NOT NULL DEFAULT 0,
        owner uuid,
        heartbeat_at timestamptz(3)
      );
      CREATE INDEX test_runs_newest ON test_runs (created_at DESC, id);
      CREATE INDEX test_runs_newest_by_status ON test_runs (status, created_at DESC, id);
      CREATE INDEX test_runs_by_agent ON test_runs (agent_id);
      CREATE INDEX test_runs_live ON test_runs (heartbeat_at) WHERE status IN ('scheduled', 'pending', 'running');

      CREATE TABLE scenario_runs (
        id uuid PRIMARY KEY,
        test_run_id uuid NOT NULL REFERENCES test_runs ON DELETE CASCADE,
        scenario_id uuid NOT NULL,
        position integer NOT NULL,
        scenario_name text NOT NULL,
        scenario json NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        attempt integer NOT NULL DEFAULT 0,
        conversation integer NOT NULL DEFAULT 1,
        turns integer NOT NULL DEFAULT 0,
        owner uuid,
        heartbeat_at timestamptz(3),
        passed boolean,
        score_percent double precision,
        total_points double precision,
        max_points double precision,
        grade_summary text,
        criteria_results json,
        error_code text,
        error_message text,
        metadata json NOT NULL DEFAULT '{}',
        started_at timestamptz(3),
        completed_at timestamptz(3),
        canceled_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now()
      ) WITH (fillfactor = 80);
      CREATE UNIQUE INDEX scenario_runs_of_run ON scenario_runs (test_run_id, position);
      CREATE INDEX scenario_runs_counted ON scenario_runs (test_run_id, status);
      CREATE INDEX scenario_runs_live ON scenario_runs (test_run_id, id) WHERE status IN ('pending', 'running', 'grading');

      CREATE TABLE turns (
        scenario_run_id uuid NOT NULL REFERENCES scenario_runs ON DELETE CASCADE,
        conversation integer NOT NULL,
        turn integer NOT NULL,
        patient_message text NOT NULL,
        patient_at timestamptz(3) NOT NULL,
        agent_message text NOT NULL,
        agent_at timestamptz(3) NOT NULL,
        latency_ms double precision NOT NULL,
        continuation json,
        metadata json NOT NULL DEFAULT '{}',
        PRIMARY KEY (scenario_run_id, conversation, turn)
      );

      CREATE TABLE run_events (
        test_run_id uuid NOT NULL REFERENCES test_runs ON DELETE CASCADE,
        seq bigint NOT NULL,
        type text NOT NULL,
        at timestamptz(3) NOT NULL DEFAULT now(),
        fields json NOT NULL,
        PRIMARY KEY (test_run_id, seq)
      );
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}
