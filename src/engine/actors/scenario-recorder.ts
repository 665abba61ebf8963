import type { Ending, TurnRecord, Failure, Verdict } from '../../domain';
import type { Recorder } from '../../../machines';
import type { Log } from '../../platform/config';
import { retryablePostgresError } from '../../platform/database';
import type { JsonObject, ScenarioRunChange } from '../ledger/scenario-run.changes';
import type { ScenarioRunLedger } from '../ledger/scenario-run.ledger';
import type { ScreenshotsStore } from '../ledger/screenshots.store';
import type { AttemptLease } from './attempt-leases';
import { instantNow } from './two-clock-instant';
import { outcomeMetadata, type NamedExaminers } from './outcome-metadata';
import { untilAvailable } from './persistent-retry';
import type { ConversationRecord, ScenarioConversation } from './scenario-conversation';

export interface RecorderParts {
  readonly examiners: NamedExaminers;
  readonly ledger: ScenarioRunLedger;
  readonly screenshots: ScreenshotsStore;
  readonly log: Log;
}

/** Writes the outcomes of one attempt, fenced by it. A write that the row refuses ends the attempt. */
export class ScenarioRecorder implements Recorder {
  constructor(
    private readonly record: ConversationRecord,
    private readonly conversation: ScenarioConversation,
    private readonly lease: AttemptLease,
    private readonly parts: RecorderParts,
  ) {}

  async recordTurn(exchange: TurnRecord, ending: Ending | null, signal: AbortSignal): Promise<void> {
    const { continuation, metadata } = exchange;
    const startsGrading = ending !== null;
    const endedBy = ending?.endedBy ?? null;
    await this.write(
      { kind: 'turn', exchange, continuation, metadata, startsGrading, endedBy, ...this.lease.ref },
      signal,
    );
  }

  recordGradingStart(ending: Ending, signal: AbortSignal): Promise<void> {
    return this.write({ ...this.lease.ref, ...ending, kind: 'gradingStart' }, signal);
  }

  async recordVerdict(verdict: Verdict, turns: readonly TurnRecord[], signal: AbortSignal): Promise<void> {
    const metadata = await this.metadataOf(turns, false);
    await this.write({ ...this.lease.ref, kind: 'verdict', verdict, metadata }, signal);
  }

  async recordFailure(failure: Failure, turns: readonly TurnRecord[], signal: AbortSignal): Promise<void> {
    const metadata = await this.metadataOf(turns, await this.keepScreenshot(signal));
    await this.write({ ...this.lease.ref, kind: 'failure', failure, metadata }, signal);
  }

  /** Lets another process take the row at once. */
  async release(): Promise<void> {
    const { sentTurns } = this.conversation;
    await this.parts.ledger.record({ ...this.lease.ref, kind: 'release', sentTurns });
  }

  private async metadataOf(turns: readonly TurnRecord[], hasScreenshot: boolean): Promise<JsonObject> {
    const { agentProvider: provider, attempt, isRestarted } = this.record;
    // A session's metadata is complete once it is closed; the close began when the conversation ended.
    await this.conversation.disconnect();
    const { facts } = this.conversation;
    return outcomeMetadata({
      provider,
      examiners: this.parts.examiners,
      attempt,
      isRestarted,
      turns,
      ...facts,
      hasScreenshot,
    });
  }

  /** A failure is recorded with or without its screenshot: one that cannot be stored is left out. */
  private async keepScreenshot(signal: AbortSignal): Promise<boolean> {
    const { screenshot } = this.conversation;
    if (screenshot === null) return false;
    const { screenshots, log } = this.parts;
    try {
      return await untilAvailable(() => screenshots.keep(this.lease.ref, screenshot), retryablePostgresError(), signal);
    } catch (error) {
      if (signal.aborted) throw error;
      log.error('A screenshot could not be written', { error, ...this.lease.names });
      return false;
    }
  }

  private async write(change: ScenarioRunChange, signal: AbortSignal): Promise<void> {
    const { ledger, log } = this.parts;
    let askedAt = instantNow();
    if (change.kind === 'verdict' || change.kind === 'failure') this.lease.settle();
    const outcome = await untilAvailable(
      () => {
        askedAt = instantNow();
        return ledger.record(change);
      },
      retryablePostgresError(),
      signal,
    ).catch((error: unknown) => {
      if (!signal.aborted) {
        log.error('A change could not be written', { error, ...this.lease.names, change: change.kind });
      }
      throw error;
    });
    if (outcome === 'committed') {
      this.lease.confirm(askedAt);
      return;
    }
    this.lease.lose(outcome);
    throw new Error(`A change was refused: its attempt is ${outcome}.`);
  }
}
