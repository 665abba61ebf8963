import { randomUUID } from 'node:crypto';
import { BadRequestException, ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { isFinalTestRun } from '../../domain';
import { ProcessId } from '../../engine/actors';
import {
  SourceGone,
  type NewDerivedRun,
  type ExaminedAgent,
  type AskedModels,
  TestRunLedger,
} from '../../engine/ledger';
import { Tester } from '../../examiners/tester';
import type { WriteWith } from '../../platform/database';
import { ModelChoice } from '../runs/model-choice';
import { checkPatients } from '../runs/patients';
import { RunBeginnings } from '../runs/run-beginnings';
import { SpokenPlans, type Engines } from '../runs/spoken-plans';
import { runLabel } from '../runs/start-run';
import type { TestRunRecord } from '../runs/test-run.row';
import { TestRunsStore } from '../runs/test-runs.store';
import { again, callAgent, carried, continuedAt, isGraded, isWhole, lastForkOf, markedAgain } from './births';
import { DerivationSourcesStore, type SourceRow } from './derivation-sources.store';
import { ContinuingAgent, SameAgent } from './same-agent';
import type { DerivedRunAnswer, ForkRequest, RegradeRequest } from '../../../contract/derived-runs';

/** Finds what a run can be derived from. */
@Injectable()
export class RunSources {
  constructor(private readonly testRuns: TestRunsStore) {}

  /** @throws NotFoundException; ConflictException while the run is live: its rows still change */
  async find(idOrLabel: string): Promise<TestRunRecord> {
    const run = await this.testRuns.find(idOrLabel);
    if (run === null) throw new NotFoundException('Test run not found');
    if (!isFinalTestRun(run.status)) {
      throw new ConflictException(
        `Test run ${run.test_run_id} is ${run.status}: wait until it has ended, or cancel it, and ask again.`,
      );
    }
    return run;
  }

  /** The agent as the run had found it. */
  async agentOf(run: TestRunRecord): Promise<ExaminedAgent> {
    const configs = await this.testRuns.agentConfigsOf([run.id]);
    return {
      agent_id: run.agent_id,
      agent_name: run.agent_name,
      agent_provider: run.agent_provider,
      agent_version: run.agent_version,
      agent_config: configs.get(run.id) ?? null,
      agent_config_hash: run.agent_config_hash,
    };
  }
}

/** What the kinds of derived runs differ in. */
type Derived = Pick<
  NewDerivedRun,
  'derivation' | 'born' | 'otherRubrics' | 'trials' | keyof ExaminedAgent | keyof AskedModels
>;

/** Begins runs from the rows of another one, which stays as it is. */
@Injectable()
export class DerivedRunsService {
  constructor(
    private readonly sources: RunSources,
    private readonly rows: DerivationSourcesStore,
    private readonly sameAgent: SameAgent,
    private readonly continuing: ContinuingAgent,
    private readonly tester: Tester,
    private readonly models: ModelChoice,
    private readonly spoken: SpokenPlans,
    private readonly ledger: TestRunLedger,
    private readonly beginnings: RunBeginnings,
    private readonly processId: ProcessId,
  ) {}

  /**
   * Carries what was graded, and runs the rest again as it was run then.
   * @param remember is written with the run
   * @throws NotFoundException; ConflictException for a live run, one without errors, or an agent or a voice that is not the same any more
   */
  async retry(idOrLabel: string, remember: WriteWith<DerivedRunAnswer>): Promise<DerivedRunAnswer> {
    const source = await this.sources.find(idOrLabel);
    const rows = await this.rows.rowsOf(source.id);
    if (rows.every(isGraded)) {
      throw new ConflictException(
        `Every scenario run of ${source.test_run_id} has a verdict, so there is nothing to run again.`,
      );
    }
    const born = rows.map((row) => (isGraded(row) ? carried(row) : again(row)));
    const then = await this.sources.agentOf(source);
    const agent = callAgent(born) ? await this.sameAgent.find(then, source.modality, rows.some(isGraded)) : then;
    if (callAgent(born)) await this.checkVoice(source, rows);
    const askedModels = this.stillAllowed(source);
    this.checkPatients(rows.filter((row) => !isGraded(row)));
    return this.begin(
      source,
      { ...agent, ...askedModels, derivation: 'retry', born, otherRubrics: [], trials: source.trials },
      remember,
    );
  }

  /**
   * Marks every whole conversation again, from the turns that are stored: the agent is not called. The rest is carried.
   * @param remember is written with the run
   * @throws NotFoundException; BadRequestException for a model that is not allowed; ConflictException for a live run, or one without a
   *   whole conversation
   */
  async regrade(
    idOrLabel: string,
    { rubric, judge_model }: RegradeRequest,
    remember: WriteWith<DerivedRunAnswer>,
  ): Promise<DerivedRunAnswer> {
    const source = await this.sources.find(idOrLabel);
    const { judge_model: otherJudge } = this.models.of({ judge_model });
    const rows = await this.rows.rowsOf(source.id);
    const born = rows.map((row) => (isWhole(row, source.max_turns) ? markedAgain(row) : carried(row)));
    if (born.every(({ birth }) => birth === 'carried')) {
      throw new ConflictException(
        `No conversation of ${source.test_run_id} was held to its end, so there is nothing to mark.`,
      );
    }
    const [agent, otherRubrics] = await Promise.all([
      this.sources.agentOf(source),
      rubric === 'current' ? this.rows.otherRubricsOf(source.id) : [],
    ]);
    const askedModels = this.stillAllowed(otherJudge === null ? source : { ...source, judge_model: otherJudge });
    return this.begin(
      source,
      { ...agent, ...askedModels, derivation: 'regrade', born, otherRubrics, trials: source.trials },
      remember,
    );
  }

  /**
   * Goes on with a conversation from one of its turns, differently.
   * @param remember is written with the run
   * @throws NotFoundException; BadRequestException for a turn that it does not have, or an agent that cannot be examined;
   *   ConflictException for a live run, a spoken one, a scenario without a script, or an agent that cannot go on from a transcript
   */
  async fork(
    scenarioRunId: string,
    { at_turn: atTurn, patient_message, agent_id, trials = 1 }: ForkRequest,
    remember: WriteWith<DerivedRunAnswer>,
  ): Promise<DerivedRunAnswer> {
    const row = await this.rows.rowOf(scenarioRunId);
    if (row === null) throw new NotFoundException('Scenario run not found');
    const source = await this.sources.find(row.test_run_id);
    if (source.modality === 'spoken') {
      throw new ConflictException(
        'This conversation was spoken, and the agent keeps a call to itself: it cannot go on from one of its turns. Start a run with modality spoken, or fork a run in text.',
      );
    }
    const last = lastForkOf(row, source.max_turns);
    if (atTurn > last) {
      throw new BadRequestException(
        `at_turn: must be ${last} at most: the conversation has ${row.turns} turns of ${source.max_turns}`,
      );
    }
    if (!row.has_script) {
      throw new ConflictException('The scenario of this conversation has no script, so no patient can go on with it.');
    }
    const then = await this.sources.agentOf(source);
    const agent = await this.continuing.find(then, agent_id ?? null);
    const askedModels = this.stillAllowed(source);
    const given = { atTurn, givenMessage: patient_message ?? null };
    const born = Array.from({ length: trials }, (_, before) => continuedAt(row, { ...given, trial: before + 1 }));
    this.checkPatients([row]);
    return this.begin(
      { ...source, test_suite_id: null, max_turns: Math.max(source.max_turns, atTurn) },
      { ...agent, ...askedModels, derivation: 'fork', born, otherRubrics: [], trials },
      remember,
    );
  }

  /** @throws ConflictException when the tester of today cannot play them */
  private checkPatients(rows: readonly SourceRow[]): void {
    try {
      checkPatients(
        rows.map(({ patient }) => patient),
        this.tester,
      );
    } catch (error) {
      throw error instanceof BadRequestException ? new ConflictException(error.message) : error;
    }
  }

  /**
   * What is to be run again is spoken with the same voice and heard with the same ear.
   * @throws ConflictException when they are not to be had any more
   */
  private async checkVoice({ spoken }: TestRunRecord, rows: readonly SourceRow[]): Promise<void> {
    if (spoken === null) return;
    const { rate, voice_engine } = spoken;
    const now = await this.spoken
      .engines(
        { voice: voice_engine.voice, rate },
        rows.map(({ patient }) => patient),
      )
      .catch((error: unknown) => {
        if (!(error instanceof BadRequestException)) throw error;
        throw new ConflictException(`This run was spoken, and it cannot be spoken again: ${error.message}.`);
      });
    const then = enginesOf(spoken);
    if (enginesOf(now) === then) return;
    throw new ConflictException(
      `This run was spoken and heard by ${then}, and now by ${enginesOf(now)}: set SPEECH_* and TRANSCRIPTION_* back, or start a new run.`,
    );
  }

  /** @throws ConflictException when the models that a run had asked for are not to be had any more */
  private stillAllowed({ tester_model, judge_model }: AskedModels): AskedModels {
    try {
      return this.models.of({ tester_model: tester_model ?? undefined, judge_model: judge_model ?? undefined });
    } catch (error) {
      if (!(error instanceof BadRequestException)) throw error;
      throw new ConflictException(`This run had its own models, and they cannot examine again: ${error.message}.`);
    }
  }

  private async begin(
    source: TestRunRecord,
    derived: Derived,
    remember: WriteWith<DerivedRunAnswer>,
  ): Promise<DerivedRunAnswer> {
    const { derivation, born } = derived;
    const id = randomUUID();
    const label = runLabel(id, new Date());
    const carriedOver = born.filter(({ birth }) => birth === 'carried').length;
    const answer: DerivedRunAnswer = {
      id,
      test_run_id: label,
      status: 'running',
      total_scenarios: born.length,
      scenarios_launched: born.length - carriedOver,
      scenarios_carried: carriedOver,
      derived_from: source.id,
      derivation,
    };
    const run: NewDerivedRun = {
      ...derived,
      id,
      test_run_id: label,
      name: source.name,
      derived_from: source.id,
      test_suite_id: source.test_suite_id,
      max_turns: source.max_turns,
      concurrency_limit: source.concurrency_limit,
      pass_threshold: source.pass_threshold,
      region: source.region,
      modality: source.modality,
      spoken: source.spoken,
      scheduled_at: null,
      owner: this.processId.value,
    };
    await this.beginnings
      .begin(() => this.ledger.derive(run, (tx) => remember(tx, answer)))
      .catch((error: unknown) => {
        throw error instanceof SourceGone ? new NotFoundException('Test run not found') : error;
      });
    return answer;
  }
}

/** `espeak-ng 1.51 (en-us) and no transcriber`: what two runs have to have in common to be one. */
function enginesOf({ voice_engine: { engine, version, voice }, ear }: Engines): string {
  return `${engine} ${version} (${voice}) and ${ear === null ? 'no transcriber' : `${ear.engine} ${ear.model}`}`;
}
