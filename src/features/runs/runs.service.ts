import { randomUUID } from 'node:crypto';
import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import {
  clampTurns,
  USUAL_PATIENT,
  type PatientProfile,
  DEFAULT_REGION,
  DEFAULT_PASS_THRESHOLD,
  listNames,
} from '../../domain';
import { Cancellations, ProcessId } from '../../engine/actors';
import {
  type JsonObject,
  type NewTestRun,
  type PlannedScenarioRun,
  type StoredTurn,
  TestRunLedger,
} from '../../engine/ledger';
import { Tester } from '../../examiners/tester';
import { ownTurn } from '../../platform/concurrency';
import { Settings } from '../../platform/config';
import { SharedRead, isUuid, type Part, type WriteWith } from '../../platform/database';
import { jsonDocument, type JsonDocument } from '../../platform/http';
import { ScenarioSelectionStore, type Selected, type Selection } from '../scenarios/scenario-selection.store';
import { assertRunExists, TestRunsStore } from './test-runs.store';
import { examined, ExaminedAgents } from './examined-agents';
import { ModelChoice } from './model-choice';
import { checkPatients } from './patients';
import { RunBeginnings } from './run-beginnings';
import { runLabel } from './start-run';
import { RunSummaries } from './run-summaries';
import { warningsOf } from './run.views';
import { actsViewOf, traceUrlOf, transcriptOf, viewOfScenarioRun } from './scenario-run.views';
import { ScenarioRunsStore, type ScenarioRunPage, type ScenarioRunRecord } from './scenario-runs.store';
import type { TestRunRecord } from './test-run.row';
import type {
  CancelRunAnswer,
  StartRunAnswer,
  StartRunRequest,
  TestRunFilter,
  TestRunListItem,
  TestRunView,
  UpdateRunRequest,
} from '../../../contract/test-runs';
import type { ScenarioRunDetail, ScenarioRunView } from '../../../contract/scenario-runs';

/** What one run's actor, its page and its export are designed for. */
const MAX_SCENARIO_RUNS = 20_000;

/** @throws BadRequestException when a run would have more scenario runs than one run may have */
function checkSize(scenarios: number, patients: number, trials: number): void {
  const scenarioRuns = scenarios * patients * trials;
  if (scenarioRuns <= MAX_SCENARIO_RUNS) return;
  const [would, may, chosen] = [scenarioRuns, MAX_SCENARIO_RUNS, scenarios].map((count) => count.toLocaleString('en'));
  const more = [
    ...(patients === 1 ? [] : [{ count: patients, noun: 'patients' }]),
    ...(trials === 1 ? [] : [{ count: trials, noun: 'trials' }]),
  ];
  const product = more.map(({ count, noun }) => ` × ${count} ${noun}`).join('');
  const made = product === '' ? '' : ` (${chosen} scenarios${product})`;
  const fewer = product === '' ? '' : `, ask for fewer ${more.map(({ noun }) => noun).join(' or ')}`;
  throw new BadRequestException(
    `This run would have ${would} scenario runs${made}; a run has at most ${may}. ` +
      `Set max_scenarios${fewer}, or start several runs with tags or test suites.`,
  );
}

/** Concurrent scenario runs when a client does not say. */
const DEFAULT_CONCURRENCY = 6;

/** Scenario runs read at a time for an export, without what was said. */
const EXPORT_PAGE = 50;
/** The bytes of conversations read at a time, or one conversation: this bounds an export's memory, for as long as its reader takes. */
const EXPORTED_AT_ONCE = 1024 * 1024;

/** Scenario runs of these that are written in one turn of the event loop: a whole page would take some tens of milliseconds. */
const EXPORTED_A_TURN = 10;

