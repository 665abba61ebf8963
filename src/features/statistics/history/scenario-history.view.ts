import { z } from 'zod';
import { id, timestamp } from '../../../platform/http/field';
import { MOST_VERDICTS, NAMED_VERDICTS, type LikeVerdicts, type ScenarioHistory } from './scenario-history.store';
import { regionView } from '../../runs/region.view';
import { patientView } from '../../runs/patients';

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
  passed: count,
  failed: count,
  flaky: z.boolean().describe('Both verdicts were given under the same conditions.'),
  first_at: timestamp,
  last_at: timestamp,
  verdicts: z.array(pastVerdict).describe(`The newest ${NAMED_VERDICTS} at most.`),
});

/** How a scenario fared, run after run. */
export const scenarioHistoryView = z
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
          'threshold and region. The newest first.',
      ),
  })
  .meta({ id: 'ScenarioHistory' });
export type ScenarioHistoryView = z.infer<typeof scenarioHistoryView>;

export function viewOfHistory(
  scenario: { readonly id: string; readonly name: string },
  { verdicts, ungrouped, groups, flaky, page }: ScenarioHistory,
): ScenarioHistoryView {
  return {
    scenario_id: scenario.id,
    scenario_name: scenario.name,
    verdicts,
    ungrouped,
    flaky: flaky > 0,
    total: groups,
    history: page.map(viewOfGroup),
  };
}

function viewOfGroup(group: LikeVerdicts): ScenarioHistoryView['history'][number] {
  return { ...group, flaky: group.passed > 0 && group.failed > 0, verdicts: [...group.verdicts] };
}
