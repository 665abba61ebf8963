import type { MigrationInterface, QueryRunner } from 'typeorm';
import { APPEND, CLAIM, readFunction, RECORD } from '../src/engine/ledger/functions';

/**
 * Every table of 0.1.0, the first release. Documents that a client sends (config, content, rubric) are `json`, not `jsonb`: they come
 * back exactly as they were sent. Until 0.1.0 is released its tables still change, and the digits of the name with them: so the tables
 * of an earlier build are refused at the start, and not missed later on.
 */
export class Baseline1797100000000 implements MigrationInterface {
  readonly name = 'Baseline1797100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const tables of [SCENARIOS, RUNS, AGENTS, WHAT_RUNS_LEAVE, WEBHOOKS, SCHEDULES, CALIBRATIONS, SERVICE]) {
      await queryRunner.query(tables);
    }
    for (const { file } of [APPEND, RECORD, CLAIM]) await queryRunner.query(readFunction(file));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

/** Scenarios are instruments with revisions, and an approval is that of one revision. */
const SCENARIOS = `
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
    revision integer NOT NULL DEFAULT 1,
    content_hash text NOT NULL,
    approved_by text,
    approved_role text,
    approved_at timestamptz(3),
    approved_revision integer,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX scenarios_listed ON scenarios (priority NULLS LAST, name, id) WHERE is_active;
  CREATE INDEX scenarios_tags ON scenarios USING gin (tags);

  CREATE TABLE scenario_revisions (
    scenario_id uuid NOT NULL,
    revision integer NOT NULL,
    content_hash text NOT NULL,
    content json NOT NULL,
    rubric_criteria json NOT NULL,
    approved_by text,
    approved_role text,
    approved_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (scenario_id, revision)
  );

  CREATE TABLE test_suites (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text NOT NULL,
    description text,
    scenario_ids uuid[] NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX test_suites_listed ON test_suites (name, id)`;

/**
 * `last_seq` numbers a run's events; its row lock is what makes sequence order equal commit order. The counts beside it are those of
 * the run's rows (append-run-events).
 *
 * A run is deleted by its own row, in a moment, whatever its size: everything that is read finds a run by that row. What belonged to it
 * is noted by a trigger and cleared away in pieces. So no foreign key leads from what is large to the run: with one, deleting a run
 * would be a single transaction over all of its turns and events. What was still going on in it is called off in the same moment: its
 * executors are refused from then on.
 *
 * A derived run has no foreign key to its source, and a twin none to the first of its family: they are read on when that one is deleted.
 *
 * Runs that were started together are a set, which goes with the last of them.
 *
 * A run that calibrates a judge (`calibrated_judge`) is no test of an agent: lists, histories and webhooks leave it out.
 */
