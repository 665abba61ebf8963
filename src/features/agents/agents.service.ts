import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import { givenValue, configWithoutSecrets } from '../../agents';
import { seemsToHoldSecret } from '../../agents/secrets';
import { conversationWarning, PROVIDER_KINDS } from '../../domain';
import { maySeeSecrets, type Caller } from '../../platform/access';
import { Settings } from '../../platform/config';
import { type WriteWith, whyUnopened } from '../../platform/database';
import { entityTag, requireMatch, type Tagged, totalOf } from '../../platform/http';
import type { AgentEntity } from './agent.entity';
import { AgentsStore } from './agents.store';
import { BaselinesService } from './baselines.service';
import { editedConfig, requireOwnSecrets } from './edited-config';
import type { AgentView, CreateAgentRequest, UpdateAgentRequest } from '../../../contract/agents';
import type { Page } from '../../../contract/page';

/** The stored row as the API shows it, with its credentials and without warnings. A config that cannot be decrypted becomes a sentence. */
function viewOfAgent(agent: AgentEntity): Omit<AgentView, 'warnings'> {
  const unopened = whyUnopened(agent);
  return {
    id: agent.id,
    provider: agent.provider,
    name: agent.name,
    description: agent.description,
    config: unopened === null ? agent.config : { $unopened: unopened },
    is_active: agent.isActive,
    baseline_test_run_id: agent.baselineTestRunId,
    created_at: agent.createdAt.toISOString(),
    updated_at: agent.updatedAt.toISOString(),
  };
}

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
    // One after the other: finding the secrets of a large config takes many turns of the event loop.
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
    requireOwnSecrets(config);
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

  /** The view for a caller who may change the agent. */
  private async view(agent: AgentEntity): Promise<AgentView> {
    const view = this.settings.maskCredentials ? await viewWithoutSecrets(agent) : viewOfAgent(agent);
    const { config } = viewOfAgent(agent);
    const warnings = [...examinationWarnings(agent.provider, config), ...secretWarnings(agent.provider, config)];
    return { ...view, warnings };
  }
}

type View = Omit<AgentView, 'warnings'>;

/** The view without secrets, also where another field repeats one. */
async function viewWithoutSecrets(agent: AgentEntity): Promise<View> {
  const view = viewOfAgent(agent);
  return { ...view, config: await configWithoutSecrets(view.config) };
}

/**
 * The tag of an agent, for every caller made of the view without secrets: no caller can test guesses of a secret against it. It
 * covers the time of the last change, but no warnings.
 */
async function tagOf(agent: AgentEntity): Promise<string> {
  return entityTag(await viewWithoutSecrets(agent));
}

/** Warnings about an agent that every caller is shown. */
function examinationWarnings(kind: string, config: Readonly<Record<string, unknown>>): string[] {
  const warning = conversationWarning(kind, config);
  return warning === null ? [] : [warning];
}

/**
 * Warnings about an agent for callers who may change it. The path of an address identifies the agent in what is shown, in what
 * runs keep and in their hashes. A secret in it cannot be told from the rest of the path, so the service does not hide it but
 * warns of it.
 */
function secretWarnings(kind: string, config: Readonly<Record<string, unknown>>): string[] {
  // Addresses of the other kinds are their vendors', with ids in them.
  const url = kind === 'http' ? givenValue(kind, config, 'url') : undefined;
  if (typeof url !== 'string' || !seemsToHoldSecret(url)) return [];
  return [
    'config.url seems to hold a secret in its path, which every service key shows, runs keep and replies may repeat: ' +
      'give it in config.headers, or in a query parameter named as one, such as token.',
  ];
}
