import {
  BadRequestException,
  HttpException,
  HttpStatus,
  Injectable,
  InternalServerErrorException,
} from '@nestjs/common';
import { EffectFailed, type CriterionResult } from '../../domain';
import { JudgeError } from '../../examiners/judge';
import { TesterError } from '../../examiners/tester';
import { LineFull, readerFor, TextThreads } from '../../examiners/threads';
import type { Caller } from '../../platform/access';
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

  /**
   * @throws BadRequestException when the patient would say what no patient may; HttpException 429 when too much of the caller waits
   *   already; InternalServerErrorException when the texts could not be read
   */
  async try(
    { name, content, rubric_criteria }: TryScenarioRequest,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<TriedScenario> {
    const scenario = { name: name ?? 'Scenario', content, criteria: rubric_criteria };
    const reader = readerFor(caller, this.threads);
    try {
      const { transcript, verdict } = await rehearse(scenario, this.agent.reply, reader, signal);
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
      throw signal.aborted ? error : refusalOf(error);
    }
  }
}

/** What the caller is told: of an author's own words what is wrong with them. */
function refusalOf(error: unknown): unknown {
  const cause = error instanceof Error && error.cause instanceof LineFull ? error.cause : error;
  if (cause instanceof LineFull) return new HttpException(cause.message, HttpStatus.TOO_MANY_REQUESTS);
  if (error instanceof TesterError && error.faults.length > 0) {
    const said = error.faults.map(({ turn, text }) => `turn ${turn}: “${text}”`).join('; ');
    return new BadRequestException(
      `content: by this script the patient says what a patient must not (${said}). A run would end there in an error: reword it.`,
    );
  }
  if (error instanceof EffectFailed && error.failure.code === 'grading_failed') {
    return new BadRequestException(
      `rubric_criteria: ${error.message} The agent that scenarios are tried against reports neither times nor tokens.`,
    );
  }
  if (error instanceof TesterError || error instanceof JudgeError) {
    return new InternalServerErrorException(`The scenario could not be tried: ${error.message}`);
  }
  return error;
}

function markOf({ maxPoints, repliesRead, votes, tags, evidence, check, ...same }: CriterionResult) {
  return {
    ...same,
    tags: [...tags],
    evidence: [...evidence],
    max_points: maxPoints,
    replies_read: repliesRead ?? null,
    votes: votes === undefined ? null : [...votes],
    check: check ?? null,
  };
}
