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
    idea: 'statecharts, rubric arithmetic, comparison of runs',
    mutated: ['machines/*.ts'],
    specs: ['machines/*.spec.ts'],
    needsPostgres: false,
  },
  judge: {
    idea: 'examinations: sheets, votes, control questions, words to the examiner',
    mutated: ['src/judge/*.ts', '!src/judge/*.module.ts', '!src/judge/prompts.ts'],
    specs: ['judge/*.spec.ts'],
    needsPostgres: false,
  },
  stream: {
    idea: 'from the commit of an event to the socket of a subscriber',
    mutated: ['src/stream/*.ts', '!src/stream/*.module.ts'],
    specs: ['stream/*.spec.ts', 'api/events.spec.ts', 'api/events-of-a-run.spec.ts'],
    needsPostgres: true,
  },
  ledger: {
    idea: 'every write of runs; what is SQL is not mutated',
    mutated: ['src/persistence/ledger/*.ts'],
    specs: [
      'persistence/{claims,event-log,failed-supervisions,findings,group-commit,kept-counts,ledger}.spec.ts',
      'persistence/{ledger-functions,new-runs,upgrade}.spec.ts',
      'actors/{attempt-leases,executions,supervision}.spec.ts',
    ],
    needsPostgres: true,
  },
  actors: {
    idea: 'live actors, leases, work intake, cancellation, recovery',
    mutated: ['src/actors/*.ts', '!src/actors/*.module.ts'],
    specs: ['actors/*.spec.ts', 'api/{cancel-run,capacity,recovery,unexecutable}.spec.ts'],
    needsPostgres: true,
  },
  providers: {
    idea: 'target agents over HTTP: requests, retries, pacing, secrets',
    mutated: ['src/providers/*.ts', '!src/providers/*.module.ts', '!src/providers/{browser,livekit}*.ts'],
    specs: [
      'providers/{connection-failure,discreet-provider,masks,where-keys-go}.spec.ts',
      'providers/provider-{answers,http-client,pacing,registry}.spec.ts',
      'providers/{provider.openai,provider.vapi,provider.targets,secrets,small-reads}.spec.ts',
      'providers/shared-request-budget.spec.ts',
    ],
    needsPostgres: true,
  },
  bus: {
    idea: 'publish, subscribe, request and work queue, in this process and over NATS',
    mutated: ['src/bus/*.ts', '!src/bus/*.module.ts'],
    specs: ['bus/*.spec.ts'],
    needsPostgres: false,
  },
};
