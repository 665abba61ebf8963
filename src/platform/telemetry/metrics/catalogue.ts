import { ERROR_CODES, PROVIDER_KINDS, FINAL_SCENARIO_RUN_STATUSES, FINAL_TEST_RUN_STATUSES } from '../../../domain';

/**
 * How a call to the world outside ended. canceled: its caller no longer waited, since its run was canceled, its lease lost or
 * this process stopped; it says nothing about the other side.
 */
const CALL_OUTCOMES = [
  'ok',
  'hung_up',
  'timed_out',
  'unreachable',
  'key_refused',
  'rate_limited',
  'misconfigured',
  'refused',
  'unusable',
  'failed',
  'canceled',
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** Every value a label may have. Another one is written as `other`, so that no client or agent can make new series. */
type Values = readonly string[];

/** Values that only the operator knows, when the service starts: the models that the settings name, with their prefix, and the version. */
export const NAMED: Values = [];
/** What is written in place of any other value. */
export const OTHER = 'other';

interface Entry {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** One sentence for the reader of the number. */
  readonly help: string;
  readonly labels: Readonly<Record<string, Values>>;
  /** `service`: read from the rows, the same on every process; take the largest, never the sum. */
  readonly scope?: 'service';
  /** How those of several worker processes make one; by default the sum. */
  readonly together?: 'max' | 'min';
  readonly buckets?: readonly number[];
}

const NONE = {};
const PARTIES = ['agent', 'tester', 'judge', 'generator', 'webhook'] as const;
const CALL_KINDS = [...PROVIDER_KINDS, 'anthropic'] as const;
const EXAMINERS = ['tester', 'judge', 'generator'] as const;
const LEDGERS = ['changes', 'claims'] as const;
const POOLS = ['engine', 'requests'] as const;

const SHORT = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const CALL = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const WAIT = [0.05, 0.25, 1, 5, 15, 60, 300, 900, 3_600, 14_400];
const BATCH = [1, 2, 5, 10, 20, 50, 100, 200];

/** Every metric of our own: its type, its labels and all the values that these may have, and what it means. docs/metrics.md is made from it. */
export const CATALOGUE = {
  osce_build_info: {
    type: 'gauge',
    help: 'Always 1; its label says which version runs.',
    labels: { version: NAMED },
    together: 'max',
  },
  osce_ready: {
    type: 'gauge',
    help: 'Whether /health/ready of this process answers 200 (1) or 503 (0); 0 also when it does not know within 2 s.',
    labels: NONE,
    together: 'min',
  },
  osce_test_runs: {
    type: 'gauge',
    help: 'Test runs that have not ended, by status, over all processes. Counted up to 100,000.',
    labels: { status: ['scheduled', 'pending', 'running'] },
    scope: 'service',
    together: 'max',
  },
  osce_scenario_runs: {
    type: 'gauge',
    help: 'Scenario runs that have not ended, of runs that are under way, by status, over all processes. Counted up to 100,000.',
    labels: { status: ['pending', 'running', 'grading'] },
    scope: 'service',
    together: 'max',
  },
  osce_test_runs_ended_total: {
    type: 'counter',
    help: 'Test runs whose end this process has written, by final status.',
    labels: { status: FINAL_TEST_RUN_STATUSES },
  },
  osce_scenario_runs_started_total: {
    type: 'counter',
    help: 'Scenario runs that this process has begun to execute; repeated: an attempt above 1, after another attempt ended early.',
    labels: { attempt: ['first', 'repeated'] },
  },
  osce_scenario_runs_ended_total: {
    type: 'counter',
    help: 'Scenario runs whose end this process has written, by final status.',
    labels: { status: FINAL_SCENARIO_RUN_STATUSES },
  },
  osce_scenario_run_errors_total: {
    type: 'counter',
    help: 'Scenario runs that have ended in an error, by its code.',
    labels: { code: ERROR_CODES },
  },
  osce_turns_total: {
    type: 'counter',
    help: 'Turns of conversations that this process has recorded.',
    labels: NONE,
  },
  osce_live_scenario_runs: {
    type: 'gauge',
    help: 'Scenario runs that this process executes now.',
    labels: NONE,
  },
  osce_scenario_run_slots: {
    type: 'gauge',
    help: 'Scenario runs that this process may execute at a time (MAX_ACTIVE_SCENARIOS).',
    labels: NONE,
  },
  osce_queue_wait_seconds: {
    type: 'histogram',
    help: 'From the moment a scenario run was put into the queue, its run having room for it, to its first start.',
    labels: NONE,
    buckets: WAIT,
  },
  osce_leases_lost_total: {
    type: 'counter',
    help: 'Scenario runs that another process took over while this one still executed them.',
    labels: NONE,
  },
  osce_outside_call_duration_seconds: {
    type: 'histogram',
    help: 'Calls to agents, language models and webhooks, retries and waiting for a rate limit included, by how they ended.',
    labels: {
      to: PARTIES,
      kind: CALL_KINDS,
      call: ['connect', 'reply', 'answer', 'delivery'],
      outcome: CALL_OUTCOMES,
    },
    buckets: CALL,
  },
  osce_outside_calls_in_flight: {
    type: 'gauge',
    help: 'Calls to agents, language models and webhooks that this process waits for now.',
    labels: { to: PARTIES, kind: CALL_KINDS },
  },
  osce_model_tokens_total: {
    type: 'counter',
    help: 'Tokens of language models. input is the whole prompt; cache_read and cache_write are parts of it.',
    labels: { to: EXAMINERS, model: NAMED, kind: ['input', 'cache_read', 'cache_write', 'output'] },
  },
  osce_model_cost_usd_total: {
    type: 'counter',
    help: 'What answers of language models have cost by list price, in US dollars. Answers without a known price are not in it.',
    labels: { to: EXAMINERS, model: NAMED },
  },
  osce_model_answers_total: {
    type: 'counter',
    help: 'Answers of language models, those that could not be used included, and whether their price is known.',
    labels: { to: EXAMINERS, model: NAMED, priced: ['yes', 'no'] },
  },
  osce_recordings_bytes: {
    type: 'gauge',
    help: 'What recordings of spoken conversations take on the disk of the database.',
    labels: NONE,
    scope: 'service',
    together: 'max',
  },
  osce_spend_today_usd: {
    type: 'gauge',
    help: 'What language models have cost today (UTC) over all processes, in US dollars. Only with MAX_SPEND_USD_PER_DAY.',
    labels: NONE,
    scope: 'service',
    together: 'max',
  },
  osce_spend_limit_usd: {
    type: 'gauge',
    help: 'MAX_SPEND_USD_PER_DAY, when it is set.',
    labels: NONE,
    scope: 'service',
    together: 'max',
  },
  osce_commit_duration_seconds: {
    type: 'histogram',
    help: 'Group commits: changes of scenario runs, and claims of them. locked_out: a run was locked by somebody else, and is written again by itself.',
    labels: { ledger: LEDGERS, outcome: ['committed', 'locked_out', 'failed'] },
    buckets: SHORT,
  },
  osce_commit_changes: {
    type: 'histogram',
    help: 'Changes or claims in one commit.',
    labels: { ledger: LEDGERS },
    buckets: BATCH,
  },
  osce_database_connections: {
    type: 'gauge',
    help: 'Connections of this process to PostgreSQL. engine: leases and turns; requests: all else.',
    labels: { pool: POOLS, state: ['in_use', 'idle'] },
  },
  osce_database_connections_limit: {
    type: 'gauge',
    help: 'The most connections that a pool opens; together DATABASE_POOL_SIZE.',
    labels: { pool: POOLS },
  },
  osce_database_waiting: {
    type: 'gauge',
    help: 'Statements that wait for a connection.',
    labels: { pool: POOLS },
  },
  osce_event_lag_seconds: {
    type: 'histogram',
    help: 'From the moment of an event, by the clock of PostgreSQL, to its being written to those who watch its run on this process.',
    labels: NONE,
    buckets: SHORT,
  },
  osce_event_streams: {
    type: 'gauge',
    help: 'Event streams open on this process, of runs and of inspected actors.',
    labels: NONE,
  },
  osce_event_streams_limit: {
    type: 'gauge',
    help: 'Event streams that this process serves at a time (MAX_EVENT_STREAMS).',
    labels: NONE,
  },
  osce_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Requests to this process, probes, scrapes and event streams left out, by method and the first digit of the status. gone: the client left first.',
    labels: {
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      status: ['1xx', '2xx', '3xx', '4xx', '5xx', 'gone'],
    },
    buckets: SHORT,
  },
  osce_retention_deleted_total: {
    type: 'counter',
    help: 'What this process has deleted because of RETENTION_DAYS, and of recordings because of RECORDINGS_DAYS or KEEP_RECORDINGS.',
    labels: { what: ['test_run', 'recording_piece'] },
  },
  osce_retention_failures_total: {
    type: 'counter',
    help: 'Rounds of deleting old runs, of clearing away what deleted ones left, or of erasing deleted agents, that failed; each is tried again.',
    labels: NONE,
  },
  osce_audit_failures_total: {
    type: 'counter',
    help: 'Changes whose entry in the audit trail could not be written.',
    labels: NONE,
  },
  osce_metrics_failures_total: {
    type: 'counter',
    help: 'Gauges that could not be read for a scrape, and are missing from it.',
    labels: NONE,
  },
} as const satisfies Readonly<Record<string, Entry>>;

type Catalogue = typeof CATALOGUE;
export type MetricName = keyof Catalogue;
type NameOf<Type extends Entry['type']> = {
  [Name in MetricName]: Catalogue[Name]['type'] extends Type ? Name : never;
}[MetricName];
export type CounterName = NameOf<'counter'>;
export type GaugeName = NameOf<'gauge'>;
export type HistogramName = NameOf<'histogram'>;
export type LabelsOf<Name extends MetricName> = {
  readonly [
    Label in keyof Catalogue[Name]['labels']
  ]: Catalogue[Name]['labels'][Label] extends readonly (infer Value extends string)[] ? Value : never;
};

/** The catalogue as a table. */
export const METRICS: readonly (readonly [MetricName, Entry])[] = (Object.keys(CATALOGUE) as MetricName[]).map(
  (name) => [name, CATALOGUE[name]] as const,
);
