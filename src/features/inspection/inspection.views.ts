import { z } from 'zod';
import { id, timestamp } from '../../platform/http/field';
import { actorKind, actorTransition } from './inspection-messages';

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

export const machineList = z.object({
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

export const actorView = z
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
    waiting: z
      .string()
      .nullable()
      .describe('Why it is not proceeding: the daily cost limit is reached. Null while it proceeds.'),
    owner: z.string().nullable().describe('The process that holds the lease; null when none does.'),
  })
  .meta({ id: 'Actor' });
export type ActorView = z.output<typeof actorView>;

export const actorList = z.object({
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

export const actorDetail = actorView
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
