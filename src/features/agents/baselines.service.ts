import { BadRequestException, ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { isFinalTestRun } from '../../domain';
import { AgentsStore } from './agents.store';
import type { AgentEntity } from './agent.entity';
import type { TestRunRecord } from '../runs/test-run.row';
import { TestRunsStore } from '../runs/test-runs.store';

const NO_RUN = 'test_run_id: no such test run; give the id or the label of a completed run of this agent.';

/** Sets and clears the run that an agent's other runs are compared with. */
@Injectable()
export class BaselinesService {
  constructor(
    private readonly agents: AgentsStore,
    private readonly testRuns: TestRunsStore,
  ) {}

  /**
   * @param idOrLabel of the run
   * @throws NotFoundException, BadRequestException for a run that can never be a baseline, ConflictException for one that is
   *   under way
   */
  async set(agentId: string, idOrLabel: string): Promise<AgentEntity> {
    if ((await this.agents.find(agentId)) === null) throw new NotFoundException('Agent not found');
    const run = await this.testRuns.find(idOrLabel);
    if (run === null) throw new NotFoundException(NO_RUN);
    check(agentId, run);
    return this.store(agentId, run.id);
  }

  /** @throws NotFoundException */
  async clear(agentId: string): Promise<void> {
    await this.store(agentId, null);
  }

  private async store(agentId: string, testRunId: string | null): Promise<AgentEntity> {
    const changed = await this.agents.setBaseline(agentId, testRunId);
    if (changed === 'no agent') throw new NotFoundException('Agent not found');
    if (changed === 'no run') throw new NotFoundException(NO_RUN);
    return changed;
  }
}

function check(agentId: string, { agent_id: examined, agent_name, test_run_id, status }: TestRunRecord): void {
  if (examined !== agentId.toLowerCase()) {
    throw new BadRequestException(
      `test_run_id: ${test_run_id} examined another agent, ${agent_name}; name a run of this agent.`,
    );
  }
  if (!isFinalTestRun(status)) {
    throw new ConflictException(
      `test_run_id: ${test_run_id} is ${status}; make it the baseline when it has completed.`,
    );
  }
  if (status !== 'completed') {
    throw new BadRequestException(
      `test_run_id: ${test_run_id} ${status === 'canceled' ? 'was canceled' : 'failed'} and is not a whole run; name a completed run.`,
    );
  }
}
