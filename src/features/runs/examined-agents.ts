import { BadRequestException, Injectable } from '@nestjs/common';
import { AgentsStore } from '../agents/agents.store';
import { isOnTelephone, listNames, type Modality } from '../../domain';
import type { AgentEntity } from '../agents/agent.entity';
import type { ExaminedAgent } from '../../engine/ledger';
import { examinedConfig, ProviderRegistry } from '../../agents';
import { Settings } from '../../platform/config';

/** Finds the agent that a run is to examine. */
@Injectable()
export class ExaminedAgents {
  constructor(
    private readonly agents: AgentsStore,
    private readonly providers: ProviderRegistry,
    private readonly settings: Settings,
  ) {}

  /** @throws BadRequestException when it cannot be examined so: as `present`, or does not speak, or does nothing else */
  async find(id: string, modality: Modality = 'text'): Promise<AgentEntity> {
    const agent = await this.present(id);
    const muteness = modality === 'spoken' ? this.muteness(agent) : null;
    const isMute = this.providers.find(agent.provider)?.speaks !== true;
    if (muteness !== null)
      throw new BadRequestException(`modality: ${muteness}${isMute ? ': leave modality out' : ''}`);
    const silence = modality === 'spoken' ? null : this.onlySpeaks(agent);
    if (silence !== null) throw new BadRequestException(`modality: ${silence}: set modality to spoken`);
    return agent;
  }

  /** @throws BadRequestException for an agent that is unknown, inactive or of a kind that does not run here */
  async present(id: string): Promise<AgentEntity> {
    const agent = await this.agents.find(id);
    if (agent === null) throw new BadRequestException('Agent not found');
    if (!agent.isActive) throw new BadRequestException(`Agent "${agent.name}" is inactive`);
    this.checkProvider(agent);
    return agent;
  }

  /** Why an agent cannot be examined by voice, as a sentence without its end; null when it can. */
  muteness(agent: Pick<AgentEntity, 'name' | 'provider' | 'config'>): string | null {
    const { name, provider } = agent;
    if (this.isVoiceOnly(agent) && this.settings.speech.transcription === null) {
      return `agent "${name}" ${kindOf(agent)} tells nothing in text of what it says, so that an ear has to hear it: set TRANSCRIPTION_URL and TRANSCRIPTION_MODEL`;
    }
    if (this.providers.find(provider)?.speaks === true) return null;
    const speaking = this.providers.kinds.filter((kind) => this.providers.find(kind)?.speaks === true);
    return `agent "${name}" is of the kind ${provider}, which is examined in text only (by voice: ${listNames(speaking)})`;
  }

  /** Why an agent cannot be examined in text, as a sentence without its end; null when it can. */
  onlySpeaks(agent: Pick<AgentEntity, 'name' | 'provider' | 'config'>): string | null {
    return this.isVoiceOnly(agent) ? `agent "${agent.name}" ${kindOf(agent)} can only be spoken with` : null;
  }

  private isVoiceOnly({ provider, config }: Pick<AgentEntity, 'provider' | 'config'>): boolean {
    return isOnTelephone(provider, config) || this.providers.find(provider)?.isVoiceOnly === true;
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

/** The words between an agent's name and what such agents cannot do. */
function kindOf({ provider, config }: Pick<AgentEntity, 'provider' | 'config'>): string {
  return isOnTelephone(provider, config) ? 'is rung at its phone_number, so it' : `is of the kind ${provider}, which`;
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

/** How fast and how patiently an agent is asked says nothing of what it answers: errors are often mended by these. */
const PACE = [
  'turn_timeout_ms',
  'turnTimeoutMs',
  'max_retries',
  'maxRetries',
  'requests_per_minute',
  'requestsPerMinute',
];

/** Whether an agent is still what a run had examined; true when the run did not keep what it was. */
export async function isSameAgent(
  then: Pick<ExaminedAgent, 'agent_config' | 'agent_config_hash'>,
  { provider, config }: AgentEntity,
): Promise<boolean> {
  if (then.agent_config_hash === null || then.agent_config === null) return true;
  const { hash } = await examinedConfig(provider, withPaceOf(config, then.agent_config));
  return hash === then.agent_config_hash;
}

function withPaceOf(config: object, then: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const others = Object.entries(config).filter(([key]) => !PACE.includes(key));
  return Object.fromEntries([...others, ...Object.entries(then).filter(([key]) => PACE.includes(key))]);
}
