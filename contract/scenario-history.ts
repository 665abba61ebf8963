import { z } from 'zod';
import { id, timestamp } from './field';
import { patientView } from './patients';
import { regionView } from './test-runs';
import { pageFields } from './page';
import { operation } from './operation';
import { modality } from './spoken';

const count = z.int().min(0);

const examiner = z.object({
  name: z.string(),
  model: z.string().nullable(),
  prompt_version: z.string().nullable(),
});

const pastVerdict = z.object({
  scenario_run_id: id,
  test_run_id: id,
  trial: z.int().min(1),
  status: z.enum(['passed', 'failed']),
  score_percent: z.number().min(0).max(100).nullable(),
  completed_at: timestamp,
});

/** Of each group so many verdicts are named; all are counted. */
export const NAMED_VERDICTS = 20;

const likeVerdicts = z.object({
  agent_config_hash: z.string().describe('Of the agent’s config without its secrets, as test runs have it.'),
  agent_version: z.string().nullable(),
  agent_id: id.describe('Of the newest verdict: another agent may have the same config.'),
  agent_name: z.string(),
  scenario_revision: z.int().nullable(),
  scenario_content_hash: z.string(),
  patient: patientView,
  examiners: z.object({ tester: examiner, judge: examiner }),
  max_turns: z.int(),
  pass_threshold: z.number(),
  region: regionView,
  modality,
  passed: count,
  failed: count,
  flaky: z.boolean().describe('Both verdicts were given under the same conditions.'),
  first_at: timestamp,
  last_at: timestamp,
  verdicts: z.array(pastVerdict).describe(`The newest ${NAMED_VERDICTS} at most.`),
});

/** The newest so many verdicts are looked at, however often a scenario was examined. */
export const MOST_VERDICTS = 2_000;

/** How a scenario fared, run after run. */
const scenarioHistoryView = z
  .object({
    scenario_id: id,
    scenario_name: z.string(),
    verdicts: count.describe(`Verdicts that were looked at: the newest ${MOST_VERDICTS.toLocaleString('en')} at most.`),
    ungrouped: count.describe(
      'Of these, those that do not say what was examined or by whom, as imported conversations: in no group.',
    ),
    flaky: z.boolean().describe('Some group, on this page or another, has both verdicts.'),
    total: count.describe('Groups on all pages.'),
    history: z
      .array(likeVerdicts)
      .describe(
        'Verdicts under the same conditions together: agent config and version, revision of the scenario, patient, examiners, turns, pass ' +
          'threshold, region, and of spoken ones voice, line, noise, sounds and ear. The newest first.',
      ),
  })
  .meta({ id: 'ScenarioHistory' });

export type ScenarioHistoryView = z.infer<typeof scenarioHistoryView>;

const historyQuery = z.object(pageFields);

export const NOT_FOUND = 'Scenario not found';

export const getScenarioHistory = operation({
  id: 'getScenarioHistory',
  method: 'GET',
  path: '/api/v1/scenarios/{id}/history',
  tag: 'Scenarios',
  role: 'viewer',
  summary: 'Get the verdicts on a scenario, by what was examined and by whom',
  description:
    'A scenario is flaky where the same agent config, examined alike, both passed and failed it. docs/statistics.md says what that means.',
  query: historyQuery,
  answers: {
    200: { description: 'A page of the history, the newest first.', schema: scenarioHistoryView },
    400: 'A parameter is wrong.',
    404: NOT_FOUND,
  },
});
