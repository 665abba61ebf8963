import { z } from 'zod';
import { SCENARIO_RUN_STATUSES } from '../src/domain';
import { givenId, id } from './field';
import { operation } from './operation';
import { pageFields } from './page';
import { patientView } from './patients';

/** As many runs stand beside each other. */
export const MOST_RUNS_IN_A_GRID = 8;

export const GRID_ORDERS = ['worst', 'differing', 'category', 'severity'] as const;

export type GridOrder = (typeof GRID_ORDERS)[number];

const count = z.int().min(0);

const conversation = z.object({
  id,
  trial: z.int().min(1),
  patient: patientView,
  status: z.enum(SCENARIO_RUN_STATUSES),
  score_percent: z.number().min(0).max(100).nullable(),
  must_pass_violated: z.boolean(),
});

const cell = z.object({
  held: count.describe('Conversations, with errors and those that were canceled.'),
  graded: count,
  passed: count,
  must_pass_violated: count.describe('Conversations in which a must-pass criterion was violated.'),
  worst_scenario_run_id: id.describe(
    'The conversation to look at first: one that violates a must-pass criterion, else one that failed, else the first.',
  ),
  conversations: z
    .array(conversation)
    .nullable()
    .describe('Each of them, in the order of the run; null when several runs are asked for.'),
});

const row = z.object({
  scenario_id: id,
  scenario_name: z.string().describe('As the first of the runs that have it named it.'),
  category: z.string().nullable().describe('As the scenario has it now; null when it has none, or is gone.'),
  severity: z.string().nullable().describe('As the scenario has it now; null when it is gone.'),
  cells: z.array(cell.nullable()).describe('One for each run; null where the run does not have the scenario.'),
});

export const gridView = z
  .object({
    runs: z.array(
      z.object({
        id,
        offline: z.boolean().describe('Rules played the patient or marked in at least one of its conversations.'),
      }),
    ),
    total: count.describe('Scenarios: those of all runs together.'),
    missing_somewhere: count.describe('Scenarios that at least one of the runs does not have.'),
    groups: z
      .array(z.object({ name: z.string().nullable(), scenarios: count }))
      .describe('With order=category or severity: each group with its number of scenarios, in the order of the rows.'),
    results: z.array(row),
  })
  .meta({ id: 'Grid' });

export type GridView = z.infer<typeof gridView>;
export type GridRow = z.infer<typeof row>;
export type GridCell = z.infer<typeof cell>;

export const showGrid = operation({
  id: 'showGrid',
  method: 'GET',
  path: '/api/v1/grid',
  tag: 'Test runs',
  role: 'viewer',
  summary: `Show how each scenario fared in up to ${MOST_RUNS_IN_A_GRID} test runs`,
  description:
    'Scenarios are rows and the runs are columns. Of a single run each cell lists its conversations: scenarios × trials. ' +
    'The worst come first: those with the most must-pass violations, then those of which the smallest share passed.',
  query: z.object({
    ...pageFields,
    test_run_id: z
      .preprocess(
        (given) => (typeof given === 'string' ? given.split(',') : given),
        z.array(givenId).min(1).max(MOST_RUNS_IN_A_GRID),
      )
      .describe(
        `UUIDs or labels of the runs, repeated or separated by commas: ${MOST_RUNS_IN_A_GRID} at most, each once.`,
      ),
    order: z
      .enum(GRID_ORDERS)
      .default('worst')
      .describe(
        'Which scenarios come first. differing: those whose pass rates lie furthest apart between the runs. category and severity: in groups, each with its worst scenarios first.',
      ),
  }),
  answers: {
    200: { description: 'A page of the grid.', schema: gridView },
    400: 'test_run_id is missing, names too many runs or one of them twice, or a parameter is wrong.',
    404: 'One of the test runs does not exist; the message names it.',
  },
});
