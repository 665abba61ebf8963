import { Body, Controller, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { callerOf, type Caller } from '../../platform/access';
import type { WriteWith } from '../../platform/database';
import {
  ifMatchOf,
  sendTagged,
  type Tagged,
  sendDocument,
  clientGone,
  setPageHeaders,
  Serves,
  LinesOfCallers,
  FromCaller,
} from '../../platform/http';
import { OncePerKey } from '../../platform/idempotency';
import { type LintedList } from './lint.views';
import { ScenarioLinter } from './scenario-linter';
import { type RevisionList, type ScenarioView } from './scenario.views';
import { TryScenario } from './try-scenario';
import { ScenariosService } from './scenarios.service';
import {
  listScenarios,
  createScenario,
  getScenario,
  listScenarioRevisions,
  updateScenario,
  deleteScenario,
  type CreateScenarioRequest,
  type DeleteScenarioQuery,
  type ListScenariosQuery,
  type UpdateScenarioRequest,
} from '../../../contract/scenarios';
import { lintScenarios, type LintRequest } from '../../../contract/scenario-lint';
import { tryScenario, type TriedScenario, type TryScenarioRequest } from '../../../contract/scenario-trial';
import { type Page } from '../../../contract/page';

@Controller()
export class ScenariosController {
  constructor(
    private readonly scenarios: ScenariosService,
    private readonly once: OncePerKey,
  ) {}

  @Serves(listScenarios)
  async list(
    @Query({ schema: listScenarios.query }) query: ListScenariosQuery,
    @Res() response: Response,
  ): Promise<void> {
    const { document, shown, total } = await this.scenarios.list(query);
    setPageHeaders(response, query, shown, total);
    sendDocument(response, document);
  }

  @Serves(createScenario)
  create(
    @Body({ schema: createScenario.body }) request: CreateScenarioRequest,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScenarioView> {
    const asked = inOwnName(request, caller);
    const make = (remember: WriteWith<Tagged<ScenarioView>>) => this.scenarios.create(asked, remember);
    return this.once.answer(response, 'createScenario', asked, make, ({ scenario_id }) => [scenario_id]);
  }

  @Serves(getScenario)
  async find(@Param('id') id: string, @Res({ passthrough: true }) response: Response): Promise<ScenarioView> {
    return sendTagged(response, await this.scenarios.find(id));
  }

  @Serves(listScenarioRevisions)
  async listRevisions(
    @Param('id') id: string,
    @Query({ schema: listScenarioRevisions.query }) page: Page,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RevisionList> {
    const list = await this.scenarios.listRevisions(id, page);
    setPageHeaders(response, page, list.revisions.length, list.total);
    return list;
  }

  @Serves(updateScenario)
  async update(
    @Param('id') id: string,
    @Body({ schema: updateScenario.body }) request: UpdateScenarioRequest,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScenarioView> {
    return sendTagged(response, await this.scenarios.update(id, inOwnName(request, caller), ifMatchOf(response)));
  }

  @Serves(deleteScenario)
  delete(
    @Param('id') id: string,
    @Query({ schema: deleteScenario.query }) { purge }: DeleteScenarioQuery,
  ): Promise<void> {
    return purge === true ? this.scenarios.purge(id) : this.scenarios.delete(id);
  }
}

/** A person approves under their own name, whatever the request says. */
function inOwnName<Request extends Pick<UpdateScenarioRequest, 'approved' | 'approved_by'>>(
  request: Request,
  { isPerson, name }: Caller,
): Request {
  return isPerson === true && request.approved === true ? { ...request, approved_by: name } : request;
}

/** A trial reads the texts some twenty times. */
const TRIED_AT_ONCE = 1;

@Controller()
export class ScenarioTrialController {
  private readonly lines = new LinesOfCallers(TRIED_AT_ONCE);

  constructor(private readonly trying: TryScenario) {}

  @Serves(tryScenario)
  try(
    @Body({ schema: tryScenario.body }) request: TryScenarioRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TriedScenario> {
    const signal = clientGone(response);
    return this.lines.inLine(response, () => this.trying.try(request, callerOf(response.req), signal));
  }
}

@Controller()
export class ScenarioLintController {
  constructor(private readonly linter: ScenarioLinter) {}

  @Serves(lintScenarios)
  lint(
    @Body({ schema: lintScenarios.body }) request: LintRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LintedList> {
    return this.linter.lint(request, callerOf(response.req), clientGone(response));
  }
}
