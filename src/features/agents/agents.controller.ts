import { Body, Controller, Delete, Get, Header, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import type { Caller } from '../../platform/access/caller';
import { Log } from '../../platform/config/log';
import { clientGone } from '../../platform/http/lines-of-callers';
import { Endpoint } from '../../platform/http/endpoint';
import { CHANGED_MEANWHILE, ifMatchOf, sendTagged, tagHeaders, TakesIfMatch } from '../../platform/http/entity-tag';
import { FromCaller } from '../../platform/http/role.guard';
import { OncePerKey, type MadeRow, TakesIdempotencyKey } from '../../platform/idempotency/once-per-key';
import { requestLog } from '../../platform/http/request-log';
import { pageHeaders, setPageHeaders, WHOLE_LIST, wholeListFields, type Page } from '../../platform/http/page';
import type { WriteWith } from '../../platform/database/connections';
import {
  createAgentRequest,
  setBaselineRequest,
  updateAgentRequest,
  type CreateAgentRequest,
  type SetBaselineRequest,
  type UpdateAgentRequest,
} from './agent.requests';
import { agentView, type AgentView, AgentsService } from './agents.service';
import { TryAgent, type Asker } from './try-agent';
import {
  triedAgent,
  tryAgentRequest,
  tryUnsavedAgentRequest,
  type TriedAgent,
  type TryAgentRequest,
  type TryUnsavedAgentRequest,
} from './try-agent.view';

const listQuery = z.object(wholeListFields);

const NOT_FOUND = 'Agent not found';

/** Answers hold credentials: no proxy or browser may cache them. */
const NOT_KEPT = ['Cache-Control', 'no-store'] as const;

@ApiTags('Agents')
@Controller('api/v1/agents')
export class AgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly trying: TryAgent,
    private readonly once: OncePerKey,
    private readonly log: Log,
  ) {}

  @Get()
  @Header(...NOT_KEPT)
  @Endpoint({
    id: 'listAgents',
    role: 'viewer',
    summary: 'List agents, by name',
    description: WHOLE_LIST,
    answers: { 200: { description: 'The agents.', schema: z.array(agentView), headers: pageHeaders } },
  })
  async list(
    @Query({ schema: listQuery }) page: Page,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AgentView[]> {
    const { agents, total } = await this.agents.list(page, caller);
    setPageHeaders(response, page, agents.length, total);
    return agents;
  }

  @Post()
  @TakesIdempotencyKey()
  @Header(...NOT_KEPT)
  @Endpoint({
    id: 'createAgent',
    role: 'admin',
    summary: 'Create an agent',
    answers: {
      201: { description: 'The agent as stored.', schema: agentView, headers: tagHeaders },
      400: 'A field is missing or wrong, or the provider is not supported.',
    },
  })
  create(
    @Body({ schema: createAgentRequest }) request: CreateAgentRequest,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AgentView> {
    const make = (remember: WriteWith<MadeRow>) => this.agents.create(request, remember);
    return this.once.answerFromRow(response, 'createAgent', request, make, (id) => this.agents.find(id, caller));
  }

  @Get(':id')
  @Header(...NOT_KEPT)
  @Endpoint({
    id: 'getAgent',
    role: 'viewer',
    summary: 'Get an agent',
    answers: { 200: { description: 'The agent.', schema: agentView, headers: tagHeaders }, 404: NOT_FOUND },
  })
  async find(
    @Param('id') id: string,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AgentView> {
    return sendTagged(response, await this.agents.find(id, caller));
  }

  @Patch(':id')
  @TakesIfMatch()
  @Header(...NOT_KEPT)
  @Endpoint({
    id: 'updateAgent',
    role: 'admin',
    summary: 'Update an agent',
    description:
      'Fields that are left out stay as they are. `config` is merged key by key. A change of an address to another scheme, ' +
      'host or port must give the stored secrets again, or remove them with null.',
    answers: {
      200: { description: 'The agent as it is now.', schema: agentView, headers: tagHeaders },
      400: 'A field is wrong, or stored secrets would follow a changed address.',
      404: NOT_FOUND,
      412: CHANGED_MEANWHILE,
    },
  })
  async update(
    @Param('id') id: string,
    @Body({ schema: updateAgentRequest }) request: UpdateAgentRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AgentView> {
    return sendTagged(response, await this.agents.update(id, request, ifMatchOf(response)));
  }

  @Delete(':id')
  @Endpoint({
    id: 'deleteAgent',
    role: 'admin',
    summary: 'Delete an agent',
    description: 'Its past runs stay and live ones finish.',
    answers: { 204: { description: 'Deleted.' }, 404: NOT_FOUND },
  })
  delete(@Param('id') id: string): Promise<void> {
    return this.agents.delete(id);
  }

  @Put(':id/baseline')
  @Header(...NOT_KEPT)
  @Endpoint({
    id: 'setBaseline',
    role: 'admin',
    summary: 'Set the baseline of an agent',
    description:
      'Runs of the agent name it in `baseline_test_run_id`; the page and the command compare them with it when no other run is ' +
      'named. When the run is deleted, the agent has no baseline.',
    answers: {
      200: { description: 'The agent as it is now.', schema: agentView },
      400: 'test_run_id is missing, or the run examined another agent, failed or was canceled.',
      404: 'The agent or the run is not found.',
      409: 'The run is under way.',
    },
  })
  setBaseline(
    @Param('id') id: string,
    @Body({ schema: setBaselineRequest }) request: SetBaselineRequest,
  ): Promise<AgentView> {
    return this.agents.setBaseline(id, request.test_run_id);
  }

  @Delete(':id/baseline')
  @Endpoint({
    id: 'clearBaseline',
    role: 'admin',
    summary: 'Clear the baseline of an agent',
    answers: { 204: { description: 'It has no baseline.' }, 404: NOT_FOUND },
  })
  clearBaseline(@Param('id') id: string): Promise<void> {
    return this.agents.clearBaseline(id);
  }

  @Post(':id/try')
  @Header(...NOT_KEPT)
  @Endpoint({
    id: 'tryAgent',
    role: 'runner',
    summary: 'Send one message to an agent',
    description:
      'Connects, sends the message and returns the reply, the way a run would; nothing is stored. A failing agent is ' +
      'an answer too: `ok` is false. Connecting and the reply may take `turn_timeout_ms` each, with at most one retry. ' +
      'With `config` it is tried as a change of it would make it, before the change is stored.',
    answers: {
      200: { description: 'The reply, or why there is none.', schema: triedAgent },
      400: 'A field is wrong, this deployment cannot run agents of the kind, or stored secrets would follow a changed address.',
      404: NOT_FOUND,
    },
  })
  try(
    @Param('id') id: string,
    @Body({ schema: tryAgentRequest }) request: TryAgentRequest,
    @FromCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TriedAgent> {
    return this.trying.try(id, request, caller, this.askerOf(response));
  }

  @Post('try')
  @Header(...NOT_KEPT)
  @Endpoint({
    id: 'tryUnsavedAgent',
    role: 'runner',
    summary: 'Send one message to an agent that is not registered',
    description: 'The same for a complete connection in the body: to see that it works before it is stored.',
    answers: {
      200: { description: 'The reply, or why there is none.', schema: triedAgent },
      400: 'A field is missing or wrong, or this deployment cannot run agents of the kind.',
    },
  })
  tryUnsaved(
    @Body({ schema: tryUnsavedAgentRequest }) request: TryUnsavedAgentRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TriedAgent> {
    return this.trying.tryUnsaved(request, this.askerOf(response));
  }

  private askerOf(response: Response): Asker {
    return { log: requestLog(this.log, response.req), signal: clientGone(response) };
  }
}