const RUNS = `
  CREATE TABLE run_sets (
    id uuid PRIMARY KEY,
    name text,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE TABLE test_runs (
    id uuid PRIMARY KEY,
    label text NOT NULL UNIQUE,
    name text,
    note text,
    tags text[] NOT NULL DEFAULT '{}',
    status text NOT NULL,
    agent_id uuid NOT NULL,
    agent_name text NOT NULL,
    agent_provider text NOT NULL,
    agent_config json,
    agent_config_hash text,
    agent_version text,
    test_suite_id uuid,
    run_set_id uuid CONSTRAINT test_runs_run_set_id_fkey REFERENCES run_sets,
    run_set_place integer,
    total_scenarios integer NOT NULL,
    trials integer NOT NULL DEFAULT 1,
    max_turns integer NOT NULL,
    concurrency_limit integer NOT NULL,
    pass_threshold double precision NOT NULL,
    region text,
    tester_model text,
    judge_model text,
    modality text NOT NULL DEFAULT 'text' CONSTRAINT test_runs_modality_check CHECK (modality IN ('text', 'spoken')),
    spoken jsonb,
    twin_of uuid,
    derived_from uuid,
    derivation text,
    calibrated_judge jsonb,
    error_message text,
    scheduled_at timestamptz(3),
    started_at timestamptz(3),
    completed_at timestamptz(3),
    canceled_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    last_seq bigint NOT NULL DEFAULT 0,
    passed_count integer NOT NULL DEFAULT 0,
    failed_count integer NOT NULL DEFAULT 0,
    error_count integer NOT NULL DEFAULT 0,
    canceled_count integer NOT NULL DEFAULT 0,
    attempt integer NOT NULL DEFAULT 0,
    owner uuid,
    heartbeat_at timestamptz(3),
    failed_supervisions integer NOT NULL DEFAULT 0,
    CONSTRAINT test_runs_spoken_check CHECK ((modality = 'spoken') = (spoken IS NOT NULL))
  );
  CREATE INDEX test_runs_newest ON test_runs (created_at DESC, id) WHERE calibrated_judge IS NULL;
  CREATE INDEX test_runs_newest_by_status ON test_runs (status, created_at DESC, id) WHERE calibrated_judge IS NULL;
  CREATE INDEX test_runs_calibrating ON test_runs (created_at DESC, id) WHERE calibrated_judge IS NOT NULL;
  CREATE INDEX test_runs_by_agent ON test_runs (agent_id);
  CREATE INDEX test_runs_by_agent_config ON test_runs (agent_config_hash);
  CREATE INDEX test_runs_by_source ON test_runs (derived_from) WHERE derived_from IS NOT NULL;
  CREATE INDEX test_runs_by_twin ON test_runs (twin_of) WHERE twin_of IS NOT NULL;
  CREATE INDEX test_runs_by_set ON test_runs (run_set_id) WHERE run_set_id IS NOT NULL;
  CREATE INDEX test_runs_live ON test_runs (heartbeat_at) WHERE status IN ('scheduled', 'pending', 'running');

  CREATE TABLE scenario_runs (
    id uuid PRIMARY KEY,
    test_run_id uuid NOT NULL,
    scenario_id uuid NOT NULL,
    scenario_revision integer,
    scenario_content_hash text,
    position integer NOT NULL,
    trial integer NOT NULL DEFAULT 1,
    patient json NOT NULL DEFAULT '{"style":"cooperative","language":"en"}',
    scenario_name text NOT NULL,
    scenario json NOT NULL,
    -- Points and tags of the copy's criteria, where runs are compared by them: to unpack 20,000 copies would take longer than all else.
    rubric_kinds text NOT NULL DEFAULT '[]',
    source_scenario_run_id uuid,
    carried boolean NOT NULL DEFAULT false,
    kept_turns integer,
    given_message text,
    played_by json,
    examination json,
    status text NOT NULL DEFAULT 'pending',
    attempt integer NOT NULL DEFAULT 0,
    conversation integer NOT NULL DEFAULT 1,
    turns integer NOT NULL DEFAULT 0,
    owner uuid,
    heartbeat_at timestamptz(3),
    clean_release_attempt integer,
    ended_by text,
    unanswered_message text,
    closing_acts json,
    passed boolean,
    score_percent double precision,
    total_points double precision,
    max_points double precision,
    grade_summary text,
    criteria_results json,
    decisions text,
    error_code text,
    error_message text,
    metadata json NOT NULL DEFAULT '{}',
    examiners json,
    findings json,
    started_at timestamptz(3),
    completed_at timestamptz(3),
    canceled_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now()
  ) WITH (fillfactor = 80, toast_tuple_target = 768);
  -- In the row: what statistics read.
  ALTER TABLE scenario_runs ALTER COLUMN patient SET STORAGE MAIN, ALTER COLUMN examiners SET STORAGE MAIN,
    ALTER COLUMN findings SET STORAGE MAIN;
  CREATE UNIQUE INDEX scenario_runs_of_run ON scenario_runs (test_run_id, position);
  CREATE INDEX scenario_runs_counted ON scenario_runs (test_run_id, status);
  CREATE INDEX scenario_runs_live ON scenario_runs (test_run_id, id) WHERE status IN ('pending', 'running', 'grading');
  -- What is under way in a run, and nothing else, by an expression that no other index serves: how a claim counts must not depend on when
  -- statistics were gathered.
  CREATE INDEX scenario_runs_owned ON scenario_runs ((test_run_id::text)) WHERE owner IS NOT NULL;
  CREATE INDEX scenario_runs_verdicts ON scenario_runs (scenario_id, completed_at) WHERE status IN ('passed', 'failed');

  CREATE TABLE turns (
    scenario_run_id uuid NOT NULL REFERENCES scenario_runs ON DELETE CASCADE,
    conversation integer NOT NULL,
    turn integer NOT NULL,
    patient_message text NOT NULL,
    patient_at timestamptz(3) NOT NULL,
    agent_message text NOT NULL,
    agent_at timestamptz(3) NOT NULL,
    latency_ms double precision,
    continuation json,
    metadata json NOT NULL DEFAULT '{}',
    PRIMARY KEY (scenario_run_id, conversation, turn)
  );

  CREATE TABLE run_log (
    test_run_id uuid NOT NULL,
    seq bigint NOT NULL,
    type text NOT NULL,
    at timestamptz(3) NOT NULL DEFAULT now(),
    fields json NOT NULL,
    scenario_run_id uuid,
    conversation integer,
    turn integer,
    PRIMARY KEY (test_run_id, seq)
  );
  CREATE INDEX run_log_by_scenario_run ON run_log (scenario_run_id) WHERE scenario_run_id IS NOT NULL;

  CREATE TABLE deleted_test_runs (
    test_run_id uuid PRIMARY KEY,
    deleted_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE FUNCTION note_deleted_test_run() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE scenario_runs SET status = 'canceled', owner = NULL
      WHERE test_run_id = OLD.id AND status IN ('pending', 'running', 'grading');
      INSERT INTO deleted_test_runs (test_run_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
      UPDATE idempotency_keys SET is_gone = true, answer = '{}' WHERE about @> ARRAY[OLD.id] AND answer IS NOT NULL;
      -- In this order: a comparison that is just ending is waited for, and the delivery that it makes is then seen.
      DELETE FROM webhook_comparisons WHERE test_run_id = OLD.id;
      DELETE FROM webhook_deliveries WHERE test_run_id = OLD.id;
      IF OLD.run_set_id IS NOT NULL THEN
        -- Of two that delete the last two runs of a set, the second sees what the first has left.
        PERFORM FROM run_sets WHERE id = OLD.run_set_id FOR UPDATE;
        DELETE FROM run_sets s WHERE s.id = OLD.run_set_id
          AND NOT EXISTS (SELECT FROM test_runs t WHERE t.run_set_id = s.id);
      END IF;
      RETURN NULL;
    END $$;
  CREATE TRIGGER test_runs_note_deletion AFTER DELETE ON test_runs FOR EACH ROW
    EXECUTE FUNCTION note_deleted_test_run()`;