/** Starts, cancels, shows and deletes test runs. */
@Injectable()
export class RunsService {
  /** Many clients poll the same run: those who ask together share one query and one serialization. */
  private readonly documents = new SharedRead<string, JsonDocument | null>(async (idsOrLabels) => {
    const runs = await this.testRuns.findMany(idsOrLabels);
    const views = new Map((await this.viewsOf([...runs.values()])).map((view) => [view.id, view]));
    return idsOrLabels.map((key) => {
      const view = views.get(runs.get(key)?.id ?? '');
      return view === undefined ? null : jsonDocument(view);
    });
  });

  constructor(
    private readonly examinedAgents: ExaminedAgents,
    private readonly selection: ScenarioSelectionStore,
    private readonly ledger: TestRunLedger,
    private readonly testRuns: TestRunsStore,
    private readonly scenarioRuns: ScenarioRunsStore,
    private readonly beginnings: RunBeginnings,
    private readonly cancellations: Cancellations,
    private readonly processId: ProcessId,
    private readonly tester: Tester,
    private readonly models: ModelChoice,
    private readonly summaries: RunSummaries,
    private readonly settings: Settings,
  ) {}

  /**
   * @param remember is written with the run
   * @throws BadRequestException, NotFoundException, ConflictException when MAX_SCHEDULED_RUNS is reached
   */
  async start(request: StartRunRequest, remember: WriteWith<StartRunAnswer>): Promise<StartRunAnswer> {
    const agent = await this.examinedAgents.find(request.agent_id);
    const askedModels = this.models.of(request);
    const { scenarioIds, skipped } = await this.chooseScenarios(request);
    if (scenarioIds.length === 0) throw new BadRequestException('No active scenarios available');
    const trials = request.trials ?? 1;
    const patients = request.patients ?? [USUAL_PATIENT];
    checkPatients(patients, this.tester);
    checkSize(scenarioIds.length, patients.length, trials);
    const planned = expand({ scenarioIds, patients, trials });
    const id = randomUUID();
    const now = new Date();
    const isLater = request.scheduled_at !== undefined && new Date(request.scheduled_at) > now;
    const label = runLabel(id, now);
    const answer: StartRunAnswer = {
      id,
      test_run_id: label,
      status: isLater ? 'scheduled' : 'running',
      total_scenarios: planned.length,
      scenarios_launched: isLater ? 0 : planned.length,
      ...(skipped.length > 0 ? { skipped_scenario_ids: [...skipped] } : {}),
    };
    const run: NewTestRun = {
      ...(await examined(agent, request.agent_version ?? null)),
      ...askedModels,
      id,
      test_run_id: label,
      name: request.name ?? null,
      test_suite_id: request.test_suite_id ?? null,
      planned,
      trials,
      max_turns: clampTurns(request.max_turns),
      concurrency_limit: request.concurrency_limit ?? DEFAULT_CONCURRENCY,
      pass_threshold: request.pass_threshold ?? DEFAULT_PASS_THRESHOLD,
      region: request.region ?? DEFAULT_REGION,
      scheduled_at: isLater ? (request.scheduled_at ?? null) : null,
      owner: this.processId.value,
    };
    await this.beginnings.begin(() => this.ledger.create(run, (tx) => remember(tx, answer)));
    return answer;
  }

  /** When this resolves the cancellation is stored and every actor of this process has stopped its calls. */
  async cancel(idOrLabel: string): Promise<CancelRunAnswer> {
    const testRunId = await this.resolve(idOrLabel);
    const outcome = await this.ledger.cancel(testRunId);
    if (outcome.kind === 'unknown') throw new NotFoundException('Test run not found');
    if (outcome.kind === 'alreadyFinal') {
      return { status: outcome.status, message: 'Test run already finalized' };
    }
    this.cancellations.announce(testRunId);
    return { status: 'canceled', canceled_scenarios: outcome.canceledScenarios };
  }

  async update(idOrLabel: string, request: UpdateRunRequest): Promise<TestRunView> {
    const testRunId = await this.resolve(idOrLabel);
    if (!(await this.ledger.annotate(testRunId, request))) throw new NotFoundException('Test run not found');
    return this.find(testRunId);
  }

