import { Injectable, Optional } from '@nestjs/common';
import { ProviderRegistry } from '../../agents';
import { EffectFailed, failureOf } from '../../domain';
import { ModelSpend } from '../../examiners/model';
import { Log, Settings } from '../../platform/config';
import { Metrics, silentMetrics } from '../../platform/telemetry';
import { Bus, type Delivery, type Subscription, subjects } from '../bus/bus';
import type { ExecutionRecord } from '../ledger/execution-record';
import type { AttemptRef } from '../ledger/scenario-run.changes';
import { ScenarioRunClaims, type Claim } from '../ledger/scenario-run.claims';
import { ScenarioRunLedger } from '../ledger/scenario-run.ledger';
import { AbandonedRuns } from './abandoned-runs';
import { ActorTimes } from './actor-times';
import { namedExaminers, ExaminerSelection, type SelectedExaminers } from './examiner-selection';
import { examinerMetadata, type NamedExaminers } from './outcome-metadata';
import { ProcessId } from './process-id';
import { ScenarioRunActors, type ExecutionEnd } from './scenario-run-actors';
import { scenarioRunWork } from './scenario-run-work';
import { ServiceProcesses } from './service-processes';
import { Settlements } from './settlements';
import { SpokenWaits } from './spoken-waits';
import { instantNow, type TwoClockInstant } from './two-clock-instant';

/** Ends claimed scenario runs for which no actor could be made: the next attempt would get no further (invariant 10). Gives back those that another process may start. */
@Injectable()
export class UnstartedScenarioRuns {
  constructor(
    private readonly ledger: ScenarioRunLedger,
    private readonly settlements: Settlements,
    private readonly log: Log,
  ) {}

  /** @throws the database's error */
  async fail(ref: AttemptRef, examiners: NamedExaminers, error: unknown): Promise<void> {
    const { scenarioRunId, testRunId, attempt } = ref;
    this.log.error('A scenario run could not be started and ends in an error', {
      error,
      scenarioRunId,
      testRunId,
      attempt,
    });
    const metadata = { ...examinerMetadata(examiners), attempts: attempt };
    await this.ledger.record({ ...ref, kind: 'failure', failure: failureOf(error), metadata });
    this.settlements.announce(testRunId, scenarioRunId);
  }

  /** A process that has the key goes on with it. @throws the database's error */
  async giveBack({ sentTurns, ...ref }: AttemptRef & { readonly sentTurns: number }, error: Error): Promise<void> {
    const { scenarioRunId, testRunId, attempt } = ref;
    this.log.warn('A scenario run waits for a process that can decrypt the config of its agent', {
      sentence: error.message,
      scenarioRunId,
      testRunId,
      attempt,
    });
    await this.ledger.record({ ...ref, kind: 'release', sentTurns });
  }

  /** The claim has ended it already: it was tried too often. */
  noteExhausted(scenarioRunId: string, testRunId: string, attempt: number): void {
    this.log.error('A scenario run was tried too often and has ended in an error', {
      scenarioRunId,
      testRunId,
      attempt,
    });
    this.settlements.announce(testRunId, scenarioRunId);
  }
}

/** A run at its concurrency limit has room again when one of its scenario runs settles. */
const FULL_RETRY_MS = 1_000;
const UNAVAILABLE_RETRY_MS = 2_000;
/** Long enough that a scenario run which cannot be written does not spin, short enough for another process to take over. */
const RELEASED_RETRY_MS = 1_000;
/** While the day's budget is spent: soon enough after midnight, and seldom enough until then. */
const SPENT_RETRY_MS = 10_000;
/** While this process lacks the key: a process that has it takes the work in between; seldom enough to cost nothing while none has it. */
const LOCKED_RETRY_MS = 10_000;
/** While this process lacks the models that the run asks for: a process that has them takes the work in between. */
const LACKING_RETRY_MS = 2_000;

interface Work {
  readonly scenarioRunId: string;
  readonly testRunId: string;
  readonly enqueuedMs: number | undefined;
}

/** Takes scenario runs from the work queue while this process has free slots, claims them and has them executed. */
@Injectable()
export class WorkIntake {
  private subscription: Subscription | null = null;
  private keepAlive: NodeJS.Timeout | null = null;
  private readonly deliveries = new Set<Delivery>();
  /** Scenario runs between their delivery and its end: a second message about one of them has nothing to add. */
  private readonly underWay = new Set<string>();
  /** Spoken conversations that this process holds. */
  private spoken = 0;
  private readonly unspoken = new SpokenWaits();

  constructor(
    private readonly bus: Bus,
    private readonly settings: Settings,
    private readonly processId: ProcessId,
    private readonly claims: ScenarioRunClaims,
    private readonly scenarioRuns: ScenarioRunActors,
    private readonly unstarted: UnstartedScenarioRuns,
    private readonly providers: ProviderRegistry,
    private readonly selection: ExaminerSelection,
    private readonly spend: ModelSpend,
    private readonly processes: ServiceProcesses,
    private readonly abandoned: AbandonedRuns,
    private readonly times: ActorTimes,
    private readonly log: Log,
    @Optional() private readonly metrics: Metrics = silentMetrics,
  ) {}

  start(): void {
    this.subscription = this.bus.consume(subjects.scenarioRunWork, this.settings.maxActiveScenarios, (delivery) => {
      this.deliveries.add(delivery);
      this.handle(delivery)
        .catch((error: unknown) => {
          this.log.warn('A piece of work could not be taken on; it will be redelivered', { error });
          delivery.nak(UNAVAILABLE_RETRY_MS);
        })
        .finally(() => this.deliveries.delete(delivery));
    });
    this.keepAlive = setInterval(() => {
      for (const delivery of this.deliveries) delivery.working();
    }, this.times.keepAliveMs);
    this.keepAlive.unref();
  }

