import { z } from 'zod';
import { pageFields } from './page';
import { givenId, id, timestamp } from './field';
import { operation } from './operation';

/** What processes exchange about their live actors. Never a word of a transcript: only lengths, names and numbers. */
export const actorKind = z.enum(['test_run', 'scenario_run']);

export type ActorKind = z.output<typeof actorKind>;

export const time = z.iso.datetime();

/** One step of an actor from state to state, named by their paths. */
export const actorTransition = z
  .object({
    at: time.describe('When it was observed, or stored; for an inferred one, not later than it happened.'),
    attempt: z.int().describe('The execution it belongs to, from 1.'),
    from: z.string(),
    to: z.string().describe('The same as `from` where the event left no state.'),
    event: z
      .string()
      .describe('What caused it: an effect that ended, or an event from outside; empty when only a guard decided.'),
    guard: z.string().nullable(),
    actions: z.array(z.string()),
    turn: z.int().nullable().describe("The actor's turn of the conversation afterwards."),
    source: z
      .enum(['live', 'stored', 'inferred'])
      .describe(
        '`live`: observed in the actor; `stored`: its outcome is in the log; `inferred`: it must have come before one that is.',
      ),
  })
  .meta({ id: 'ActorTransition' });

export type ActorTransition = z.output<typeof actorTransition>;

export const heldFloor = z
  .object({
    holder: z
      .enum(['patient', 'agent'])
      .describe('The patient until its words have been said, then the agent until it has been silent for long enough.'),
    speaking: z.boolean().describe('False: the holder is silent.'),
    for_ms: z.int().describe('For how long it had been so when this was written.'),
  })
  .meta({ id: 'HeldFloor' });

export type HeldFloor = z.output<typeof heldFloor>;

const NOT_FOUND = 'There is no scenario run or test run with this id';

const listQuery = z.object({
  ...pageFields,
  run_id: givenId
    .optional()
    .describe('UUID or label of a test run: only its own actor and those of its scenario runs.'),
});

const statePath = z.string().meta({ examples: ['active.conversing.awaitingReply'] });

const stateDefinition = z
  .object({
    id: statePath,
    parent: statePath.nullable(),
    type: z.enum(['atomic', 'compound', 'final']),
    initial: statePath.nullable().describe('The initial child of a compound state.'),
    invokes: z.array(z.string()).describe('Effects that begin with the state and are aborted when it is left.'),
    tags: z.array(z.string()).describe('The API statuses that the state corresponds to.'),
  })
  .meta({ id: 'StateDefinition' });

const transitionDefinition = z
  .object({
    source: statePath,
    target: statePath.nullable().describe('Null: the state is not left.'),
    event: z.string().describe('Empty where only the guard decides, at once.'),
    guard: z.string().nullable(),
    actions: z.array(z.string()),
  })
  .meta({ id: 'TransitionDefinition' });

const machineList = z.object({
  machines: z.array(
    z
      .object({
        kind: actorKind,
        id: z.string(),
        initial: statePath,
        states: z.array(stateDefinition),
        transitions: z.array(transitionDefinition),
        mermaid: z.string().describe('The chart as a Mermaid state diagram.'),
      })
      .meta({ id: 'Machine' }),
  ),
});

export type MachineList = z.output<typeof machineList>;

export type Machine = MachineList['machines'][number];

