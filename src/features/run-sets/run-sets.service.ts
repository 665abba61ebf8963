import { randomUUID } from 'node:crypto';
import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import type { TestRunListItem } from '../../../contract/test-runs';
import type {
  AgentOfSet,
  CancelRunSetAnswer,
  RunSetView,
  StartRunSetAnswer,
  StartRunSetRequest,
} from '../../../contract/run-sets';
import { isFinalTestRun, type Modality } from '../../domain';
import { Cancellations } from '../../engine/actors';
import { TestRunLedger, type NewTestRun } from '../../engine/ledger';
import type { WriteWith } from '../../platform/database';
import type { AgentEntity } from '../agents/agent.entity';
import { ExaminedAgents } from '../runs/examined-agents';
import { RunBeginnings } from '../runs/run-beginnings';
import { MAX_SCENARIO_RUNS, newRunOf, RunPlans, skippedView, startedView, type RunPlan } from '../runs/run-plans';
import { RunSummaries } from '../runs/run-summaries';
import type { TestRunRecord } from '../runs/test-run.row';
import { TestRunsStore } from '../runs/test-runs.store';
import { RunSetsStore, type RunSetRecord } from './run-sets.store';

export interface SetWithRuns {
  readonly set: RunSetRecord;
  /** In the order of the set. */
  readonly runs: readonly { readonly run: TestRunRecord; readonly title: string }[];
}

/** Starts, cancels and shows runs that are started together. */
@Injectable()
export class RunSets {
  constructor(
    private readonly examinedAgents: ExaminedAgents,
    private readonly plans: RunPlans,
    private readonly ledger: TestRunLedger,
    private readonly testRuns: TestRunsStore,
    private readonly beginnings: RunBeginnings,
    private readonly cancellations: Cancellations,
    private readonly summaries: RunSummaries,
    private readonly store: RunSetsStore,
  ) {}

  /**
   * @param remember is written with the runs
   * @throws BadRequestException, NotFoundException, ConflictException when MAX_SCHEDULED_RUNS is reached; nothing is started then
   */
  async start(request: StartRunSetRequest, remember: WriteWith<StartRunSetAnswer>): Promise<StartRunSetAnswer> {
    const { agents, name = null, ...conditions } = request;
    const found = await this.agents(agents, conditions.modality);
    const plan = await this.plans.of(conditions);
    checkSize(found.length, plan);
    const runs: NewTestRun[] = [];
    for (const { agent, asked } of found) {
      runs.push(
        await newRunOf(plan, agent, { id: randomUUID(), name: asked.name ?? name, version: asked.agent_version }),
      );
    }
    const titles = titlesOf(runs);
    const set = { id: randomUUID(), name, runs };
    const answer: StartRunSetAnswer = {
      id: set.id,
      name,
      runs: runs.map((run, place) => ({ ...startedView(run), agent_id: run.agent_id, title: titles[place] ?? '' })),
      ...skippedView(plan),
    };
    await this.beginnings.beginAll(() => this.ledger.createSet(set, (tx) => remember(tx, answer)));
    return answer;
  }

  /** @throws NotFoundException */
  async find(id: string): Promise<RunSetView> {
    const { set, runs } = await this.withRuns(id);
    const summaries = await this.summaries.of(runs.map(({ run }) => run));
    return {
      id: set.id,
      name: set.name,
      created_at: set.created_at,
      ended: runs.every(({ run }) => isFinalTestRun(run.status)),
      runs: summaries.map((run, place) => ({ ...run, title: runs[place]?.title ?? '' })),
    };
  }

  /** When this resolves the cancellations are stored and every actor of this process has stopped its calls. @throws NotFoundException */
  async cancel(id: string): Promise<CancelRunSetAnswer> {
    const { runs } = await this.withRuns(id);
    const outcomes = await this.ledger.cancelAll(runs.map(({ run }) => run.id));
    const canceled: CancelRunSetAnswer['runs'] = [];
    for (const { run } of runs) {
      const outcome = outcomes.get(run.id);
      // One that was deleted meanwhile is canceled, and no run of the set any more.
      if (outcome === undefined || outcome.kind === 'unknown') continue;
      if (outcome.kind === 'canceled') this.cancellations.announce(run.id);
      canceled.push({
        id: run.id,
        test_run_id: run.test_run_id,
        status: outcome.kind === 'canceled' ? 'canceled' : outcome.status,
        canceled_scenarios: outcome.kind === 'canceled' ? outcome.canceledScenarios : 0,
      });
    }
    return { runs: canceled, canceled_scenarios: canceled.reduce((sum, one) => sum + one.canceled_scenarios, 0) };
  }

  /** The set with its runs as they are now. @throws NotFoundException */
  async withRuns(id: string): Promise<SetWithRuns> {
    const set = await this.store.find(id);
    if (set === null) throw new NotFoundException('Run set not found');
    const found = await this.testRuns.findMany(set.run_ids);
    const runs = set.run_ids.flatMap((runId) => found.get(runId) ?? []);
    if (runs.length === 0) throw new NotFoundException('Run set not found');
    const titles = titlesOf(runs);
    return { set, runs: runs.map((run, place) => ({ run, title: titles[place] ?? run.test_run_id })) };
  }

  /** @throws BadRequestException that names each that cannot be examined */
  private async agents(
    asked: readonly AgentOfSet[],
    modality?: Modality,
  ): Promise<{ agent: AgentEntity; asked: AgentOfSet }[]> {
    const found: { agent: AgentEntity; asked: AgentOfSet }[] = [];
    const problems: string[] = [];
    for (const [place, one] of asked.entries()) {
      try {
        found.push({ agent: await this.examinedAgents.find(one.agent_id, modality), asked: one });
      } catch (error) {
        if (!(error instanceof BadRequestException)) throw error;
        problems.push(`agents[${place}].agent_id: ${error.message}`);
      }
    }
    if (problems.length === 0) return found;
    throw new BadRequestException(`${problems.join('; ')}. Nothing was started.`);
  }
}

/** @throws BadRequestException when the runs of a set would have more scenario runs than its comparisons are designed for */
function checkSize(agents: number, { conditions }: RunPlan): void {
  const scenarioRuns = agents * conditions.planned.length;
  if (scenarioRuns <= MAX_SCENARIO_RUNS) return;
  const [would, each, may] = [scenarioRuns, conditions.planned.length, MAX_SCENARIO_RUNS].map((count) =>
    count.toLocaleString('en'),
  );
  throw new BadRequestException(
    `This set would have ${would} scenario runs (${agents} agents × ${each}); a set has at most ${may} together. ` +
      'Set max_scenarios, ask for fewer trials or patients, or name fewer agents.',
  );
}

type Named = Pick<TestRunListItem, 'agent_name' | 'agent_version' | 'name' | 'test_run_id'>;

/** Of what a run is called, from what a reader knows best to what no other run has. */
const PARTS: readonly ((run: Named) => string)[] = [
  ({ agent_name }) => agent_name,
  ({ agent_version }) => (agent_version === null ? '' : ` ${agent_version}`),
  ({ name }) => (name === null ? '' : `, ${name}`),
  ({ test_run_id }) => ` (${test_run_id})`,
];

/** What tells the runs of a set apart, no longer than it needs to be: the agents, with their versions where two are the same, and so on. */
function titlesOf(runs: readonly Named[]): string[] {
  let titles = runs.map(() => '');
  for (const part of PARTS) {
    titles = runs.map((run, place) => `${titles[place] ?? ''}${part(run)}`);
    if (new Set(titles).size === runs.length) break;
  }
  return titles;
}
