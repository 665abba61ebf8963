import { Controller, NotFoundException, Param, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/access';
import { isUuid } from '../../../platform/database';
import { FromCaller, Serves } from '../../../platform/http';
import { ShownMarks } from '../../shown-marks/shown-marks';
import { ScenarioHistoryStore, type LikeVerdicts, type ScenarioHistory } from './scenario-history.store';
import { NOT_FOUND, type ScenarioHistoryView, getScenarioHistory } from '../../../../contract/scenario-history';
import { type Page } from '../../../../contract/page';

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

@Controller()
export class ScenarioHistoryController {
  constructor(
    private readonly histories: ScenarioHistoryStore,
    private readonly shown: ShownMarks,
  ) {}

  @Serves(getScenarioHistory)
  async find(
    @Param('id') id: string,
    @Query({ schema: getScenarioHistory.query }) page: Page,
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