const AGENTS = `
  CREATE TABLE agents (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    provider text NOT NULL,
    name text NOT NULL,
    description text,
    config json NOT NULL,
    is_active boolean NOT NULL DEFAULT true,
    baseline_test_run_id uuid CONSTRAINT agents_baseline_test_run_id_fkey REFERENCES test_runs ON DELETE SET NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    deleted_at timestamptz(3)
  );
  CREATE INDEX agents_listed ON agents (name, id) WHERE deleted_at IS NULL;

  -- When the next request to an agent may be sent, for all processes together. One row for each credential that has a limit; the key
  -- is a digest. Unlogged: what a crash of the server empties is at most one pause between two requests.
  CREATE UNLOGGED TABLE request_budgets (
    key text PRIMARY KEY,
    free_at timestamptz NOT NULL
  ) WITH (fillfactor = 50)`;

const WHAT_RUNS_LEAVE = `
  -- The pairs of tester and judge that really examined in a run. Without a foreign key, whose check would wait for the lock of the run.
  CREATE TABLE run_examiners (
    test_run_id uuid NOT NULL,
    tester jsonb NOT NULL,
    judge jsonb NOT NULL,
    noted_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (test_run_id, tester, judge)
  );

  -- What the page of a browser agent showed when its scenario run failed. \`attempt\` is the one that saw it: a screenshot of an attempt
  -- that did not come to end the scenario run is never shown, and the next one replaces it.
  CREATE TABLE screenshots (
    scenario_run_id uuid PRIMARY KEY REFERENCES scenario_runs ON DELETE CASCADE,
    attempt integer NOT NULL,
    jpeg bytea NOT NULL,
    taken_at timestamptz(3) NOT NULL DEFAULT now()
  );
  ALTER TABLE screenshots ALTER COLUMN jpeg SET STORAGE EXTERNAL;

  -- What was said and heard in a spoken conversation: pieces of at most some seconds, 16,000 samples a second, on the time of its call.
  -- Compressed by whoever writes them. kept_at: the oldest are removed after RECORDINGS_DAYS.
  CREATE TABLE recording_pieces (
    scenario_run_id uuid NOT NULL CONSTRAINT recording_pieces_scenario_run_id_fkey REFERENCES scenario_runs ON DELETE CASCADE,
    attempt integer NOT NULL,
    track text NOT NULL CONSTRAINT recording_pieces_track_check CHECK (track IN ('patient', 'agent')),
    first_sample bigint NOT NULL,
    samples integer NOT NULL,
    sha256 text NOT NULL,
    bytes bytea NOT NULL,
    kept_at timestamptz(3) NOT NULL DEFAULT now(),
    -- Set once the others of its conversation were removed (KEEP_RECORDINGS=evidence).
    holds_evidence boolean NOT NULL DEFAULT false,
    PRIMARY KEY (scenario_run_id, attempt, track, first_sample)
  );
  ALTER TABLE recording_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;
  CREATE INDEX recording_pieces_by_age ON recording_pieces (kept_at);
  CREATE INDEX recording_pieces_undecided ON recording_pieces (scenario_run_id) WHERE NOT holds_evidence;

  -- What people decided about marked conversations. Rows are only ever added, numbered within their scenario run; each keeps what all
  -- reviews up to it say together, so that the last one tells the effective verdict.
  CREATE TABLE reviews (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    scenario_run_id uuid NOT NULL CONSTRAINT reviews_scenario_run_id_fkey REFERENCES scenario_runs ON DELETE CASCADE,
    number integer NOT NULL,
    reviewer text NOT NULL,
    role text NOT NULL,
    blind boolean NOT NULL,
    global_rating integer,
    comment text NOT NULL,
    criteria json NOT NULL,
    passed boolean NOT NULL,
    score_percent double precision NOT NULL,
    effective_passed boolean NOT NULL,
    effective_score_percent double precision NOT NULL,
    disagreements integer NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    key_name text,
    not_blind_because text,
    CONSTRAINT reviews_numbered UNIQUE (scenario_run_id, number)
  );

  -- Which service key was shown how a conversation was marked, and what others decided about it: whether a review is blind is known from
  -- here and not from its writer. One row for a key and a run, or a scenario run. The caller is empty where a service without keys has
  -- shown it: then anybody may have seen it.
  CREATE TABLE shown_marks (
    test_run_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    caller text NOT NULL,
    what text NOT NULL,
    shown_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (test_run_id, subject_id, caller, what)
  )`;

