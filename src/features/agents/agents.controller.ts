import { Body, Controller, Header, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../platform/access';
import { Log } from '../../platform/config';
import { clientGone, ifMatchOf, sendTagged, FromCaller, requestLog, setPageHeaders, Serves } from '../../platform/http';
import { OncePerKey, type MadeRow } from '../../platform/idempotency';
import type { WriteWith } from '../../platform/database';
import { AgentsService } from './agents.service';
import { agentOfCurlLine } from './agent-of-curl-line';
import { TryAgent, type Asker } from './try-agent';
import {
  listAgents,
  createAgent,
  getAgent,
  updateAgent,
  deleteAgent,
  setBaseline,
  clearBaseline,
  type CreateAgentRequest,
  type SetBaselineRequest,
  type UpdateAgentRequest,
  type AgentView,
} from '../../../contract/agents';
import {
  tryAgent,
  tryUnsavedAgent,
  readCurlLine,
  type AgentOfCurlLine,
  type ReadCurlLineRequest,
  type TriedAgent,
  type TryAgentRequest,
  type TryUnsavedAgentRequest,
} from '../../../contract/agent-trials';
import { type Page } from '../../../contract/page';

/** Answers hold credentials: no proxy or browser may cache them. */
const NOT_KEPT = ['Cache-Control', 'no-store'] as const;

@Controller()
export class AgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly trying: TryAgent,
    private readonly once: OncePerKey,
    private readonly log: Log,
  ) {}

  @Header(...NOT_KEPT)
  @Serves(listAgents)
  async list(
    @Query({ schema: listAgents.query }) page: Page,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AgentView[]> {
    const { agents, total } = await this.agents.list(page, caller);
    setPageHeaders(response, page, agents.length, total);
    return agents;
  }

  @Header(...NOT_KEPT)
  @Serves(createAgent)
  create(
    @Body({ schema: createAgent.body }) request: CreateAgentRequest,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AgentView> {
    const make = (remember: WriteWith<MadeRow>) => this.agents.create(request, remember);
    return this.once.answerFromRow(response, 'createAgent', request, make, (id) => this.agents.find(id, caller));
  }

  @Header(...NOT_KEPT)
  @Serves(getAgent)
  async find(
    @Param('id') id: string,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AgentView> {
    return sendTagged(response, await this.agents.find(id, caller));
  }

  @Header(...NOT_KEPT)
  @Serves(updateAgent)
  async update(
    @Param('id') id: string,
    @Body({ schema: updateAgent.body }) request: UpdateAgentRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AgentView> {
    return sendTagged(response, await this.agents.update(id, request, ifMatchOf(response)));
  }

  @Serves(deleteAgent)
  delete(@Param('id') id: string): Promise<void> {
    return this.agents.delete(id);
  }

  @Header(...NOT_KEPT)
  @Serves(setBaseline)
  setBaseline(
    @Param('id') id: string,
    @Body({ schema: setBaseline.body }) request: SetBaselineRequest,
  ): Promise<AgentView> {
    return this.agents.setBaseline(id, request.test_run_id);
  }

  @Serves(clearBaseline)
  clearBaseline(@Param('id') id: string): Promise<void> {
    return this.agents.clearBaseline(id);
  }

  @Header(...NOT_KEPT)
  @Serves(tryAgent)
  try(
    @Param('id') id: string,
    @Body({ schema: tryAgent.body }) request: TryAgentRequest,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TriedAgent> {
    return this.trying.try(id, request, caller, this.askerOf(response));
  }

  @Header(...NOT_KEPT)
  @Serves(tryUnsavedAgent)
  tryUnsaved(
    @Body({ schema: tryUnsavedAgent.body }) request: TryUnsavedAgentRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TriedAgent> {
    return this.trying.tryUnsaved(request, this.askerOf(response));
  }

  @Header(...NOT_KEPT)
  @Serves(readCurlLine)
  readCurl(@Body({ schema: readCurlLine.body }) request: ReadCurlLineRequest): Promise<AgentOfCurlLine> {
    return agentOfCurlLine(request);
  }

  private askerOf(response: Response): Asker {
    return { log: requestLog(this.log, response.req), signal: clientGone(response) };
  }
}
