import { BadRequestException, ConflictException, Injectable } from '@nestjs/common';
import type { AgentEntity } from '../agents/agent.entity';
import type { ExaminedAgent } from '../../engine/ledger/new-test-run';
import { examinedConfig } from '../../agents/examined-config';
import { examined, ExaminedAgents } from '../runs/examined-agents';

/** How fast and how patiently an agent is asked says nothing of what it answers: errors are often mended by these. */
const PACE = [
  'turn_timeout_ms',
  'turnTimeoutMs',
  'max_retries',
  'maxRetries',
  'requests_per_minute',
  'requestsPerMinute',
];

/** Finds the agent of a run that ended, to be examined once more. */
@Injectable()
export class SameAgent {
  constructor(private readonly agents: ExaminedAgents) {}

  /**
   * @param hasVerdicts verdicts on the agent as it was then stand beside those to come: then it must be the same one
   * @throws ConflictException when it cannot be examined any more, or was changed
   */
  async find(then: ExaminedAgent, hasVerdicts: boolean): Promise<ExaminedAgent> {
    const agent = await this.agents.find(then.id).catch((error: unknown) => {
      if (!(error instanceof BadRequestException)) throw error;
      throw new ConflictException(`The agent of this run cannot be examined: ${error.message}.`);
    });
    if (hasVerdicts && !(await isSame(then, agent))) {
      throw new ConflictException(
        `The config of agent "${agent.name}" was changed since this run, and verdicts on two agents make no one pass rate: ` +
          'start a new run, or set the config back.',
      );
    }
    return examined(agent, then.version);
  }
}

/** True when nobody kept what it was. */
async function isSame(then: ExaminedAgent, { provider, config }: AgentEntity): Promise<boolean> {
  if (then.configHash === null || then.config === null) return true;
  const { hash } = await examinedConfig(provider, withPaceOf(config, then.config));
  return hash === then.configHash;
}

function withPaceOf(config: object, then: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const others = Object.entries(config).filter(([key]) => !PACE.includes(key));
  return Object.fromEntries([...others, ...Object.entries(then).filter(([key]) => PACE.includes(key))]);
}
