import fc from 'fast-check';
import type { Operation } from '../setup/api-description';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** What the last segment of a collection's paths names. */
const COLLECTIONS = [
  'agents',
  'scenarios',
  'test-suites',
  'tests',
  'run-sets',
  'scenario-runs',
  'schedules',
  'webhooks',
  'keys',
  'webhook-deliveries',
  'calibrations',
] as const;
/** A transcript as calibrations take them. */
const LABELLED = {
  id: 'one',
  transcript: [{ role: 'agent', content: 'Please call 999 now.' }],
  criteria: [{ criterion: 'Asks about pain', points: 1, labels: [{ rater: 'A', decision: 'NOT MET' }] }],
};
/** A conversation from elsewhere. */
const IMPORTED = {
  rubric_criteria: [{ criterion: 'Asks about pain', points: 1 }],
  transcript: [
    { role: 'patient', content: 'It hurts.' },
    { role: 'agent', content: 'Please call 999 now.' },
  ],
};
/** What scenario runs that last are marked on has one criterion. */
const REVIEWED = { index: 0, decision: 'NOT MET', rationale: 'It does not say so.', evidence: [] };
export type Collection = (typeof COLLECTIONS)[number];

/** Two versions of an agent, one twice, and one beside an agent that is not there. */
function setsOf(agent_id: string): readonly object[][] {
  const versions = ['1', '2'].map((agent_version) => ({ agent_id, agent_version }));
  return [versions, versions, [{ agent_id }, { agent_id }], [{ agent_id }, { agent_id: UNKNOWN_ID }]];
}

/** Most questions are about what is new: what is older was mostly deleted meanwhile. */
const NEWEST = 4;

/** Ids of things that exist, or did: requests about nothing but unknown ids would test little. */
export class IdPool {
  private readonly known = new Map<string, string[]>(COLLECTIONS.map((collection) => [collection, [UNKNOWN_ID]]));
  private readonly lasting = new Map<string, string[]>(COLLECTIONS.map((collection) => [collection, []]));

  /**
   * @param examinedAgents may be examined and are never changed: their provider listens on loopback
   * @param measuredAgents have a completed run, and are never changed
   */
  constructor(
    private readonly examinedAgents: readonly string[],
    private readonly measuredAgents: readonly string[],
  ) {}

  add(collection: Collection, id: string): void {
    this.known.get(collection)?.push(id);
  }

  /** For reading, and to begin from: it is there until the end. */
  addLasting(collection: Collection, id: string): void {
    this.lasting.get(collection)?.push(id);
  }

  /** Ids for `{id}` in a path. */
  pathIds({ method, path }: Operation): fc.Arbitrary<string> {
    // Of agents that the fuzz itself made, who knows where they would send the message.
    if (path.endsWith('/try')) return fc.constantFrom(...this.examinedAgents, UNKNOWN_ID);
    if (path.endsWith('/baseline')) return fc.constantFrom(...this.measuredAgents, UNKNOWN_ID);
    // What has ended: the stream of anything else may last.
    if (path.includes('/inspect/')) {
      const ended = ['tests', 'scenario-runs'].flatMap((collection) => this.lasting.get(collection) ?? []);
      return fc.constantFrom(...ended, UNKNOWN_ID);
    }
    const collection = COLLECTIONS.find((candidate) => path.startsWith(`/api/v1/${candidate}`)) ?? 'agents';
    const lasting = this.lasting.get(collection) ?? [];
    // These leave what they begin from as it is.
    if (/\/(retry|regrade|fork|reviews)$/.test(path)) return fc.constantFrom(...lasting, UNKNOWN_ID);
    if (method !== 'GET' || lasting.length === 0) return this.of(collection);
    return fc.oneof(
      { weight: 3, arbitrary: this.of(collection) },
      { weight: 1, arbitrary: fc.constantFrom(...lasting) },
    );
  }

  /** Values for fields and parameters that name other things. */
  fields(): Readonly<Record<string, fc.Arbitrary<unknown>>> {
    const lastingRuns = this.lasting.get('tests') ?? [];
    const runs = fc.oneof(this.of('tests'), fc.constantFrom(UNKNOWN_ID, ...lastingRuns));
    return {
      agent_id: fc.constantFrom(...this.examinedAgents, UNKNOWN_ID),
      agents: fc.constantFrom(...this.examinedAgents.flatMap(setsOf)),
      test_suite_id: this.of('test-suites'),
      scenario_ids: fc.array(this.of('scenarios'), { minLength: 1, maxLength: 3 }),
      test_run_id: runs,
      run_id: runs,
      before: runs,
      twin_of: runs,
      // Nobody listens there.
      url: fc.constantFrom(
        'http://127.0.0.1:9/hook',
        'http://127.0.0.1:9/',
        'ftp://files.example.org',
        'http://169.254.169.254/',
      ),
      curl: fc.constantFrom(
        "curl http://127.0.0.1:9/chat -d 'message=Hello'",
        'curl "http://127.0.0.1:9/?q=Hello"',
        'curl http://127.0.0.1:9/ -d @/etc/passwd',
        "curl 'http://127.0.0.1:9",
      ),
      cron: fc.constantFrom('0 3 * * *', '*/15 * * * 1-5', '* * * * *', '0 0 31 2 *', '0 3 * * * *', ''),
      time_zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Mars/Olympus', ''),
      gate: fc.constantFrom(null, {}, { fail_under: 50 }, { fail_on: 'worse', min_coverage: 101 }),
      // A run of everything would make thousands of scenario runs in the end.
      max_scenarios: fc.integer({ min: 1, max: 2 }),
      trials: fc.constantFrom(null, 1, 2, 21),
      // Of what only a service with a language model takes.
      patients: fc.constantFrom(null, [{}], [{ style: 'cooperative', language: 'en' }], [{ style: 'demanding' }]),
      tester_model: fc.constantFrom(null, null, 'openai/not-allowed'),
      judge_model: fc.constantFrom(null, null, 'openai/not-allowed'),
      items: fc.constantFrom(null, null, [LABELLED], [LABELLED, LABELLED], [IMPORTED], [IMPORTED, LABELLED]),
      at_turn: fc.integer({ min: 0, max: 7 }),
      criteria: fc.constantFrom(null, [], [REVIEWED], [REVIEWED, REVIEWED]),
      repeats: fc.constantFrom(null, 1, 2, 6),
      provider: fc.constantFrom('vapi', 'openai', 'livekit', 'pipecat', 'browser', 'http', 'fax'),
      text: fc.constantFrom('Fever: the assistant must ask how old the child is. It must never guess.', 'Blue.', 'Say'),
    };
  }

  /** Chosen when the value is generated, from what is known by then. */
  private of(collection: Collection): fc.Arbitrary<string> {
    return fc.tuple(fc.nat(), fc.boolean()).map(([number, isNew]) => {
      const ids = this.known.get(collection) ?? [];
      const candidates = isNew ? ids.slice(-NEWEST) : ids;
      return candidates[number % candidates.length] ?? UNKNOWN_ID;
    });
  }
}
