import { BadRequestException, ConflictException, Injectable } from '@nestjs/common';
import { ProviderError, type Branching, ProviderRegistry } from '../../agents';
import type { Modality } from '../../domain';
import type { ExaminedAgent } from '../../engine/ledger';
import type { AgentEntity } from '../agents/agent.entity';
import { examined, ExaminedAgents, isSameAgent } from '../runs/examined-agents';

/** Finds the agent of a run that ended, to be examined once more. */
@Injectable()
export class SameAgent {
  constructor(private readonly agents: ExaminedAgents) {}

  /**
   * @param hasVerdicts verdicts on the agent as it was then stand beside those to come: then it must be the same one
   * @throws ConflictException when it cannot be examined any more, or was changed
   */
  async find(then: ExaminedAgent, modality: Modality, hasVerdicts: boolean): Promise<ExaminedAgent> {
    const agent = await this.agents.find(then.agent_id, modality).catch((error: unknown) => {
      if (!(error instanceof BadRequestException)) throw error;
      throw new ConflictException(`The agent of this run cannot be examined: ${error.message}.`);
    });
    if (hasVerdicts && !(await isSameAgent(then, agent))) {
      throw new ConflictException(
        `The config of agent "${agent.name}" was changed since this run, and verdicts on two agents make no one pass rate: ` +
          'start a new run, or set the config back.',
      );
    }
    return examined(agent, then.agent_version);
  }
}

/** Finds the agent that goes on with a conversation. */
@Injectable()
export class ContinuingAgent {
  constructor(
    private readonly agents: ExaminedAgents,
    private readonly providers: ProviderRegistry,
  ) {}

  /**
   * @param then the agent that held the conversation
   * @param givenId the one that is to go on; null for the same
   * @throws BadRequestException when a given agent cannot be examined; ConflictException when the agent of the source cannot, or cannot go
   *   on from a transcript
   */
  async find(then: ExaminedAgent, givenId: string | null): Promise<ExaminedAgent> {
    const agent = await this.agents.find(givenId ?? then.agent_id).catch((error: unknown) => {
      if (!(error instanceof BadRequestException)) throw error;
      if (givenId !== null) throw new BadRequestException(`agent_id: ${error.message}`);
      throw new ConflictException(
        `The agent of this conversation cannot be examined (${error.message}): name another one as agent_id.`,
      );
    });
    this.check(agent, then);
    return examined(agent, givenId === null ? then.agent_version : null);
  }

  private check({ id, name, provider, config }: AgentEntity, then: ExaminedAgent): void {
    const branching = this.branchingOf(provider, config);
    if (branching === 'transcript' || (branching === 'continuation' && id === then.agent_id)) return;
    throw new ConflictException(
      branching === 'continuation'
        ? `Agent "${name}" (${provider}) goes on only from conversations of its own, and this one is of agent "${then.agent_name}": ` +
            'fork it with an agent that is sent the whole conversation, such as an OpenAI-compatible one.'
        : `Agent "${name}" (${provider}) keeps its conversations to itself and cannot go on from a transcript: ` +
            'name an agent that is sent the whole conversation as agent_id, such as an OpenAI-compatible one.',
    );
  }

  private branchingOf(provider: string, config: AgentEntity['config']): Branching {
    try {
      return this.providers.find(provider)?.branching(config) ?? 'never';
    } catch (error) {
      if (error instanceof ProviderError) throw new ConflictException(`The agent cannot go on: ${error.message}`);
      throw error;
    }
  }
}
