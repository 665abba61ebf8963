import { BadRequestException, ConflictException, Injectable } from '@nestjs/common';
import type { PatientProfile } from '../../domain';
import { ProcessId } from '../../engine/actors';
import type { ExaminedAgent, ExaminerDocument, ExaminerPair, PlannedScenarioRun } from '../../engine/ledger';
import { Judges } from '../../examiners/judge';
import { Tester, Testers } from '../../examiners/tester';
import type { AgentEntity } from '../agents/agent.entity';
import { examined, ExaminedAgents, isSameAgent } from './examined-agents';
import { ModelChoice } from './model-choice';
import { checkPatients } from './patients';
import { NO_SUCH_TWIN } from './run-beginnings';
import { startedView, type PlannedRun } from './run-plans';
import { plannedExaminers, type PlannedExaminers } from './run.views';
import { SpokenPlans } from './spoken-plans';
import { runLabel } from './start-run';
import { firstOfTwins, type TestRunRecord } from './test-run.row';
import { TestRunsStore } from './test-runs.store';
import type { SpokenChoice, SpokenView } from '../../../contract/spoken';
import type { TestRunView } from '../../../contract/test-runs';
import type { StartRunRequest } from '../../../contract/start-run';

type AskedTwin = Pick<StartRunRequest, 'name' | 'concurrency_limit' | 'scheduled_at' | 'modality' | 'spoken'> & {
  readonly twin_of: string;
};

type HowItIsHeld = Pick<TestRunView, 'modality' | 'spoken'>;

/** Works out runs that examine the same as another one, held differently. Stores nothing. */
@Injectable()
export class TwinRuns {
  private readonly examiners: PlannedExaminers;

  constructor(
    private readonly testRuns: TestRunsStore,
    private readonly examinedAgents: ExaminedAgents,
    private readonly models: ModelChoice,
    private readonly spoken: SpokenPlans,
    private readonly tester: Tester,
    private readonly processId: ProcessId,
    testers: Testers,
    judges: Judges,
  ) {
    this.examiners = plannedExaminers(testers, judges);
  }

  /**
   * @param id of the run
   * @throws BadRequestException for a run that is unknown or cannot have such a twin; ConflictException when its agent, patient or judge
   *   are not the same any more
   */
  async make(asked: AskedTwin, id: string): Promise<PlannedRun> {
    const source = await this.find(asked.twin_of);
    const modality = modalityOf(asked, source);
    const agent = await this.agentOf(source, modality);
    this.checkExaminers(source);
    const planned = await this.plannedOf(source);
    const patients = patientsOf(planned);
    checkPatients(patients, this.tester);
    const held = await this.held({ ...asked, modality }, source, patients);
    const { scheduled_at = null } = asked;
    const run = {
      ...agent,
      ...this.models.of({
        tester_model: source.tester_model ?? undefined,
        judge_model: source.judge_model ?? undefined,
      }),
      ...held,
      id,
      test_run_id: runLabel(id, new Date()),
      name: asked.name ?? source.name,
      test_suite_id: source.test_suite_id,
      planned,
      twin: { id: source.id, first: firstOfTwins(source) },
      trials: source.trials,
      max_turns: source.max_turns,
      concurrency_limit: asked.concurrency_limit ?? source.concurrency_limit,
      pass_threshold: source.pass_threshold,
      region: source.region,
      scheduled_at: scheduled_at !== null && new Date(scheduled_at) > new Date() ? scheduled_at : null,
      owner: this.processId.value,
    };
    return { run, answer: startedView(run) };
  }

  private async find(idOrLabel: string): Promise<TestRunRecord> {
    const source = await this.testRuns.find(idOrLabel);
    if (source === null) throw new BadRequestException(NO_SUCH_TWIN);
    if (source.derivation === null) return source;
    throw new BadRequestException(
      source.derivation === 'import'
        ? `twin_of: the conversations of ${source.test_run_id} were held elsewhere, so they cannot be held again: name a run of scenarios`
        : `twin_of: ${source.test_run_id} began from another run (${source.derivation}), so not all of it was held anew: name a run of scenarios`,
    );
  }

  private async agentOf(source: TestRunRecord, modality: TestRunView['modality']): Promise<ExaminedAgent> {
    const agent = await this.examinedAgents.present(source.agent_id).catch((error: unknown) => {
      if (!(error instanceof BadRequestException)) throw error;
      throw new BadRequestException(
        `twin_of: the agent of ${source.test_run_id} cannot be examined (${error.message}): name another run`,
      );
    });
    const muteness = modality === 'spoken' ? this.examinedAgents.muteness(agent) : null;
    if (muteness !== null) {
      throw new BadRequestException(
        `twin_of: ${muteness}, so ${source.test_run_id} has no spoken twin: name a run of an agent that can be spoken with`,
      );
    }
    const silence = modality === 'text' ? this.examinedAgents.onlySpeaks(agent) : null;
    if (silence !== null) {
      throw new BadRequestException(
        `twin_of: ${silence}, so ${source.test_run_id} has no twin in text: name another line, noise or voice in spoken`,
      );
    }
    await this.checkAgent(source, agent);
    return examined(agent, source.agent_version);
  }

