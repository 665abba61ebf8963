import { randomUUID } from 'node:crypto';
import { BadRequestException, Injectable } from '@nestjs/common';
import { namedUuid } from '../../domain/fingerprint';
import { DEFAULT_PASS_THRESHOLD, listClauses } from '../../domain';
import { ProcessId } from '../../engine/actors';
import { IMPORTED, IN_TEXT, type ImportedConversation, type NewImportedRun, TestRunLedger } from '../../engine/ledger';
import type { WriteWith } from '../../platform/database';
import { toTurns } from '../calibrations/transcript-turns';
import { ModelChoice } from '../runs/model-choice';
import { RunBeginnings } from '../runs/run-beginnings';
import { runLabel } from '../runs/start-run';
import { contentHashOf } from '../scenarios/scenario-revision';
import { ScenarioSelectionStore } from '../scenarios/scenario-selection.store';
import { type TranscriptsRequest, type TranscriptsAnswer, type TranscriptItem } from '../../../contract/transcripts';

/** Conversations marked at once. */
const CONCURRENCY = 6;

/** Has conversations marked that were held elsewhere. */
@Injectable()
export class TranscriptsService {
  constructor(
    private readonly selection: ScenarioSelectionStore,
    private readonly models: ModelChoice,
    private readonly ledger: TestRunLedger,
    private readonly beginnings: RunBeginnings,
    private readonly processId: ProcessId,
  ) {}

  /**
   * @param remember is written with the run
   * @throws BadRequestException naming scenarios that do not exist by their places, or a model that is not allowed
   */
  async grade(request: TranscriptsRequest, remember: WriteWith<TranscriptsAnswer>): Promise<TranscriptsAnswer> {
    const {
      name = null,
      agent_name,
      agent_version = null,
      items,
      judge_model,
      pass_threshold,
      region = null,
    } = request;
    const askedModels = this.models.of({ judge_model });
    await this.checkScenarios(items);
    const conversations = conversationsOf(items);
    const id = randomUUID();
    const label = runLabel(id, new Date());
    const answer: TranscriptsAnswer = {
      id,
      test_run_id: label,
      status: 'running',
      total_scenarios: items.length,
      scenarios_launched: items.length,
      derived_from: null,
      derivation: 'import',
    };
    const run: NewImportedRun = {
      ...askedModels,
      id,
      test_run_id: label,
      name,
      agent_id: namedUuid('agent', agent_name),
      agent_name,
      agent_provider: IMPORTED,
      agent_version,
      agent_config: null,
      agent_config_hash: null,
      test_suite_id: null,
      trials: Math.max(...conversations.map(({ trial }) => trial)),
      max_turns: Math.max(...conversations.map(({ turns }) => turns.length)),
      concurrency_limit: CONCURRENCY,
      pass_threshold: pass_threshold ?? DEFAULT_PASS_THRESHOLD,
      region,
      ...IN_TEXT,
      scheduled_at: null,
      owner: this.processId.value,
      calibrated_judge: null,
      conversations,
    };
    await this.beginnings.begin(() => this.ledger.importRun(run, (tx) => remember(tx, answer)));
    return answer;
  }

  private async checkScenarios(items: readonly TranscriptItem[]): Promise<void> {
    const ids = items.flatMap(({ scenario_id }) => (scenario_id === undefined ? [] : [scenario_id]));
    const unknown = new Set(await this.selection.findUnknown([...new Set(ids)]));
    const problems = items.flatMap(({ scenario_id }, place) =>
      scenario_id !== undefined && unknown.has(scenario_id) ? [`items[${place}].scenario_id: no such scenario`] : [],
    );
    if (problems.length > 0) throw new BadRequestException(listClauses(problems));
  }
}

/** Conversations with one scenario are its trials, in their order. */
function conversationsOf(items: readonly TranscriptItem[]): ImportedConversation[] {
  const trials = new Map<string, number>();
  return items.map((item, place) => {
    const scenario = scenarioOf(item, place + 1);
    const trial = (trials.get(scenario.scenarioId) ?? 0) + 1;
    trials.set(scenario.scenarioId, trial);
    return { ...scenario, trial, examination: null, turns: toTurns(item.transcript) };
  });
}

/**
 * A rubric of its own makes a scenario that the library does not have: the row keeps its copy, as of any scenario, and its id is made of its
 * name and what it holds. So the same conversations of another agent are compared with these, scenario by scenario.
 */
function scenarioOf(
  { name, scenario_id, rubric_criteria = [], rubric_scale }: TranscriptItem,
  number: number,
): Pick<ImportedConversation, 'scenarioId' | 'adHoc'> {
  if (scenario_id !== undefined) return { scenarioId: scenario_id.toLowerCase(), adHoc: null };
  const scenario = {
    name: name ?? `Conversation ${number}`,
    content: { ...NO_SCRIPT, ...(rubric_scale === undefined ? {} : { rubric_scale }) },
    rubric_criteria,
  };
  const contentHash = contentHashOf({ content: scenario.content, rubricCriteria: rubric_criteria });
  return { scenarioId: namedUuid('scenario', scenario.name, contentHash), adHoc: { scenario, contentHash } };
}

const NO_SCRIPT = { script: '', demographics: {}, chief_complaint: '' };
