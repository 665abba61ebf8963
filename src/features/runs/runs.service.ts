import { randomUUID } from 'node:crypto';
import { Injectable, NotFoundException } from '@nestjs/common';
import { Cancellations } from '../../engine/actors';
import { type JsonObject, type StoredTurn, TestRunLedger } from '../../engine/ledger';
import { othersTurn } from '../../platform/concurrency';
import { Settings } from '../../platform/config';
import { SharedRead, isUuid, type Part, type WriteWith } from '../../platform/database';
import { jsonDocument, type JsonDocument } from '../../platform/http';
import { assertRunExists, TestRunsStore } from './test-runs.store';
import { RunBeginnings } from './run-beginnings';
import { RunPlans } from './run-plans';
import { RunSummaries } from './run-summaries';
import { warningsOf } from './run.views';
import { actsViewOf, timedEvidence, traceUrlOf, transcriptOf, viewOfScenarioRun } from './scenario-run.views';
import { ScenarioRunsStore, type ScenarioRunPage, type ScenarioRunRecord } from './scenario-runs.store';
import type { TestRunRecord } from './test-run.row';
import { TwinRuns } from './twin-runs';
import type { TestRunFilter, TestRunListItem, TestRunView, UpdateRunRequest } from '../../../contract/test-runs';
import type { CancelRunAnswer, StartRunAnswer, StartRunRequest } from '../../../contract/start-run';
import type { ScenarioRunDetail, ScenarioRunView } from '../../../contract/scenario-runs';

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
    private readonly plans: RunPlans,
    private readonly twins: TwinRuns,
    private readonly ledger: TestRunLedger,
    private readonly testRuns: TestRunsStore,
    private readonly scenarioRuns: ScenarioRunsStore,
    private readonly beginnings: RunBeginnings,
    private readonly cancellations: Cancellations,
    private readonly summaries: RunSummaries,
    private readonly settings: Settings,
  ) {}

  /**
   * @param remember is written with the run
   * @throws BadRequestException, NotFoundException, ConflictException when MAX_SCHEDULED_RUNS is reached
   */
  async start(request: StartRunRequest, remember: WriteWith<StartRunAnswer>): Promise<StartRunAnswer> {
    const { twin_of, agent_id = '', ...asked } = request;
    const { run, answer } =
      twin_of === undefined
        ? await this.plans.make({ ...asked, agent_id }, randomUUID())
        : await this.twins.make({ ...asked, twin_of }, randomUUID());
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
    const { agent_id, test_suite_id } = asked;
    const derived_from = await this.resolveKept(asked.derived_from);
    const twin_of = await this.resolveKept(asked.twin_of);
    // What is no UUID is an id that nothing has.
    const isNone = [agent_id, test_suite_id].some((id) => id !== undefined && !isUuid(id));
    if (derived_from === null || twin_of === null || isNone) return { runs: [], total: 0 };
    const { runs, total } = await this.testRuns.list({ ...asked, derived_from, twin_of });
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
          if (place % EXPORTED_A_TURN === 0) await othersTurn();
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
    const view = viewOfScenarioRun(run);
    return {
      ...view,
      criteria_results: timedEvidence(view.criteria_results, turns),
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

  /** As it is asked for in a list: a deleted run is known by its UUID alone. */
  private async resolveKept(idOrLabel: string | undefined): Promise<string | null | undefined> {
    return idOrLabel === undefined || isUuid(idOrLabel) ? idOrLabel : this.testRuns.resolve(idOrLabel);
  }

  private async resolve(idOrLabel: string): Promise<string> {
    const id = await this.testRuns.resolve(idOrLabel);
    if (id === null) throw new NotFoundException('Test run not found');
    return id;
  }
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
