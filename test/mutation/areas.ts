/** A part of the code with the tests that are to notice a fault in it. */
export interface Area {
  /** For the command's help. */
  readonly idea: string;
  /** Files and folders that are mutated; folders end with a slash, and an exclamation mark leaves out. */
  readonly mutated: readonly string[];
  /** Specs and folders of specs that are run. */
  readonly specs: readonly string[];
  /** Whether the specs store something. */
  readonly needsPostgres: boolean;
}

export const AREAS: Readonly<Record<string, Area>> = {
  machines: {
    idea: 'statecharts, and the rules of the domain: rubric arithmetic, conversations, patients',
    mutated: ['machines/', 'src/domain/', '!src/domain/statistics/'],
    specs: [
      'test/machines/',
      'test/domain/',
      '!test/domain/statistics/',
      'test/features/scenarios/canonical-scenario.spec.ts',
    ],
    needsPostgres: true,
  },
  statistics: {
    idea: 'intervals, tests of significance and power; comparisons of runs, histories, settled rates',
    mutated: ['src/domain/statistics/', 'src/features/statistics/'],
    specs: [
      'test/domain/statistics/',
      'test/features/statistics/',
      ...api(
        'comparison',
        'comparison-by-category',
        'comparison-of-scores',
        'statistics',
        'settled-rates',
        'baselines',
      ),
      ...api('scenario-history', 'agent-history', 'agreement'),
    ],
    needsPostgres: true,
  },
  judge: {
    idea: 'examinations: sheets, votes, control questions, words to the examiner',
    mutated: ['src/examiners/judge/'],
    specs: [
      'test/examiners/judge/',
      'test/examiners/checks/examine-with-checks.spec.ts',
      'test/hostile/judge.attacks.spec.ts',
    ],
    needsPostgres: false,
  },
  tester: {
    idea: 'patients: scripts, speech, the gate that their messages pass, the audit; written scenarios',
    mutated: ['src/examiners/tester/'],
    specs: ['test/examiners/tester/', ...api('patients')],
    needsPostgres: true,
  },
  derived: {
    idea: 'runs made from others: regraded, retried, forked, imported, from transcripts',
    mutated: ['src/features/derived/', 'src/engine/ledger/derived-run.ts', 'src/engine/ledger/imported-run.ts'],
    specs: [
      'test/features/derived/',
      ...api('regrade', 'retry', 'fork', 'transcripts', 'idempotency', 'audit'),
      ...processes('forged-messages'),
    ],
    needsPostgres: true,
  },
  reviews: {
    idea: 'reviews by clinicians: the queue, who may review, agreement among them and with the examiner',
    mutated: ['src/features/reviews/'],
    specs: [
      'test/features/reviews/',
      ...api('reviews', 'review-queue', 'who-reviews', 'agreement', 'report', 'deleted-answers', 'deleted-meanwhile'),
    ],
    needsPostgres: true,
  },
  webhooks: {
    idea: 'notices to other services: what is sent when, signatures, retries, baselines',
    mutated: ['src/features/webhooks/'],
    specs: [
      'test/features/webhooks/',
      ...api('webhooks', 'baselines', 'if-match', 'audit-secrets', 'deleted-answers'),
      ...processes('secrets-at-rest'),
    ],
    needsPostgres: true,
  },
  stream: {
    idea: 'from the commit of an event to the socket of a subscriber',
    mutated: ['src/features/stream/'],
    specs: ['test/features/stream/', ...api('events', 'events-of-a-run')],
    needsPostgres: true,
  },
  ledger: {
    idea: 'every write of runs; what is SQL is not mutated',
    mutated: ['src/engine/ledger/'],
    specs: [
      'test/engine/ledger/',
      'test/features/stream/event-log.spec.ts',
      'test/platform/database/upgrade.spec.ts',
      'test/engine/actors/attempt-leases.spec.ts',
      'test/engine/actors/executions.spec.ts',
      'test/engine/actors/supervision.spec.ts',
      'test/features/runs/',
      ...api('regrade', 'retry', 'fork', 'transcripts', 'cancel-run', 'start-run', 'commit-in-doubt', 'trials'),
    ],
    needsPostgres: true,
  },
  actors: {
    idea: 'live actors, leases, work intake, cancellation, recovery',
    mutated: ['src/engine/actors/'],
    specs: [
      'test/engine/actors/',
      ...api(
        'cancel-run',
        'capacity',
        'unexecutable',
        'examiners',
        'patients',
        'start-run',
        'health',
        'what-was-examined',
      ),
    ],
    needsPostgres: true,
  },
  providers: {
    idea: 'agents over HTTP: requests, retries, pacing, secrets',
    mutated: ['src/agents/', '!src/agents/browser/', '!src/agents/livekit/', '!src/agents/pipecat/'],
    specs: [
      'test/agents/',
      '!test/agents/browser/',
      '!test/agents/livekit/',
      '!test/agents/pipecat/',
      ...api('targets', 'secret-paths', 'masked-configs', 'echoing-agents', 'measured-requests', 'try-agent'),
    ],
    needsPostgres: true,
  },
  bus: {
    idea: 'publish, subscribe, request and work queue, in this process and over NATS',
    mutated: ['src/engine/bus/'],
    specs: [
      'test/engine/bus/',
      ...processes('bus.nats', 'bus.nats-waits', 'bus.nats-outages', 'nats-work-stream', 'nats-work-consumer'),
      ...processes('nats-link', 'nats-admission', 'nats-credentials'),
    ],
    needsPostgres: true,
  },
};

function api(...names: readonly string[]): string[] {
  return names.map((name) => `test/api/${name}.spec.ts`);
}

function processes(...names: readonly string[]): string[] {
  return names.map((name) => `test/processes/${name}.spec.ts`);
}
