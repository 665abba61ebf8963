import { Injectable } from '@nestjs/common';
import { isFinalScenarioRun } from '../../machines/statuses';
import { Bus } from '../bus/bus';
import { subjects } from '../bus/subjects';
import { Log } from '../config/log';
import { AgentsStore } from '../persistence/agents.store';
import { OwnershipStore, type Standing } from '../persistence/ownership.store';
import { TestRunLedger } from '../persistence/test-run.ledger';
import { ModelSpend } from '../tester/model-spend';
import { ActorHost } from './actor-host';
import { Heartbeat } from './heartbeat';
import { ProcessId } from './process-id';
import { RecurringTask } from './recurring-task';
import { workMessageId, type ScenarioRunWork } from './test-run.effects';

const ROUND_INTERVAL_MS = 3_000;
/** Runs adopted in one round: the rest is left for other processes. */
const ADOPTIONS_PER_ROUND = 20;
/** Rounds between offering again what was handed out but never claimed: usually it only waits for a free slot. */
const ROUNDS_BETWEEN_REOFFERS = 5;
/** Rounds between erasing deleted agents, and with them their credentials, that no live run needs any more. */
const ROUNDS_BETWEEN_ERASURES = 10;

/**
 * Makes the rows and the actors agree: runs without a living supervisor are adopted, and what a supervised run has handed
 * out is settled or offered again when its message, its owner or the news of its end was lost (invariant 1).
 */
@Injectable()
export class Reconciler {
  private readonly task: RecurringTask;
  private round = 0;

  constructor(
    private readonly host: ActorHost,
    private readonly testRuns: TestRunLedger,
    private readonly ownership: OwnershipStore,
    private readonly agents: AgentsStore,
    private readonly heartbeat: Heartbeat,
    private readonly bus: Bus,
    private readonly spend: ModelSpend,
    private readonly processId: ProcessId,
    log: Log,
  ) {
    this.task = new RecurringTask('reconciler', ROUND_INTERVAL_MS, () => this.reconcile(), log);
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  private async reconcile(): Promise<void> {
    this.round += 1;
    // After a pause of this process its leases may look lost: it renews them before it looks for dead owners.
    await this.heartbeat.beat();
    for (const claim of await this.testRuns.adopt(this.processId.value, ADOPTIONS_PER_ROUND))
      this.host.supervise(claim);
    const unowned: Standing[] = [];
    for (const { testRunId, handedOut } of this.host.listSupervised()) {
      unowned.push(...(await this.settleFinal(testRunId, handedOut)));
    }
    if (this.round % ROUNDS_BETWEEN_ERASURES === 0) await this.agents.eraseDeletedAgents();
    // Last, since it needs more than the database: with the bus away everything before it is done all the same.
    // While nobody may begin, what waits in the queue would only be joined by more of its kind.
    if (unowned.length === 0 || (await this.spend.reached()) !== null) return;
    for (const standing of unowned) await this.offerAgain(standing);
  }

  /** Settles what is final and answers what nobody executes. */
  private async settleFinal(testRunId: string, handedOut: readonly string[]): Promise<readonly Standing[]> {
    const unowned: Standing[] = [];
    for (const standing of await this.ownership.findStanding(handedOut)) {
      if (isFinalScenarioRun(standing.status)) this.host.settle(testRunId, standing.scenarioRunId);
      else if (standing.isUnowned) unowned.push(standing);
    }
    return unowned;
  }

  private async offerAgain({ scenarioRunId, testRunId, attempt }: Standing): Promise<void> {
    const isDue = attempt > 0 || this.round % ROUNDS_BETWEEN_REOFFERS === 0;
    if (!isDue) return;
    const work: ScenarioRunWork = { scenario_run_id: scenarioRunId, test_run_id: testRunId };
    await this.bus.enqueue(subjects.scenarioRunWork, work, { messageId: workMessageId(scenarioRunId, attempt) });
  }
}