const actorView = z
  .object({
    kind: actorKind,
    id: id.describe('Of the scenario run or test run.'),
    test_run_id: id,
    test_run_label: z.string(),
    scenario_id: id.nullable(),
    name: z.string().nullable().describe('Of the scenario, or of the test run.'),
    status: z.string().describe('As its row says.'),
    attempt: z.int().describe('0 before the first one.'),
    is_live: z.boolean().describe('Whether a process has answered for it.'),
    state: statePath.nullable().describe('Null when the process that owns it did not answer, and before it began.'),
    since: timestamp.nullable(),
    awaits: z.string().nullable().describe('The running effect.'),
    deadline: timestamp.nullable().describe('When the actor stops waiting, where it knows.'),
    floor: heldFloor
      .nullable()
      .describe(
        'Who has the floor of the call that is being held, as far as it is known; null in text, and without a call.',
      ),
    waiting: z
      .string()
      .nullable()
      .describe('Why it is not proceeding: the daily cost limit is reached. Null while it proceeds.'),
    owner: z.string().nullable().describe('The process that holds the lease; null when none does.'),
  })
  .meta({ id: 'Actor' });

export type ActorView = z.output<typeof actorView>;

const actorList = z.object({
  actors: z.array(actorView),
  total: z.int(),
  processes: z
    .array(
      z.object({
        id: z.string(),
        actors: z.int().describe('How many it has, according to the rows.'),
        answered: z.boolean().describe('False: paused, cut off, or killed a moment ago.'),
      }),
    )
    .describe('The processes that own actors.'),
});

export type ActorList = z.output<typeof actorList>;

const actorDetail = actorView
  .extend({
    context: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The context of a live actor, messages by length only. Null when it is not live.'),
    attempts: z.array(
      z.object({
        attempt: z.int(),
        started_at: timestamp,
        ended_at: timestamp.nullable(),
        outcome: z
          .string()
          .nullable()
          .describe('The final state; `interrupted` when its process stopped or died; null while it is in progress.'),
      }),
    ),
    transitions: z.array(actorTransition).describe('Of all attempts, oldest first.'),
    unanswered: z.array(z.string()).describe('Processes that were asked and did not answer in time.'),
  })
  .meta({ id: 'ActorDetail' });

export type ActorDetail = z.output<typeof actorDetail>;

export const listMachines = operation({
  id: 'listMachines',
  method: 'GET',
  path: '/api/v1/inspect/machines',
  tag: 'Inspection',
  role: 'viewer',
  summary: 'Get the statecharts',
  description: 'Their states and transitions as data, and drawn.',
  answers: { 200: { description: 'The two charts.', schema: machineList } },
});

export const listActors = operation({
  id: 'listActors',
  method: 'GET',
  path: '/api/v1/inspect/actors',
  tag: 'Inspection',
  role: 'viewer',
  summary: 'List the live actors of all processes',
  description: 'Newest runs first, each followed by its scenario runs.',
  query: listQuery,
  answers: {
    200: { description: 'A page of actors, and which processes answered for them.', schema: actorList },
    404: 'Test run not found',
  },
});

export const getActor = operation({
  id: 'getActor',
  method: 'GET',
  path: '/api/v1/inspect/actors/{id}',
  tag: 'Inspection',
  role: 'viewer',
  summary: 'Get an actor with its transitions',
  description:
    'By the UUID of a scenario run, or the UUID or label of a test run. Of an actor that has ended, the path through its ' +
    'chart is derived from the event log. Never holds what was said, nor credentials.',
  answers: { 200: { description: 'The actor.', schema: actorDetail }, 404: NOT_FOUND },
});

export const followActor = operation({
  id: 'followActor',
  method: 'GET',
  path: '/api/v1/inspect/actors/{id}/events',
  tag: 'Inspection',
  role: 'viewer',
  summary: 'Follow an actor through its chart as server-sent events',
  description:
    'Unnamed messages: `actor` with the current state, `transition` for each one from then on, `floor` whenever another has the ' +
    'floor of a call, `actor` again when another attempt begins or something was missed, and `ended` after the final state. ' +
    'The actor is watched while someone follows it.',
  answers: {
    200: { description: 'The stream.', produces: 'text/event-stream' },
    204: { description: 'The stream had ended.' },
    404: NOT_FOUND,
    503: 'The database is out of reach, this process already serves MAX_EVENT_STREAMS streams, or the service is shutting down.',
  },
});