/** The trigger notes the end of a run for its webhooks in the transaction that ends it. */
const WEBHOOKS = `
  CREATE TABLE webhooks (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    url text NOT NULL,
    description text,
    events text[] NOT NULL,
    secret text NOT NULL,
    previous_secret text,
    previous_secret_expires_at timestamptz(3),
    is_active boolean NOT NULL DEFAULT true,
    disabled_reason text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE TABLE webhook_deliveries (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    webhook_id uuid NOT NULL CONSTRAINT webhook_deliveries_webhook_id_fkey REFERENCES webhooks ON DELETE CASCADE,
    type text NOT NULL,
    test_run_id uuid,
    payload json,
    status text NOT NULL DEFAULT 'pending',
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz(3) DEFAULT now(),
    claim uuid,
    last_attempt_at timestamptz(3),
    last_status_code integer,
    last_error text,
    response_excerpt text,
    delivered_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT webhook_deliveries_once UNIQUE (webhook_id, type, test_run_id)
  );
  CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at) WHERE status = 'pending';
  CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, created_at);
  CREATE TABLE webhook_comparisons (
    test_run_id uuid PRIMARY KEY,
    baseline_test_run_id uuid NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
    claim uuid
  );
  CREATE FUNCTION note_end_of_test_run() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO webhook_deliveries (webhook_id, type, test_run_id)
      SELECT w.id, 'test_run.finished', NEW.id FROM webhooks w
      WHERE w.is_active AND 'test_run.finished' = ANY (w.events) FOR KEY SHARE
      ON CONFLICT DO NOTHING;
      IF NEW.status = 'completed' THEN
        INSERT INTO webhook_comparisons (test_run_id, baseline_test_run_id)
        SELECT NEW.id, a.baseline_test_run_id FROM agents a
        WHERE a.id = NEW.agent_id AND a.baseline_test_run_id <> NEW.id
          AND EXISTS (SELECT FROM webhooks w WHERE w.is_active AND 'comparison.worse' = ANY (w.events))
        ON CONFLICT DO NOTHING;
      END IF;
      RETURN NULL;
    END $$;
  CREATE TRIGGER test_runs_note_end AFTER UPDATE OF status ON test_runs FOR EACH ROW
    WHEN (OLD.status IS DISTINCT FROM NEW.status AND NEW.status IN ('completed', 'failed', 'canceled')
      AND NEW.calibrated_judge IS NULL)
    EXECUTE FUNCTION note_end_of_test_run()`;

