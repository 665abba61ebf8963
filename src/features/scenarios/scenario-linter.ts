import {
  BadRequestException,
  HttpException,
  HttpStatus,
  Injectable,
  InternalServerErrorException,
} from '@nestjs/common';
import { readCheck, type RubricCriterion } from '../../domain';
import type { Caller } from '../../platform/access';
import { ScenariosStore } from './scenarios.store';
import { TextJobFailed, TextThreads, LineFull } from '../../examiners/threads';
import type { Finding, LintedScenario } from '../../examiners/lint';
import { listOfLinted, type Linted, type LintedList } from './lint.views';
import type { LintRequest } from '../../../contract/scenario-lint';
import { content as contentField } from '../../../contract/rubric';

/** The longest scenario that the service takes needs a few seconds. */
const DEADLINE_MS = 60_000;
const MOST_NAMED = 5;

/** A rule that is not finished is not read yet. */
function drafted({ check, ...criterion }: LintRequest['rubric_criteria'][number]): RubricCriterion {
  const read = readCheck(check);
  return { ...criterion, ...(read === null ? {} : { check: read }) };
}

/** What any stored or proposed scenario has of what is linted. */
interface Lintable {
  readonly severity: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly rubricCriteria: readonly RubricCriterion[];
}

/** Says of scenarios what makes them poorer instruments (src/examiners/lint). Long ones are read in threads. */
@Injectable()
export class ScenarioLinter {
  constructor(
    private readonly scenarios: ScenariosStore,
    private readonly threads: TextThreads,
  ) {}

  /** @throws BadRequestException naming scenarios that do not exist; HttpException 429 when too much of the caller waits already */
  async lint(request: LintRequest, caller: Caller, signal: AbortSignal): Promise<LintedList> {
    const { scenario_ids: ids, content, rubric_criteria, severity, name } = request;
    if (ids !== undefined) return listOfLinted(await this.lintStored(ids, caller, signal));
    if (content === undefined) return listOfLinted([]);
    const draft = { severity: severity ?? 'medium', content, rubricCriteria: rubric_criteria.map(drafted) };
    return listOfLinted([{ scenario_id: null, name: name ?? null, findings: await this.run(draft, signal, caller) }]);
  }

  /** Answers no findings for a content without the three fields: another version may have stored it. */
  async findingsOf(
    { severity, content, rubricCriteria }: Lintable,
    signal: AbortSignal,
    caller: Caller,
  ): Promise<readonly Finding[]> {
    const known = contentField.safeParse(content);
    return known.success ? this.run({ severity, content: known.data, rubricCriteria }, signal, caller) : [];
  }

  /** One after another: a hundred of the longest would fill the memory. */
  private async lintStored(ids: readonly string[], caller: Caller, signal: AbortSignal): Promise<Linted[]> {
    const linted: Linted[] = [];
    const unknown: string[] = [];
    for (const id of new Set(ids)) {
      const scenario = await this.scenarios.find(id);
      if (scenario === null) unknown.push(id);
      else if (unknown.length === 0) {
        const findings = await this.findingsOf(scenario, signal, caller);
        linted.push({ scenario_id: scenario.id, name: scenario.name, findings });
      }
    }
    if (unknown.length > 0) throw new BadRequestException(`scenario_ids: no such scenario: ${listed(unknown)}`);
    return linted;
  }

  private async run(scenario: LintedScenario, signal: AbortSignal, caller: Caller): Promise<readonly Finding[]> {
    try {
      return await this.threads.run('lint', scenario, DEADLINE_MS, signal, caller);
    } catch (error) {
      if (error instanceof LineFull) throw new HttpException(error.message, HttpStatus.TOO_MANY_REQUESTS);
      if (error instanceof TextJobFailed) throw new InternalServerErrorException(`Linting failed: ${error.message}`);
      throw error;
    }
  }
}

function listed(ids: readonly string[]): string {
  const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : '';
  return `${ids.slice(0, MOST_NAMED).join(', ')}${more}`;
}
