import {
  BadRequestException,
  HttpException,
  HttpStatus,
  Injectable,
  InternalServerErrorException,
} from '@nestjs/common';
import type { Caller } from '../../platform/access';
import { isUnavailable, type WriteWith } from '../../platform/database';
import { ScenariosStore, type NewScenario } from './scenarios.store';
import { ModelSpend, type SpendReached } from '../../examiners/model';
import { ScenarioGenerator, TesterError, type GeneratedScenario, type GenerationRequest } from '../../examiners/tester';
import { LineFull } from '../../examiners/threads';
import { ScenarioLinter } from './scenario-linter';
import {
  listOfGenerated,
  listOfProposed,
  viewOfScenario,
  type GeneratedList,
  type ProposedList,
  type ProposedScenario,
  type ScenarioView,
} from './scenario.views';
import type { GenerateBatchRequest, GenerateScenarioRequest } from '../../../contract/scenarios';

const NO_RULE =
  'text: states no rule to examine; give sentences that say what must, should or must never be done, told or asked.';

type Generated = readonly [GeneratedScenario, ...GeneratedScenario[]];

/** Clinical text to scenarios. What a model wrote is not approved until a clinician says so. */
@Injectable()
export class ScenarioGenerationService {
  constructor(
    private readonly generator: ScenarioGenerator,
    private readonly scenarios: ScenariosStore,
    private readonly spend: ModelSpend,
    private readonly linter: ScenarioLinter,
  ) {}

  /** Why nothing can be generated at present, and for how long; null when it can. */
  spent(): Promise<SpendReached | null> {
    return this.spend.reached();
  }

  /**
   * The single most important case of the text.
   * @throws BadRequestException when the text states no rule, InternalServerErrorException when the model fails, HttpException 429 when too much
   * of the caller waits already
   */
  async generateOne(
    request: GenerateScenarioRequest,
    signal: AbortSignal,
    caller: Caller,
    remember: WriteWith<ScenarioView>,
  ): Promise<ScenarioView> {
    const [generated] = await this.generate({ text: request.text, extent: 'one' }, signal, caller);
    const name = request.name ?? generated.name;
    const scenario = toStore({ ...generated, name }, request);
    return viewOfScenario(await this.scenarios.create(scenario, (tx, made) => remember(tx, viewOfScenario(made))));
  }

  /** One scenario for each case of the text; all are stored or none. @throws as generateOne */
  async generateAll(
    request: GenerateBatchRequest,
    signal: AbortSignal,
    caller: Caller,
    remember: WriteWith<GeneratedList>,
  ): Promise<GeneratedList> {
    const generated = await this.generate({ text: request.text, extent: 'all' }, signal, caller);
    try {
      const scenarios = generated.map((scenario) => toStore(scenario, request));
      const stored = await this.scenarios.createAll(scenarios, (tx, made) => remember(tx, listOfGenerated(made)));
      return listOfGenerated(stored);
    } catch (error) {
      if (isUnavailable(error)) throw databaseAway();
      throw error;
    }
  }

  /** What `generateAll` would store, with what the lint says about it, for a review before it is stored. @throws as generateOne */
  async propose(request: GenerateBatchRequest, signal: AbortSignal, caller: Caller): Promise<ProposedList> {
    const generated = await this.generate({ text: request.text, extent: 'all' }, signal, caller);
    const proposed: ProposedScenario[] = [];
    for (const scenario of generated) {
      const proposal = toStore(scenario, request);
      proposed.push({ ...proposal, findings: await this.linter.findingsOf(proposal, signal, caller) });
    }
    return listOfProposed(proposed);
  }

  private async generate(request: GenerationRequest, signal: AbortSignal, caller: Caller): Promise<Generated> {
    const [first, ...others] = await this.generator.generate(request, signal, caller).catch((error: unknown) => {
      if (error instanceof LineFull) throw new HttpException(error.message, HttpStatus.TOO_MANY_REQUESTS);
      throw error instanceof TesterError ? failed(error.message) : error;
    });
    if (first === undefined) throw new BadRequestException(NO_RULE);
    return [first, ...others];
  }
}

/** Elsewhere that is a 503; the specification promises 500 for this path, whether the model or the database failed. */
export function databaseAway(): InternalServerErrorException {
  return failed('the database is out of reach; try again in a few seconds.');
}

function failed(reason: string): InternalServerErrorException {
  return new InternalServerErrorException(`Scenario generation failed: ${reason}`);
}

function toStore(
  { name, category, content, rubricCriteria }: GeneratedScenario,
  asked: { readonly category?: string | null | undefined; readonly tags: readonly string[] },
): NewScenario {
  return {
    name,
    category: asked.category ?? category,
    severity: 'medium',
    scenarioType: 'custom',
    isActive: true,
    approved: false,
    priority: null,
    content,
    rubricCriteria,
    tags: asked.tags,
  };
}