  async delete(idOrLabel: string): Promise<void> {
    const testRunId = await this.resolve(idOrLabel);
    await this.ledger.cancel(testRunId);
    this.cancellations.announce(testRunId);
    if (!(await this.ledger.delete(testRunId))) throw new NotFoundException('Test run not found');
  }

  /** The test run, ready to be sent. */
  async findDocument(idOrLabel: string): Promise<JsonDocument> {
    const document = await this.documents.load(idOrLabel);
    if (document === null) throw new NotFoundException('Test run not found');
    return document;
  }

  async find(idOrLabel: string): Promise<TestRunView> {
    const run = await this.testRuns.find(idOrLabel);
    if (run === null) throw new NotFoundException('Test run not found');
    const [view] = await this.viewsOf([run]);
    if (view === undefined) throw new NotFoundException('Test run not found');
    return view;
  }

  async list(asked: TestRunFilter & Part): Promise<{ runs: TestRunListItem[]; total: number }> {
    const { derived_from: source, agent_id, test_suite_id } = asked;
    // A deleted source is known by its UUID alone.
    const derived_from = source === undefined || isUuid(source) ? source : await this.testRuns.resolve(source);
    // What is no UUID is an id that nothing has.
    const isNone = [agent_id, test_suite_id].some((id) => id !== undefined && !isUuid(id));
    if (derived_from === null || isNone) return { runs: [], total: 0 };
    const { runs, total } = await this.testRuns.list({ ...asked, derived_from });
    return { runs: await this.summaries.of(runs), total };
  }

  async listScenarioRuns(
    idOrLabel: string,
    page: ScenarioRunPage,
  ): Promise<{ results: ScenarioRunView[]; total: number }> {
    const id = await this.resolve(idOrLabel);
    const { results, total } = await this.scenarioRuns.list(id, page);
    await assertRunExists(this.testRuns, id);
    return { results: results.map(viewOfScenarioRun), total };
  }

  /**
   * The scenario runs of a run with their transcripts, read a portion at a time as they are consumed.
   * @throws NotFoundException, also after some of them: the run was deleted meanwhile
   */
  async *eachScenarioRun(testRunId: string): AsyncGenerator<ScenarioRunDetail> {
    for (let after = 0; ;) {
      const { results, last } = await this.scenarioRuns.listAfter(testRunId, after, EXPORT_PAGE);
      const sizes = await this.scenarioRuns.sizesOf(results.map(({ id }) => id));
      for (const portion of inPortions(results, ({ id }) => sizes.get(id) ?? 0, EXPORTED_AT_ONCE)) {
        const turns = await this.scenarioRuns.turnsOf(portion.map(({ id }) => id));
        const closing = await this.closingActsOf(portion);
        await assertRunExists(this.testRuns, testRunId);
        for (const [place, run] of portion.entries()) {
          if (place % EXPORTED_A_TURN === 0) await ownTurn(Number.POSITIVE_INFINITY);
          yield this.detailOf(run, turns.get(run.id) ?? [], closing.get(run.id));
        }
      }
      if (results.length < EXPORT_PAGE) return;
      after = last;
    }
  }

  async findScenarioRun(id: string): Promise<ScenarioRunDetail> {
    const run = await this.scenarioRuns.find(id);
    if (run === null) throw new NotFoundException('Scenario run not found');
    const turns = (await this.scenarioRuns.turnsOf([run.id])).get(run.id) ?? [];
    const closing = await this.closingActsOf([run]);
    await assertRunExists(this.testRuns, run.test_run_id, 'Scenario run not found');
    return this.detailOf(run, turns, closing.get(run.id));
  }

