import { BadRequestException, Injectable } from '@nestjs/common';
import { AgentsStore } from '../agents/agents.store';
import { listNames, type Modality } from '../../domain';
import type { AgentEntity } from '../agents/agent.entity';
import type { ExaminedAgent } from '../../engine/ledger';
import { examinedConfig, ProviderRegistry } from '../../agents';

/** Finds the agent that a run is to examine. */
@Injectable()
export class ExaminedAgents {
  constructor(
    private readonly agents: AgentsStore,
    private readonly providers: ProviderRegistry,
  ) {}

  /** @throws BadRequestException when it cannot be examined so: unknown, inactive, of a kind that does not run here or does not speak */
  async find(id: string, modality: Modality = 'text'): Promise<AgentEntity> {
    const agent = await this.agents.find(id);
    if (agent === null) throw new BadRequestException('Agent not found');
    if (!agent.isActive) throw new BadRequestException(`Agent "${agent.name}" is inactive`);
    this.checkProvider(agent);
    if (modality === 'spoken') this.checkVoice(agent);
    return agent;
  }

  private checkVoice({ name, provider }: AgentEntity): void {
    if (this.providers.find(provider)?.speaks === true) return;
    const speaking = this.providers.kinds.filter((kind) => this.providers.find(kind)?.speaks === true);
    throw new BadRequestException(
      `modality: agent "${name}" is of the kind ${provider}, which is examined in text only (by voice: ${listNames(speaking)}): leave modality out`,
    );
  }

  private checkProvider(agent: AgentEntity): void {
    const provider = this.providers.find(agent.provider);
    const availability = provider?.availability();
    if (availability?.available === true) return;
    const reason =
      availability === undefined ? `Supported providers: ${this.providers.kinds.join(', ')}` : availability.reason;
    throw new BadRequestException(`Unsupported provider: ${agent.provider}. ${reason}`);
  }
}

/** The agent as it is when the run is stored. @param version as the client calls it */
export async function examined(
  { id, name, provider, config }: AgentEntity,
  version: string | null,
): Promise<ExaminedAgent> {
  const { shown, hash } = await examinedConfig(provider, config);
  return {
    agent_id: id,
    agent_name: name,
    agent_provider: provider,
    agent_version: version,
    agent_config: { ...shown },
    agent_config_hash: hash,
  };
}