/**
 * Runs that start again and again. A start moves `next_at` on in the transaction that stores its run: both happen once, or neither. The
 * history has no foreign key to the run, which may be deleted.
 */
const SCHEDULES = `
  CREATE TABLE schedules (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text NOT NULL CONSTRAINT schedules_name UNIQUE,
    run json NOT NULL,
    cron text NOT NULL,
    time_zone text NOT NULL,
    gate json,
    overlap text NOT NULL,
    is_enabled boolean NOT NULL,
    next_at timestamptz(3),
    revision integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX schedules_due ON schedules (next_at);
  CREATE TABLE schedule_starts (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    schedule_id uuid NOT NULL CONSTRAINT schedule_starts_schedule_id_fkey REFERENCES schedules ON DELETE CASCADE,
    due_at timestamptz(3) NOT NULL,
    missed_until timestamptz(3),
    missed integer,
    is_manual boolean NOT NULL,
    outcome text NOT NULL,
    sentence text,
    test_run_id uuid,
    gate json,
    gate_verdict text,
    gate_sentence text,
    claim uuid,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz(3),
    noted_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX schedule_starts_newest ON schedule_starts (schedule_id, noted_at);
  CREATE UNIQUE INDEX schedule_starts_once ON schedule_starts (schedule_id, due_at) WHERE NOT is_manual;
  CREATE INDEX schedule_starts_of_run ON schedule_starts (schedule_id, test_run_id) WHERE test_run_id IS NOT NULL;
  CREATE INDEX schedule_starts_undecided ON schedule_starts (next_attempt_at) WHERE next_attempt_at IS NOT NULL`;

/**
 * How far judges agree with what people decided. A calibration is a run, whose scenario runs are the labelled transcripts, once for each
 * repeat; beside it are the labels, and what came of comparing them. It is deleted with its run.
 */
const CALIBRATIONS = `
  CREATE TABLE calibrations (
    id uuid PRIMARY KEY CONSTRAINT calibrations_id_fkey REFERENCES test_runs ON DELETE CASCADE,
    source text NOT NULL,
    criteria integer NOT NULL,
    result json
  );
  CREATE INDEX calibrations_unfinished ON calibrations (id) WHERE result IS NULL;
  CREATE TABLE calibration_items (
    calibration_id uuid NOT NULL CONSTRAINT calibration_items_calibration_id_fkey REFERENCES calibrations ON DELETE CASCADE,
    position integer NOT NULL,
    item_id text NOT NULL,
    criteria json NOT NULL,
    PRIMARY KEY (calibration_id, position)
  )`;

/**
 * What the service keeps for itself. An answer that is kept for a repeated request names what it is about: triggers empty it in the
 * transaction of a deletion, and the repeated request is told that it is gone.
 */