  /** Most conversations have all their replies: nothing is asked about them. */
  private closingActsOf(runs: readonly ScenarioRunRecord[]): ReturnType<ScenarioRunsStore['closingActsOf']> {
    const hungUp = runs.filter(({ unanswered_message }) => unanswered_message !== null);
    return hungUp.length === 0
      ? Promise.resolve(new Map<string, JsonObject>())
      : this.scenarioRuns.closingActsOf(hungUp.map(({ id }) => id));
  }

  private detailOf(
    run: ScenarioRunRecord,
    turns: readonly StoredTurn[],
    closing: JsonObject | undefined,
  ): ScenarioRunDetail {
    const traceUrl = traceUrlOf(this.settings.traceUrlTemplate, run);
    return {
      ...viewOfScenarioRun(run),
      transcript: transcriptOf(turns, traceUrl),
      closing_acts: closing === undefined ? null : actsViewOf(closing),
    };
  }

  private async viewsOf(runs: readonly TestRunRecord[]): Promise<TestRunView[]> {
    const [summaries, configs] = await Promise.all([
      this.summaries.of(runs),
      this.testRuns.agentConfigsOf(runs.map(({ id }) => id)),
    ]);
    return summaries.map((summary) => {
      const agent_config = configs.get(summary.id) ?? null;
      return { ...summary, agent_config, warnings: warningsOf(summary, agent_config) };
    });
  }

  private async resolve(idOrLabel: string): Promise<string> {
    const id = await this.testRuns.resolve(idOrLabel);
    if (id === null) throw new NotFoundException('Test run not found');
    return id;
  }

  private async chooseScenarios(request: StartRunRequest): Promise<Selected> {
    const { test_suite_id } = request;
    if (test_suite_id !== undefined && !(await this.selection.hasSuite(test_suite_id))) {
      throw new NotFoundException('Test suite not found');
    }
    const selection = selectionOf(request);
    if (selection.kind === 'ids') {
      const unknown = await this.selection.findUnknown(selection.scenarioIds);
      if (unknown.length > 0) {
        throw new BadRequestException(`scenario_ids: no such scenario: ${listNames(unknown)}`);
      }
    }
    const selected = await this.selection.select(selection);
    if (selected === null) throw new NotFoundException('Test suite not found');
    return selected;
  }
}

/** Precedence: scenario_ids, test_suite_id, tags, all. */
function selectionOf(request: StartRunRequest): Selection {
  const atMost = request.max_scenarios ?? null;
  if (request.scenario_ids !== undefined) return { kind: 'ids', scenarioIds: request.scenario_ids };
  if (request.test_suite_id !== undefined) return { kind: 'suite', testSuiteId: request.test_suite_id, atMost };
  if (request.tags !== undefined) return { kind: 'tags', tags: request.tags, atMost };
  return { kind: 'all', atMost };
}

/** The items in their order, in portions that weigh no more than `most`; one that weighs more by itself is a portion. */
export function inPortions<Item>(items: readonly Item[], weightOf: (item: Item) => number, most: number): Item[][] {
  const portions: Item[][] = [];
  let weight = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const own = weightOf(item);
    if (weight + own > most) {
      portions.push([]);
      weight = 0;
    }
    portions.at(-1)?.push(item);
    weight += own;
  }
  return portions;
}

/** What each scenario of a run is examined with. */
interface Axes {
  readonly scenarioIds: readonly string[];
  /** At least one. */
  readonly patients: readonly PatientProfile[];
  /** At least 1. */
  readonly trials: number;
}

/**
 * Every conversation of a run: each scenario with each patient, trial by trial. So a run that is looked at early, or canceled,
 * has whole trials of every scenario, not all trials of a few.
 */
export function expand({ scenarioIds, patients, trials }: Axes): PlannedScenarioRun[] {
  const numbers = Array.from({ length: trials }, (_, before) => before + 1);
  return numbers.flatMap((trial) =>
    scenarioIds.flatMap((scenarioId) => patients.map((patient) => ({ scenarioId, trial, patient }))),
  );
}
