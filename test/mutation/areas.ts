/** A part of the code with the tests that are to notice a fault in it. */
export interface Area {
  /** For the command's help. */
  readonly idea: string;
  /** Globs of the files that are mutated. */
  readonly mutated: readonly string[];
  /** Globs of the specs that are run, below `test`. */
  readonly specs: readonly string[];
  /** Whether the specs store something. */
  readonly needsPostgres: boolean;
}

export const AREAS: Readonly<Record<string, Area>> = {
  machines: {
    idea: 'statecharts, and the rules of the domain: rubric arithmetic, conversations, patients',
    mutated: ['machines/*.ts', 'src/domain/*.ts'],
    specs: ['machines/*.spec.ts', 'domain/*.spec.ts'],
    needsPostgres: false,
  },
  judge: {
    idea: 'examinations: sheets, votes, control questions, words to the examiner',
    mutated: ['src/examiners/judge/*.ts', '!src/examiners/judge/*.module.ts', '!src/examiners/judge/prompts.ts'],
    specs: ['examiners/judge/*.spec.ts'],
    needsPostgres: false,
  },
  stream: {
    idea: 'from the commit of an event to the socket of a subscriber',
    mutated: ['src/features/stream/*.ts', '!src/features/stream/*.module.ts'],
    specs: ['features/stream/*.spec.ts', 'api/events.spec.ts', 'api/events-of-a-run.spec.ts'],
    needsPostgres: true,
  },
  ledger: {
    idea: 'every write of runs; what is SQL is not mutated',
    mutated: ['src/engine/ledger/*.ts'],
    specs: [
      'engine/ledger/*.spec.ts',
      'features/stream/event-log.spec.ts',
      'platform/database/upgrade.spec.ts',
      'engine/actors/{attempt-leases,executions,supervision}.spec.ts',
    ],
    needsPostgres: true,
  },
  actors: {
    idea: 'live actors, leases, work intake, cancellation, recovery',
    mutated: ['src/engine/actors/*.ts', '!src/engine/actors/*.module.ts'],
    specs: ['engine/actors/*.spec.ts', 'api/{cancel-run,capacity,recovery,unexecutable}.spec.ts'],
    needsPostgres: true,
  },
  providers: {
    idea: 'target agents over HTTP: requests, retries, pacing, secrets',
    mutated: ['src/agents/{,openai/,outbound/,secrets/,vapi/}*.ts', '!src/agents/*.module.ts'],
    specs: [
      'agents/provider-{answers,registry}.spec.ts',
      'agents/provider.targets.spec.ts',
      'agents/{openai,outbound,secrets,vapi}/*.spec.ts',
    ],
    needsPostgres: true,
  },
  bus: {
    idea: 'publish, subscribe, request and work queue, in this process and over NATS',
    mutated: ['src/engine/bus/*.ts', '!src/engine/bus/*.module.ts'],
    specs: ['engine/bus/*.spec.ts'],
    needsPostgres: false,
  },
};
