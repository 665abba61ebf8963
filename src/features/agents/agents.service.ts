import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import { maySeeSecrets, type Caller } from '../../platform/access/caller';
import { Settings } from '../../platform/config/settings';
import { entityTag, requireMatch, type Tagged } from '../../platform/http/entity-tag';
import { totalOf, type Page } from '../../platform/http/page';
import { AgentsStore } from './agents.store';
import type { WriteWith } from '../../platform/database/write-with';
import type { AgentEntity } from './agent.entity';
import { PROVIDER_KINDS } from '../../domain/provider-kinds';
import type { CreateAgentRequest, UpdateAgentRequest } from './agent.requests';
import { examinationWarnings, secretWarnings } from './agent-warnings';
import { viewOfAgent, type AgentView } from './agent.view';
import { BaselinesService } from './baselines.service';
import { configWithoutSecrets } from '../../agents/examined-config';
import { editedConfig, requireNoMasks } from './edited-config';

/** Agents under test: their connection is stored as sent, and checked when a run uses it. */
@Injectable()
export class AgentsService {
  constructor(
    private readonly agents: AgentsStore,
    private readonly baselines: BaselinesService,
    private readonly settings: Settings,
  ) {}

  /** A page of them, by name. */
  async list(page: Page, caller: Caller): Promise<{ agents: AgentView[]; total: number }> {
    const stored = await this.agents.list(page);
    const total = await totalOf(page, stored.length, () => this.agents.count());
    const agents: AgentView[] = [];
    // One after the other: of a large config the secrets are found in many turns of the event loop.
    for (const agent of stored) agents.push(await this.viewFor(caller, agent));
    return { agents, total };
  }

  /** @throws NotFoundException */
  async find(id: string, caller: Caller): Promise<Tagged<AgentView>> {
    const agent = await this.existing(id);
    return { view: await this.viewFor(caller, agent), etag: await tagOf(agent) };
  }

  /**
   * @param remember is written with it
   * @throws BadRequestException when the provider is not supported, or the config holds masks instead of secrets
   */
  async create(
    { name, provider, config, description }: CreateAgentRequest,
    remember: WriteWith<{ readonly id: string }>,
  ): Promise<Tagged<AgentView>> {
    if (!PROVIDER_KINDS.some((kind) => kind === provider)) {
      throw new BadRequestException(
        `Unsupported provider: ${provider}. Supported providers: ${PROVIDER_KINDS.join(', ')}`,
      );
    }
    requireNoMasks(config);
    const agent = { name, provider, config, description: description ?? null };
    return this.tagged(await this.agents.create(agent, (tx, { id }) => remember(tx, { id })));
  }

  /**
   * @param ifMatch the header
   * @throws NotFoundException, HttpException 412
   * @throws BadRequestException as editedConfig
   */
  async update(
    id: string,
    { config, is_active, ...fields }: UpdateAgentRequest,
    ifMatch?: string,
  ): Promise<Tagged<AgentView>> {
    const changes = {
      ...fields,
      ...(is_active !== undefined && { isActive: is_active }),
      ...(config !== undefined && {
        config: (agent: AgentEntity) => editedConfig(agent, config),
      }),
    };
    const agent = await this.agents.update(id, changes, async (stored) => {
      if (ifMatch !== undefined) requireMatch(ifMatch, await tagOf(stored), 'agent');
    });
    if (agent === null) throw new NotFoundException('Agent not found');
    return this.tagged(agent);
  }

  /** Past runs stay, live ones finish. @throws NotFoundException */
  async delete(id: string): Promise<void> {
    if (!(await this.agents.delete(id))) throw new NotFoundException('Agent not found');
  }

  /** @throws as BaselinesService */
  async setBaseline(id: string, testRunIdOrLabel: string): Promise<AgentView> {
    return this.view(await this.baselines.set(id, testRunIdOrLabel));
  }

  /** @throws NotFoundException */
  clearBaseline(id: string): Promise<void> {
    return this.baselines.clear(id);
  }

  private async existing(id: string): Promise<AgentEntity> {
    const agent = await this.agents.find(id);
    if (agent === null) throw new NotFoundException('Agent not found');
    return agent;
  }

  private async tagged(agent: AgentEntity): Promise<Tagged<AgentView>> {
    return { view: await this.view(agent), etag: await tagOf(agent) };
  }

  private async viewFor(caller: Caller, agent: AgentEntity): Promise<AgentView> {
    if (maySeeSecrets(caller)) return this.view(agent);
    const warnings = examinationWarnings(agent.provider, viewOfAgent(agent).config);
    return { ...(await viewWithoutSecrets(agent)), warnings };
  }

  /** For who may change it. */
  private async view(agent: AgentEntity): Promise<AgentView> {
    const view = this.settings.maskCredentials ? await viewWithoutSecrets(agent) : viewOfAgent(agent);
    const { config } = viewOfAgent(agent);
    const warnings = [...examinationWarnings(agent.provider, config), ...secretWarnings(agent.provider, config)];
    return { ...view, warnings };
  }
}

type View = Omit<AgentView, 'warnings'>;

/** Also without a secret that another field repeats. */
async function viewWithoutSecrets(agent: AgentEntity): Promise<View> {
  const view = viewOfAgent(agent);
  return { ...view, config: await configWithoutSecrets(view.config) };
}

/**
 * Of what is shown to who may not see secrets, whoever asks: nobody can try out guesses of a secret against a tag. When it was changed is
 * part of it, what is warned of is not.
 */
async function tagOf(agent: AgentEntity): Promise<string> {
  return entityTag(await viewWithoutSecrets(agent));
}
