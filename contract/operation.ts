import type { z } from 'zod';

/** The roles of callers, from the one that may least to the one that may everything. */
export const ROLES = ['viewer', 'reviewer', 'runner', 'admin'] as const;

export type Role = (typeof ROLES)[number];

/** The headings under which operations are described, with a sentence each, in the order in which they are shown. */
export const TAGS = {
  'Test runs': 'Start, cancel, follow and read test runs.',
  'Derived runs': 'Runs that begin from the scenario runs of another one, which stays as it is.',
  'Scenario runs': 'One scenario of a test run: its transcript and verdict.',
  Reviews: 'What people decide about what the judge has marked, and how well the two agree.',
  Scenarios: 'Clinical test cases: script, demographics, chief complaint and grading rubric.',
  'Test suites': 'Named selections of scenarios.',
  Agents: 'Connections to the AI assistants under test.',
  Calibrations: 'How well the judge agrees with people’s decisions about the same transcripts.',
  Schedules: 'Runs that start again and again, by a cron expression.',
  Webhooks: 'Addresses that are notified when a run ends, or is worse than its baseline.',
  Events: 'The live events of a run.',
  Inspection: 'The statecharts, and the current state of every actor of every process.',
  Audit: 'Who changed what, and when.',
  Access: 'Who may do what: docs/roles.md.',
  Health: 'The health of the service, and what to set up next.',
} as const;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type AnswerHeaders = Readonly<
  Record<string, { readonly description: string; readonly schema: { readonly type: 'string' | 'integer' } }>
>;

/** A successful answer. */
export interface Success {
  readonly description: string;
  /** Schema of the body; left out when there is none, or when it is not JSON. */
  readonly schema?: z.ZodType;
  /** Media types of a body that is not JSON of one schema; with a schema, those that a query may ask for instead. */
  readonly produces?: string | readonly string[];
  readonly headers?: AnswerHeaders;
}

/**
 * How an operation that is not for reading appears in the audit trail. `before`: it does nothing unless its record is stored. `beside`: it is
 * recorded if that can be done soon, and done in any case: nothing may stand in the way of stopping. `never`: it changes and starts nothing.
 */
export type Recording = 'before' | 'beside' | 'never';

/**
 * One operation of the API: where it is, who may call it, what it takes and what it answers. What any operation may answer (400 to a
 * malformed request, 401, 413, 415, 429, 500, 503) is added to its description; `answers` names those only to say more.
 */
export interface Operation {
  /** operationId: what generated clients call the method. */
  readonly id: string;
  readonly method: Method;
  /** With its parameters in braces, such as `/api/v1/agents/{id}`. */
  readonly path: `/${string}`;
  readonly tag: keyof typeof TAGS;
  /** The role that a key needs to call it, or one that may more. `anyone`: no key is needed. */
  readonly role: Role | 'anyone';
  /** How it appears in the audit trail; `before` unless it says otherwise. */
  readonly recorded?: Recording;
  /** One line. */
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** It takes an Idempotency-Key: what it makes is made once. */
  readonly isKeyed?: true;
  /** It takes If-Match: the change is made only to the state that the client has read. */
  readonly takesIfMatch?: true;
  /** Answers by status: a 2xx with its body, the others with the condition that causes them. */
  readonly answers: Readonly<Record<number, Success | string>>;
}

/** Keeps the exact type of an operation, so that its callers and its controller are checked against it. */
export const operation = <const Described extends Operation>(described: Described): Described => described;

/** What the service reads of the body that a client sends: defaults are filled in. */
export type BodyOf<Described extends Operation> = Described extends { readonly body: infer Body extends z.ZodType }
  ? z.output<Body>
  : undefined;

/** What a client may send as the body: fields with defaults may be left out. */
export type SentBodyOf<Described extends Operation> = Described extends { readonly body: infer Body extends z.ZodType }
  ? Unchanged<z.input<Body>>
  : undefined;

/** The same for who only reads it. */
type Unchanged<Value> = Value extends object ? { readonly [Key in keyof Value]: Unchanged<Value[Key]> } : Value;

export type QueryOf<Described extends Operation> = Described extends { readonly query: infer Query extends z.ZodType }
  ? z.output<Query>
  : undefined;

/** What a client may send as the query: parameters with defaults may be left out. Where text is read as something else, that. */
export type SentQueryOf<Described extends Operation> = Described extends {
  readonly query: infer Query extends z.ZodType;
}
  ? {
      [Name in keyof z.input<Query>]: unknown extends z.input<Query>[Name] ? ReadAs<Query, Name> : z.input<Query>[Name];
    }
  : undefined;

type ReadAs<Query extends z.ZodType, Name> = Name extends keyof z.output<Query> ? z.output<Query>[Name] : never;

/** The body of a successful answer. */
export type AnswerOf<Described extends Operation> = {
  [Status in keyof Described['answers']]: Described['answers'][Status] extends {
    readonly schema: infer Schema extends z.ZodType;
  }
    ? z.output<Schema>
    : never;
}[keyof Described['answers']];
