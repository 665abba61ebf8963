import { Inject, Injectable } from '@nestjs/common';
import { Log, Settings } from '../../platform/config';
import type { Conversation, Recorder } from '../../../machines';
import type { ExecutionRecord } from '../ledger/execution-record';
import { ScenarioRunLedger } from '../ledger/scenario-run.ledger';
import { ScreenshotsStore } from '../ledger/screenshots.store';
import { ProviderRegistry } from '../../agents';
import { AttemptTrace } from '../tracing/attempt-trace';
import { Tracing } from '../../platform/telemetry';
import { TextThreads } from '../../examiners/threads';
import { AttemptLeases, type AttemptLease } from './attempt-leases';
import { namedExaminers, type Players } from './examiner-selection';
import type { TwoClockInstant } from './two-clock-instant';
import { ProcessId } from './process-id';
import { ScenarioConversation, type ConversationRecord, type Participants } from './scenario-conversation';
import { ScenarioRecorder, type RecorderParts } from './scenario-recorder';
import { SpokenConversations } from './spoken-conversations';

/** One attempt at a scenario run: what its actor drives, and its hold on the row. */
export interface Execution {
  readonly record: ConversationRecord;
  readonly lease: AttemptLease;
  readonly conversation: ScenarioConversation;
  readonly recorder: ScenarioRecorder;
  /** The same two as the chart calls them: with spans around them while traces are collected. */
  readonly driven: { readonly conversation: Conversation; readonly recorder: Recorder };
}

/** Makes the execution of a claimed scenario run. */
@Injectable()
export class Executions {
  private readonly participants: Omit<Participants, 'provider' | 'traceHeaders' | keyof Players>;
  private readonly recording: Omit<RecorderParts, 'examiners'>;

  constructor(
    private readonly processId: ProcessId,
    private readonly leases: AttemptLeases,
    private readonly providers: ProviderRegistry,
    textThreads: TextThreads,
    ledger: ScenarioRunLedger,
    screenshots: ScreenshotsStore,
    private readonly tracing: Tracing,
    private readonly settings: Settings,
    @Inject(SpokenConversations) spokenConversations: Pick<SpokenConversations, 'open'>,
    log: Log,
  ) {
    this.participants = { auditsPatients: settings.patientAudit, textThreads, spokenConversations, log };
    this.recording = { ledger, screenshots, log };
  }

  /**
   * @param claimedAt when the claim was requested
   * @throws what is wrong with the record
   */
  begin({ turns, ...record }: ExecutionRecord, players: Players, claimedAt: TwoClockInstant): Execution {
    const { scenarioRunId, testRunId, attempt } = record;
    const lease = this.leases.begin({ scenarioRunId, testRunId, attempt, owner: this.processId.value }, claimedAt);
    const provider = this.providers.find(record.agentProvider);
    const trace = this.tracing.isOn ? this.traceOf(record, players) : null;
    const conversation = new ScenarioConversation(record, turns.length, lease, {
      ...this.participants,
      ...players,
      provider,
      traceHeaders: trace === null ? undefined : () => trace.headers(),
    });
    const recorder = new ScenarioRecorder(record, conversation, lease, {
      ...this.recording,
      examiners: namedExaminers(players, record.playedBy),
    });
    const driven =
      trace === null
        ? { conversation, recorder }
        : {
            conversation: trace.aroundConversation(
              conversation,
              () => conversation.facts.grading?.record.usage ?? null,
            ),
            recorder: trace.aroundRecorder(recorder),
          };
    return { record, lease, conversation, recorder, driven };
  }

  private traceOf(record: ConversationRecord, { tester, judge }: Players): AttemptTrace {
    const { testRunId, scenarioRunId, attempt, agentId, agentProvider } = record;
    const { capturesContent } = this.settings.tracing;
    const ids = { testRunId, scenarioRunId, attempt, agentId, agentProvider };
    return new AttemptTrace(this.tracing, { ...ids, tester, judge, capturesContent });
  }
}
