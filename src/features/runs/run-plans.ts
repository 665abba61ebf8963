import { randomInt } from 'node:crypto';
import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import {
  clampTurns,
  USUAL_PATIENT,
  type PatientProfile,
  DEFAULT_REGION,
  DEFAULT_PASS_THRESHOLD,
  listNames,
} from '../../domain';
import { ProcessId } from '../../engine/actors';
import type { ExaminedAgent, NewTestRun, PlannedScenarioRun } from '../../engine/ledger';
import { Tester } from '../../examiners/tester';
import type { AgentEntity } from '../agents/agent.entity';
import { ScenarioSelectionStore, type Selected, type Selection } from '../scenarios/scenario-selection.store';
import { examined, ExaminedAgents } from './examined-agents';
import { ModelChoice } from './model-choice';
import { checkPatients } from './patients';
import { SpokenPlans } from './spoken-plans';
import { runLabel } from './start-run';
import type { StartRunAnswer, StartRunRequest } from '../../../contract/start-run';

/** What a request to start runs says beside which agent is examined. */
export type AskedConditions = Omit<StartRunRequest, 'agent_id' | 'agent_version' | 'name' | 'twin_of'>;

/** The same for one agent. */
export type AskedRun = AskedConditions &
  Pick<StartRunRequest, 'agent_version' | 'name'> & { readonly agent_id: string };

/** The conditions under which agents are examined: the same for every run that is started with them. */
export interface RunPlan {
  readonly conditions: Omit<NewTestRun, 'id' | 'test_run_id' | 'name' | keyof ExaminedAgent>;
  /** Chosen by id but inactive. */
  readonly skipped: readonly string[];
}

/** A run that is ready to be stored, and what its client is answered then. */
export interface PlannedRun {
  readonly run: NewTestRun;
  readonly answer: StartRunAnswer;
}

/** What one run's actor, its page and its export are designed for, and a set's comparisons. */
export const MAX_SCENARIO_RUNS = 20_000;

/** Concurrent scenario runs when a client does not say. */
const DEFAULT_CONCURRENCY = 6;

/** Works out what a request to start a run asks for, and refuses what cannot be run. Stores nothing. */
@Injectable()
export class RunPlans {
  constructor(
    private readonly examinedAgents: ExaminedAgents,
    private readonly selection: ScenarioSelectionStore,
    private readonly processId: ProcessId,
    private readonly tester: Tester,
    private readonly models: ModelChoice,
    private readonly spoken: SpokenPlans,
  ) {}

  /**
   * @param id of the run
   * @throws BadRequestException, NotFoundException
   */
  async make(request: AskedRun, id: string): Promise<PlannedRun> {
    const agent = await this.examinedAgents.find(request.agent_id, request.modality);
    const plan = await this.of(request);
    const run = await newRunOf(plan, agent, { id, name: request.name, version: request.agent_version });
    return { run, answer: { ...startedView(run), ...skippedView(plan) } };
  }

  /** Refuses a request that could not be run now. @throws BadRequestException, NotFoundException */
  async check(request: AskedRun): Promise<void> {
    await this.examinedAgents.find(request.agent_id, request.modality);
    await this.of(request);
  }

  /** @throws BadRequestException, NotFoundException for the suite */
  async of(request: AskedConditions): Promise<RunPlan> {
    const askedModels = this.models.of(request);
    const { scenarioIds, skipped } = await this.chooseScenarios(request);
    if (scenarioIds.length === 0) throw new BadRequestException('No active scenarios available');
    const trials = request.trials ?? 1;
    const patients = request.patients ?? [USUAL_PATIENT];
    checkPatients(patients, this.tester);
    checkSize(scenarioIds.length, patients.length, trials);
    const held = await this.spoken.of(request, patients);
    const isLater = request.scheduled_at !== undefined && new Date(request.scheduled_at) > new Date();
    return {
      conditions: {
        ...askedModels,
        test_suite_id: request.test_suite_id ?? null,
        planned: expand({ scenarioIds, patients, trials }),
        trials,
        max_turns: clampTurns(request.max_turns),
        concurrency_limit: request.concurrency_limit ?? DEFAULT_CONCURRENCY,
        pass_threshold: request.pass_threshold ?? DEFAULT_PASS_THRESHOLD,
        region: request.region ?? DEFAULT_REGION,
        ...held,
        twin: null,
        scheduled_at: isLater ? (request.scheduled_at ?? null) : null,
        owner: this.processId.value,
      },
      skipped,
    };
  }

  private async chooseScenarios(request: AskedConditions): Promise<Selected> {
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

interface Named {
  /** Of the run. */
  readonly id: string;
  readonly name?: string | null | undefined;
  /** Of the agent, as the client calls it. */
  readonly version?: string | null | undefined;
}

/** A run of the agent under these conditions, before it is stored. */
export async function newRunOf(
  { conditions }: RunPlan,
  agent: AgentEntity,
  { id, name = null, version = null }: Named,
): Promise<NewTestRun> {
  return { ...(await examined(agent, version)), ...conditions, id, test_run_id: runLabel(id, new Date()), name };
}

/** What a client is told of a run that it has started. */
export function startedView({ id, test_run_id, scheduled_at, planned }: NewTestRun): StartRunAnswer {
  const isLater = scheduled_at !== null;
  return {
    id,
    test_run_id,
    status: isLater ? 'scheduled' : 'running',
    total_scenarios: planned.length,
    scenarios_launched: isLater ? 0 : planned.length,
  };
}

/** The scenarios that were left out; nothing when there are none. */
export function skippedView({ skipped }: RunPlan): Pick<StartRunAnswer, 'skipped_scenario_ids'> {
  return skipped.length > 0 ? { skipped_scenario_ids: [...skipped] } : {};
}

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

/** Precedence: scenario_ids, test_suite_id, tags, all. */
function selectionOf(request: AskedConditions): Selection {
  const atMost = request.max_scenarios ?? null;
  if (request.scenario_ids !== undefined) return { kind: 'ids', scenarioIds: request.scenario_ids };
  if (request.test_suite_id !== undefined) return { kind: 'suite', testSuiteId: request.test_suite_id, atMost };
  if (request.tags !== undefined) return { kind: 'tags', tags: request.tags, atMost };
  return { kind: 'all', atMost };
}

/** Seeds of the judge are of 32 bits. */
const SEEDS = 2 ** 32;

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
 * has whole trials of every scenario, not all trials of a few. Each has a seed, for all runs that are started together and for the twins of
 * the run: the judge then reads the criteria in the same order, and asks the same control questions, however the conversation was held.
 */
export function expand({ scenarioIds, patients, trials }: Axes): PlannedScenarioRun[] {
  const numbers = Array.from({ length: trials }, (_, before) => before + 1);
  return numbers.flatMap((trial) =>
    scenarioIds.flatMap((scenarioId) =>
      patients.map((patient) => ({ scenarioId, trial, patient, seed: randomInt(SEEDS) })),
    ),
  );
}
