import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Bus, type Delivery, type Subscription } from '../bus/bus';
import { subjects } from '../bus/subjects';
import { Log } from '../config/log';
import { Settings } from '../config/settings';
import { Judge } from '../judge/judge';
import { ScenarioRunClaims } from '../persistence/scenario-run.claims';
import { ScenarioRunsStore, type ExecutionRecord } from '../persistence/scenario-runs.store';
import { SharedRead } from '../persistence/shared-read';
import { ProviderRegistry } from '../providers/registry';
import { Tester } from '../tester/tester';
import { ActorHost } from './actor-host';
import { ProcessId } from './process-id';

const workMessage = z.object({ scenario_run_id: z.uuid(), test_run_id: z.uuid() });

/** A run at its concurrency limit has room again when one of its scenario runs settles. */
const FULL_RETRY_MS = 1_000;
const UNAVAILABLE_RETRY_MS = 2_000;
/** Long enough that a scenario run which cannot be written does not spin, short enough for another process to take over. */
const HANDED_BACK_RETRY_MS = 1_000;
/** Three times within the bus's ack wait of 12 s. */
const KEEP_ALIVE_MS = 4_000;

/** Takes scenario runs from the work queue while this process has free slots, claims them and has them executed. */
@Injectable()
export class WorkIntake {
  private subscription: Subscription | null = null;
  private keepAlive: NodeJS.Timeout | null = null;
  private readonly deliveries = new Set<Delivery>();
  /** Scenario runs between their delivery and its end: a second message about one of them has nothing to add. */
  private readonly inHand = new Set<string>();
  /** What was claimed together is loaded together. */
  private readonly records = new SharedRead<string, ExecutionRecord | null>(async (ids) => {
    const found = await this.scenarioRuns.loadExecutions(ids);
    return ids.map((id) => found.get(id) ?? null);
  });

  constructor(
    private readonly bus: Bus,
    private readonly settings: Settings,
    private readonly processId: ProcessId,
    private readonly claims: ScenarioRunClaims,
    private readonly scenarioRuns: ScenarioRunsStore,
    private readonly host: ActorHost,
    private readonly providers: ProviderRegistry,
    private readonly tester: Tester,
    private readonly judge: Judge,
    private readonly log: Log,
  ) {}

  start(): void {
    this.subscription = this.bus.consume(subjects.scenarioRunWork, this.settings.maxActiveScenarios, (delivery) => {
      this.deliveries.add(delivery);
      this.handle(delivery)
        .catch((error: unknown) => {
          this.log.warn('A piece of work could not be taken on; it is offered again', { error });
          delivery.nak(UNAVAILABLE_RETRY_MS);
        })
        .finally(() => this.deliveries.delete(delivery));
    });
    this.keepAlive = setInterval(() => {
      for (const delivery of this.deliveries) delivery.working();
    }, KEEP_ALIVE_MS);
    this.keepAlive.unref();
  }

  /** Takes no new work; what is under way goes on. */
  stop(): void {
    this.subscription?.unsubscribe();
  }

  get isIdle(): boolean {
    return this.deliveries.size === 0;
  }

  /** Lets go of the queue's deliveries. */
  close(): void {
    if (this.keepAlive !== null) clearInterval(this.keepAlive);
  }

  private async handle(delivery: Delivery): Promise<void> {
    const message = workMessage.safeParse(delivery.payload);
    if (!message.success) {
      this.log.error('A message of the work queue was not understood and is dropped', {});
      delivery.ack();
      return;
    }
    const { scenario_run_id: scenarioRunId, test_run_id: testRunId } = message.data;
    if (this.inHand.has(scenarioRunId)) return delivery.ack();
    this.inHand.add(scenarioRunId);
    try {
      await this.take(delivery, scenarioRunId, testRunId);
    } finally {
      this.inHand.delete(scenarioRunId);
    }
  }

  private async take(delivery: Delivery, scenarioRunId: string, testRunId: string): Promise<void> {
    const askedAt = performance.now();
    const claim = await this.claims.claim({
      scenarioRunId,
      testRunId,
      owner: this.processId.value,
      restartingProviders: this.providers.restartingKinds,
      metadata: {
        tester: { name: this.tester.name, model: this.tester.model },
        judge: { name: this.judge.name, model: this.judge.model },
        offline: this.tester.name === 'offline' || this.judge.name === 'offline',
      },
    });
    if (claim.kind === 'full') return delivery.nak(FULL_RETRY_MS);
    if (claim.kind === 'settled') return delivery.ack();
    const record = await this.records.load(scenarioRunId);
    if (record === null || record.attempt !== claim.attempt) return delivery.ack();
    const end = await this.host.execute(record, askedAt);
    if (end === 'handedBack') return delivery.nak(HANDED_BACK_RETRY_MS);
    delivery.ack();
  }
}
