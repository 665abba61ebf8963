import { Injectable, InternalServerErrorException } from '@nestjs/common';
import type { CriterionResult } from '../../domain';
import { JudgeError } from '../../examiners/judge';
import { TesterError } from '../../examiners/tester';
import { TextThreads } from '../../examiners/threads';
import type { TriedScenario, TryScenarioRequest } from '../../../contract/scenario-trial';
import { rehearse, type Candidate } from './rehearse';

/** The agent that scenarios are tried against; who starts the service provides it. */
export abstract class TrialAgent {
  abstract readonly name: string;
  abstract readonly reply: Candidate;
}

/** Holds one offline conversation of a scenario that is still being written, and marks it. */
@Injectable()
export class TryScenario {
  constructor(
    private readonly agent: TrialAgent,
    private readonly threads: TextThreads,
  ) {}

  /** @throws InternalServerErrorException when the texts could not be read */
  async try({ name, content, rubric_criteria }: TryScenarioRequest, signal: AbortSignal): Promise<TriedScenario> {
    const scenario = { name: name ?? 'Scenario', content, criteria: rubric_criteria };
    try {
      const { transcript, verdict } = await rehearse(scenario, this.agent.reply, this.threads, signal);
      return {
        agent: this.agent.name,
        transcript: transcript.flatMap(({ turn, patientMessage, agentMessage }) => [
          { turn, role: 'patient' as const, content: patientMessage },
          { turn, role: 'agent' as const, content: agentMessage },
        ]),
        passed: verdict.passed,
        score_percent: verdict.scorePercent,
        total_points: verdict.totalPoints,
        max_points: verdict.maxPoints,
        grade_summary: verdict.summary,
        criteria_results: verdict.criteria.map(markOf),
      };
    } catch (error) {
      if (!(error instanceof TesterError || error instanceof JudgeError)) throw error;
      throw new InternalServerErrorException(`The scenario could not be tried: ${error.message}`);
    }
  }
}

function markOf({ maxPoints, repliesRead, votes, tags, evidence, ...same }: CriterionResult) {
  return {
    ...same,
    tags: [...tags],
    evidence: [...evidence],
    max_points: maxPoints,
    replies_read: repliesRead ?? null,
    votes: votes === undefined ? null : [...votes],
  };
}