  /** Takes no new work; work in progress continues. */
  stop(): void {
    this.subscription?.unsubscribe();
  }

  get isIdle(): boolean {
    return this.deliveries.size === 0;
  }

  /** Releases the queue's deliveries. */
  close(): void {
    if (this.keepAlive !== null) clearInterval(this.keepAlive);
  }

  private async handle(delivery: Delivery): Promise<void> {
    const message = scenarioRunWork.safeParse(delivery.payload);
    if (!message.success) {
      const { sequence, deliveryCount } = delivery;
      this.log.error('A message of a work queue is no work and is removed', {
        queue: subjects.scenarioRunWork,
        sequence,
        deliveryCount,
        fields: message.error.issues.map(({ path }) => path.join('.')),
      });
      return delivery.drop();
    }
    const { scenario_run_id: scenarioRunId, test_run_id: testRunId, enqueued_ms: enqueuedMs } = message.data;
    if (this.underWay.has(scenarioRunId)) return delivery.ack();
    this.underWay.add(scenarioRunId);
    this.unspoken.remove(scenarioRunId);
    try {
      // Work that costs money resumes when there is budget: the next day, or after a restart with a higher limit.
      if ((await this.spend.reached()) !== null) return delivery.nak(SPENT_RETRY_MS);
      await this.take(delivery, { scenarioRunId, testRunId, enqueuedMs });
    } finally {
      this.underWay.delete(scenarioRunId);
    }
  }

  private async take(delivery: Delivery, work: Work): Promise<void> {
    const askedAt = instantNow();
    const { testRunId } = work;
    const selected = await this.selection.of(testRunId);
    if (selected === null) return delivery.ack();
    const { lacking, ending } = selected;
    if (lacking !== null && (await this.processes.isLeftToOthers(lacking))) return delivery.nak(LACKING_RETRY_MS);
    if (ending !== null) {
      await this.abandoned.end(testRunId, ending);
      return delivery.ack();
    }
    if (!selected.isSpoken) return this.begin(delivery, work, selected, askedAt);
    if (this.spoken >= this.settings.spokenConversations) return delivery.nak(this.unspoken.add(work.scenarioRunId));
    this.spoken += 1;
    try {
      await this.begin(delivery, work, selected, askedAt);
    } finally {
      this.spoken -= 1;
    }
  }

  private async begin(
    delivery: Delivery,
    { scenarioRunId, testRunId, enqueuedMs }: Work,
    selected: SelectedExaminers,
    askedAt: TwoClockInstant,
  ): Promise<void> {
    const owner = this.processId.value;
    const claim = await this.claims.claim({
      scenarioRunId,
      testRunId,
      owner,
      restartingProviders: this.providers.restartingKinds,
      metadata: examinerMetadata(selected.examiners),
    });
    switch (claim.kind) {
      case 'full':
        return delivery.nak(FULL_RETRY_MS);
      case 'settled':
        return delivery.ack();
      case 'exhausted':
        this.unstarted.noteExhausted(scenarioRunId, testRunId, claim.attempt);
        return delivery.ack();
      case 'locked': {
        const { taken, error } = claim;
        if (taken !== null) await this.unstarted.giveBack({ scenarioRunId, testRunId, owner, ...taken }, error);
        return delivery.nak(LOCKED_RETRY_MS);
      }
      case 'claimed':
      case 'unreadable': {
        if (claim.attempt === 1) this.noteWait(enqueuedMs);
        const examiners = namedExaminers(selected.examiners, claim.kind === 'claimed' ? claim.record.playedBy : null);
        await this.selection.note(testRunId, examiners);
        const ref = { scenarioRunId, testRunId, owner, attempt: claim.attempt };
        const end = await this.execute(claim, selected, ref, askedAt);
        return end === 'released' ? delivery.nak(RELEASED_RETRY_MS) : delivery.ack();
      }
    }
  }

  /** @throws EffectFailed for an agent that was to be spoken with, and in this version cannot be */
  private requireVoice({ spoken, status, agentProvider }: ExecutionRecord): void {
    if (spoken === null || status === 'grading' || this.providers.find(agentProvider)?.speaks === true) return;
    throw new EffectFailed({
      code: 'config_invalid',
      message: `The run is spoken, and this version cannot speak with agents of the kind "${agentProvider}": examine the agent in text.`,
    });
  }

  private noteWait(enqueuedMs: number | undefined): void {
    if (enqueuedMs !== undefined)
      this.metrics.observe('osce_queue_wait_seconds', {}, (Date.now() - enqueuedMs) / 1_000);
  }

  /** @throws the database's error while it is unavailable */
  private async execute(
    claim: Extract<Claim, { kind: 'claimed' | 'unreadable' }>,
    selected: SelectedExaminers,
    ref: AttemptRef,
    askedAt: TwoClockInstant,
  ): Promise<ExecutionEnd> {
    let executing: Promise<ExecutionEnd>;
    try {
      if (claim.kind === 'unreadable') throw claim.error;
      this.requireVoice(claim.record);
      executing = this.scenarioRuns.execute(claim.record, selected.players(), askedAt);
    } catch (error) {
      await this.unstarted.fail(ref, selected.examiners, error);
      return 'done';
    }
    return executing;
  }
}
