import { Controller, Get, NotFoundException, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import type { Caller } from '../../../platform/access/caller';
import { isUuid } from '../../../platform/database/uuid';
import { Endpoint } from '../../../platform/http/endpoint';
import { id, timestamp } from '../../../platform/http/field';
import { FromCaller } from '../../../platform/http/role.guard';
import { pageFields, type Page } from '../../../platform/http/page';
import { patientView } from '../../runs/patients';
import { regionView } from '../../runs/run.views';
import { ShownMarks } from '../../shown-marks/shown-marks';
import {
  ScenarioHistoryStore,
  MOST_VERDICTS,
  NAMED_VERDICTS,
  type LikeVerdicts,
  type ScenarioHistory,
} from './scenario-history.store';

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
          'threshold and region. The newest first.',
      ),
  })
  .meta({ id: 'ScenarioHistory' });
type ScenarioHistoryView = z.infer<typeof scenarioHistoryView>;

function viewOfHistory(
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

const historyQuery = z.object(pageFields);

const NOT_FOUND = 'Scenario not found';

@ApiTags('Scenarios')
@Controller('api/v1/scenarios/:id/history')
export class ScenarioHistoryController {
  constructor(
    private readonly histories: ScenarioHistoryStore,
    private readonly shown: ShownMarks,
  ) {}

  @Get()
  @Endpoint({
    id: 'getScenarioHistory',
    role: 'viewer',
    summary: 'Get the verdicts on a scenario, by what was examined and by whom',
    description:
      'A scenario is flaky where the same agent config, examined alike, both passed and failed it. docs/statistics.md says what that means.',
    answers: {
      200: { description: 'A page of the history, the newest first.', schema: scenarioHistoryView },
      400: 'A parameter is wrong.',
      404: NOT_FOUND,
    },
  })
  async find(
    @Param('id') id: string,
    @Query({ schema: historyQuery }) page: Page,
    @FromCaller() caller: Caller,
  ): Promise<ScenarioHistoryView> {
    const name = isUuid(id) ? await this.histories.nameOf(id) : null;
    if (name === null) throw new NotFoundException(NOT_FOUND);
    const history = viewOfHistory({ id: id.toLowerCase(), name }, await this.histories.read(id, page));
    const verdicts = history.history.flatMap((group) => group.verdicts);
    await this.shown.ofRuns(
      caller,
      verdicts.map(({ test_run_id }) => test_run_id),
    );
    return history;
  }
}