  private async checkAgent(source: TestRunRecord, agent: AgentEntity): Promise<void> {
    const { agent_config_hash } = source;
    const agent_config = (await this.testRuns.agentConfigsOf([source.id])).get(source.id) ?? null;
    if (await isSameAgent({ agent_config, agent_config_hash }, agent)) return;
    throw new ConflictException(
      `twin_of: the config of agent "${agent.name}" was changed since ${source.test_run_id}, so a difference would not be the voice's alone: ` +
        'set the config back, or start both runs anew.',
    );
  }

  /** Those of a run that has not begun are those of today. */
  private checkExaminers(source: TestRunRecord): void {
    const [then] = source.examiner_pairs;
    if (then === undefined) return;
    const now = this.examiners.of(source);
    if (examinersOf(then) === examinersOf(now)) return;
    throw new ConflictException(
      `twin_of: ${source.test_run_id} was examined by ${examinersOf(then)}, and now it would be by ${examinersOf(now)}: ` +
        'set the tester and the judge back, or start both runs anew.',
    );
  }

  private async plannedOf(source: TestRunRecord): Promise<PlannedScenarioRun[]> {
    const rows = await this.testRuns.plannedOf(source.id);
    if (rows.length !== source.total_scenarios) throw new BadRequestException(NO_SUCH_TWIN);
    return rows.map(({ scenario_id, trial, patient, seed }) => {
      if (seed !== null) return { scenarioId: scenario_id, trial, patient, seed };
      throw new BadRequestException(
        `twin_of: ${source.test_run_id} did not keep the seeds of its judge, which a twin needs: start both runs anew`,
      );
    });
  }

  private async held(
    asked: AskedTwin & Pick<HowItIsHeld, 'modality'>,
    source: TestRunRecord,
    patients: readonly PatientProfile[],
  ): Promise<HowItIsHeld> {
    const { modality, spoken: choice } = asked;
    if (modality === 'text') return this.spoken.of({ modality, spoken: choice }, patients);
    if (source.spoken === null) {
      const seed = choice?.seed ?? (await this.testRuns.soundSeedOf(firstOfTwins(source))) ?? undefined;
      return this.spoken.of({ modality, spoken: seeded(choice, seed) }, patients);
    }
    if (choice?.seed !== undefined) {
      throw new BadRequestException(
        'spoken.seed: is that of the run that twin_of names, so that the two can be paired: leave it out',
      );
    }
    const held = await this.spoken.of({ modality, spoken: changed(source.spoken, choice) }, patients);
    if (held.spoken !== null && soundOf(held.spoken) === soundOf(source.spoken)) {
      throw new BadRequestException(
        `spoken: is as in ${source.test_run_id}: name a line, noise, sounds, rate or voice that differs, or set modality to text`,
      );
    }
    return held;
  }
}

/** Without one that is named: spoken where something is said of the voice, else the other one. */
function modalityOf({ modality, spoken }: AskedTwin, source: TestRunRecord): TestRunView['modality'] {
  if (modality === 'text' && source.modality === 'text') {
    throw new BadRequestException(
      `modality: ${source.test_run_id} is in text too, and a twin is held differently: set modality to spoken, or leave it out`,
    );
  }
  if (modality !== undefined) return modality;
  return source.modality === 'text' || spoken !== undefined ? 'spoken' : 'text';
}

/** What a twin of a spoken run sounds like: as that one, but for what is named. */
function changed(
  { voice, rate, line, noise, sounds, seed }: SpokenView,
  choice: SpokenChoice | undefined,
): SpokenChoice {
  return {
    voice: choice?.voice ?? voice ?? undefined,
    rate: choice?.rate ?? rate,
    line: choice?.line ?? line,
    noise: choice?.noise ?? noise ?? undefined,
    sounds: choice?.sounds ?? [...sounds],
    seed,
  };
}

/** With a seed of its own or that of the family. */
function seeded(choice: SpokenChoice | undefined, seed: number | undefined): SpokenChoice {
  const { voice, rate, line, noise, sounds } = choice ?? {};
  return { voice, rate, line, noise, sounds, seed };
}

/** What the two would have to differ in. */
function soundOf({ voice_engine, rate, line, noise, sounds }: SpokenView): string {
  return JSON.stringify([voice_engine.voice, rate, line, noise, sounds]);
}

function patientsOf(planned: readonly PlannedScenarioRun[]): PatientProfile[] {
  const patients = new Map(planned.map(({ patient }) => [`${patient.style} ${patient.language}`, patient]));
  return [...patients.values()];
}

function examinersOf({ tester, judge }: ExaminerPair): string {
  return `${called(tester)} and ${called(judge)}`;
}

function called({ name, model }: ExaminerDocument): string {
  return model === null ? name : `${name} ${model}`;
}