const SERVICE = `
  -- The processes that are at work on this database, each with when it was last seen and who may play and mark in it.
  CREATE UNLOGGED TABLE processes (
    id uuid PRIMARY KEY,
    bus text NOT NULL,
    testers jsonb NOT NULL,
    judges jsonb NOT NULL,
    started_at timestamptz(3) NOT NULL DEFAULT now(),
    seen_at timestamptz(3) NOT NULL DEFAULT now()
  ) WITH (fillfactor = 50);

  CREATE TABLE idempotency_keys (
    key_hash bytea PRIMARY KEY,
    request_hash bytea NOT NULL,
    claim uuid NOT NULL,
    leased_until timestamptz(3) NOT NULL,
    answer json,
    about uuid[] NOT NULL DEFAULT '{}',
    is_gone boolean NOT NULL DEFAULT false,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX idempotency_keys_oldest ON idempotency_keys (created_at);
  CREATE INDEX idempotency_keys_about ON idempotency_keys USING gin (about);
  CREATE FUNCTION forget_answers_about_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE idempotency_keys SET is_gone = true, answer = '{}' WHERE about @> ARRAY[OLD.id] AND answer IS NOT NULL;
      RETURN NULL;
    END $$;
  CREATE TRIGGER scenarios_forget_answers AFTER DELETE ON scenarios FOR EACH ROW
    EXECUTE FUNCTION forget_answers_about_deleted();
  CREATE TRIGGER test_suites_forget_answers AFTER DELETE ON test_suites FOR EACH ROW
    EXECUTE FUNCTION forget_answers_about_deleted();
  CREATE TRIGGER webhooks_forget_answers AFTER DELETE ON webhooks FOR EACH ROW
    EXECUTE FUNCTION forget_answers_about_deleted();
  CREATE TRIGGER schedules_forget_answers AFTER DELETE ON schedules FOR EACH ROW
    EXECUTE FUNCTION forget_answers_about_deleted();

  -- Who asked for which change, when, and how it ended: one row a request, written before the change is begun and completed after it.
  CREATE TABLE audit_records (
    number bigserial PRIMARY KEY,
    at timestamptz(3) NOT NULL DEFAULT now(),
    who text NOT NULL,
    role text NOT NULL,
    address text,
    method text NOT NULL,
    route text NOT NULL,
    resource text NOT NULL,
    resource_ids text[] NOT NULL DEFAULT '{}',
    fields text[] NOT NULL DEFAULT '{}',
    request_id text,
    alive_until timestamptz(3) NOT NULL,
    status integer,
    replayed boolean NOT NULL DEFAULT false,
    completed_at timestamptz(3)
  );
  CREATE INDEX audit_records_by_time ON audit_records (at);
  CREATE INDEX audit_records_by_resource ON audit_records USING gin (resource_ids);

  -- What the examiners' language models cost by list price, one row a UTC day, over all processes. Deleted runs stay spent.
  CREATE TABLE model_spend (
    day date PRIMARY KEY,
    usd float8 NOT NULL
  ) WITH (fillfactor = 50);

  -- Tables whose files may still hold plain text of what has been sealed since: kept until they have been written anew.
  CREATE TABLE pending_table_rewrites (
    table_name text PRIMARY KEY,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
    claim uuid
  );

  -- Keys that admins made for programs: what their secrets hash to, never the secrets.
  CREATE TABLE service_keys (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text NOT NULL,
    role text NOT NULL,
    digest bytea NOT NULL CONSTRAINT service_keys_digest UNIQUE,
    hint text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    created_by text NOT NULL,
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    revoked_at timestamptz(3),
    revoked_by text
  );
  CREATE UNIQUE INDEX service_keys_live_name ON service_keys (name) WHERE revoked_at IS NULL;

  -- Who has signed in: a person is what the provider calls their subject, and has a name that no other person has.
  CREATE TABLE people (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    issuer text NOT NULL,
    subject text NOT NULL,
    name text NOT NULL CONSTRAINT people_name UNIQUE,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT people_subject UNIQUE (issuer, subject)
  );
  CREATE TABLE sessions (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    digest bytea NOT NULL CONSTRAINT sessions_digest UNIQUE,
    -- No reference: a backup holds people and no sessions. A session of nobody is none.
    person_id uuid NOT NULL,
    role text NOT NULL,
    id_token text,
    refresh_token text,
    expires_at timestamptz(3) NOT NULL,
    renew_at timestamptz(3),
    renewed_by uuid,
    was_away boolean NOT NULL DEFAULT false,
    ended_because text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX sessions_by_end ON sessions (expires_at);

  -- The one row that health writes to see whether PostgreSQL still takes writes; room on its page for updates in place.
  CREATE TABLE write_probe (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    written_at timestamptz NOT NULL
  ) WITH (fillfactor = 10)`;
