import type { AgentReply, Exchange, PatientMessage } from '../../machines/conversation';
import { EffectFailed, type Failure } from '../../machines/failure';
import type { Verdict } from '../../machines/rubric';
import type { Recorded } from '../../machines/scenario-run.machine';
import type { Log } from '../config/log';
import { examine } from '../judge/examine';
import { JudgeError, type Judge } from '../judge/judge';
import { Database } from '../persistence/database';
import type { ScenarioRunLedger } from '../persistence/ledger/scenario-run.ledger';
import { storableText } from '../persistence/json-text';
import type { AttemptRef, JsonObject, ScenarioRunChange } from '../persistence/ledger/scenario-run.changes';
import type { ExecutionRecord } from '../persistence/ledger/execution-record';
import type { ScreenshotsStore } from '../persistence/screenshots.store';
import { patience } from '../persistence/patience';
import { ProviderError } from '../providers/errors';
import type { Json, Provider, Session } from '../providers/provider';
import { TesterError, type Tester } from '../tester/tester';
import type { TextThreads } from '../threads/text-threads';
import { ExecutionJournal } from './execution-journal';
import type { OwnershipCheck } from './ownership-check';
import { continuationOf, scenarioOf } from './record-contents';
import { untilAvailable } from './persistent-retry';
import { NO_USAGE, type ModelUsage } from '../model/model-usage';
import type { PatientScenario } from '../../machines/scenario';

export interface ExecutionParts {
  readonly provider: Provider | undefined;
  readonly tester: Tester;
  readonly judge: Judge;
  readonly textThreads: TextThreads;
  readonly ledger: ScenarioRunLedger;
  readonly screenshots: ScreenshotsStore;
  readonly database: Database;
  readonly ownershipCheck: OwnershipCheck;
  /** Stops the actor: its row is somebody else's now. */
  readonly loseAttempt: (isCanceled: boolean) => void;
  readonly log: Log;
}

/** What the turn under way will be recorded with. */
interface TurnInHand {
  readonly testerMs: number;
  readonly testerUsage: ModelUsage;
  readonly continuation: Json;
  readonly agent: JsonObject;
}

/**
 * For so long after it was last seen to own its row an attempt takes that for granted; what it begins later it begins only
 * when the row still says so. A part of the second in which a cancellation must have stopped every call (invariant 6).
 */
const OWNED_FOR_MS = 750;

/** One attempt at a scenario run: its session with the target agent and the effects the statechart asks for. */
export class ScenarioExecution {
  private session: Session | null = null;
  /** What the agent's page showed when it failed. */
  private screenshot: Uint8Array | null = null;
  private inHand: TurnInHand = { testerMs: 0, testerUsage: NO_USAGE, continuation: null, agent: {} };
  private readonly journal: ExecutionJournal;
  private readonly scenario: PatientScenario;
  /** The first turn of a later attempt may have been sent already by the attempt before. */
  private readonly turnInDoubt: number | null;
  /** The last turn that may have been sent. */
  private sentTurns: number;

  constructor(
    readonly record: ExecutionRecord,
    readonly ref: AttemptRef,
    /** When the row was last known to be this attempt's (`performance.now()`, which goes on while a process stands still). */
    private ownedAt: number,
    private readonly parts: ExecutionParts,
  ) {
    const { tester, judge } = parts;
    this.scenario = scenarioOf(record);
    const recorded = record.turns.length;
    this.turnInDoubt = record.isInDoubt && parts.provider?.resumable === true ? recorded + 1 : null;
    this.sentTurns = this.turnInDoubt ?? recorded;
    this.journal = new ExecutionJournal(
      record.agentProvider,
      { tester, judge },
      record.attempt,
      record.isRestarted,
      record.turns,
    );
  }

  connect(exchanges: readonly Exchange[], signal: AbortSignal): Promise<void> {
    return this.attempting('connect', signal, async () => {
      const { provider } = this.parts;
      const { record } = this;
      if (provider === undefined) {
        throw new EffectFailed({
          code: 'config_invalid',
          message: `This version cannot run agents of the kind "${record.agentProvider}".`,
        });
      }
      if (record.agentConfig === null) {
        throw new EffectFailed({ code: 'not_found', message: 'The agent was deleted while its run was under way.' });
      }
      const began = performance.now();
      const session = await provider.connect(
        {
          agentId: record.agentId,
          config: record.agentConfig,
          scenarioRunId: record.scenarioRunId,
          attempt: record.attempt,
          history: exchanges,
          continuation: continuationOf(record),
          assureOwnership: (during) => this.assureOwnership(during),
        },
        signal,
      );
      if (signal.aborted) {
        // Canceled in the moment the session opened: nobody else will close it.
        await session.close();
        return;
      }
      this.session = session;
      this.journal.noteConnected(performance.now() - began);
    });
  }

  compose(turn: number, exchanges: readonly Exchange[], signal: AbortSignal): Promise<PatientMessage> {
    return this.attempting('compose', signal, async () => {
      const began = performance.now();
      const { content, usage } = await this.parts.tester.nextMessage(
        {
          scenario: this.scenario,
          history: exchanges,
          turn,
          maxTurns: this.record.maxTurns,
          greeting: this.session?.greeting ?? null,
        },
        signal,
      );
      this.inHand = { testerMs: performance.now() - began, testerUsage: usage, continuation: null, agent: {} };
      return { turn, content, at: new Date().toISOString() };
    });
  }

  send(message: PatientMessage, signal: AbortSignal): Promise<AgentReply> {
    return this.attempting('send', signal, async () => {
      if (this.session === null) throw new Error('A message was to be sent without a session.');
      this.sentTurns = message.turn;
      const reply = await this.session.send(message.content, signal);
      const { testerMs, testerUsage } = this.inHand;
      this.inHand = { testerMs, testerUsage, continuation: reply.continuation, agent: reply.metadata };
      return { turn: message.turn, content: reply.content, at: new Date().toISOString(), latencyMs: reply.latencyMs };
    });
  }

  async recordTurn(exchange: Exchange, signal: AbortSignal): Promise<Recorded & { turn: number }> {
    const { testerMs, testerUsage, continuation, agent } = this.inHand;
    const metadata = this.journal.noteTurn({
      turn: exchange.turn,
      testerMs,
      agentMs: exchange.latencyMs,
      testerUsage,
      agent,
      inDoubt: exchange.turn === this.turnInDoubt,
    });
    const recorded = await this.write({ kind: 'turn', exchange, continuation, metadata, ...this.ref }, signal);
    return { turn: exchange.turn, ...recorded };
  }

  /** Ends the session. Idempotent; never throws. */
  async disconnect(): Promise<void> {
    const { session } = this;
    if (session === null) return;
    this.session = null;
    await session.close();
    this.journal.noteSession(session.metadata());
  }

  recordGradingStart(signal: AbortSignal): Promise<Recorded> {
    return this.write({ ...this.ref, kind: 'gradingStart' }, signal);
  }

  judge(exchanges: readonly Exchange[], signal: AbortSignal): Promise<Verdict> {
    return this.attempting('judge', signal, async () => {
      const { scenario, passThreshold } = this.record;
      const began = performance.now();
      const { verdict, usage, asked, unread } = await examine(
        {
          judge: this.parts.judge,
          scenario: this.scenario,
          criteria: scenario.rubric_criteria,
          transcript: exchanges,
          passThreshold,
          threads: this.parts.textThreads,
          assureOwnership: (during) => this.assureOwnership(during),
        },
        signal,
      );
      this.journal.noteGrading(performance.now() - began, usage, asked, unread);
      return verdict;
    });
  }

  async recordVerdict(verdict: Verdict | null, failure: Failure | null, signal: AbortSignal): Promise<Recorded> {
    if (verdict === null && (await this.keepScreenshot(signal))) this.journal.noteScreenshot();
    const metadata = this.journal.metadata(verdict);
    if (verdict !== null) return this.write({ ...this.ref, kind: 'verdict', verdict, metadata }, signal);
    const known: Failure = failure ?? { code: 'internal', message: 'The scenario run ended without a verdict.' };
    return this.write({ ...this.ref, kind: 'failure', failure: known, metadata }, signal);
  }

  /** A failure is told with or without its picture: one that cannot be stored is left out. */
  private async keepScreenshot(signal: AbortSignal): Promise<boolean> {
    const { screenshot } = this;
    if (screenshot === null) return false;
    const { screenshots, log } = this.parts;
    try {
      return await untilAvailable(() => screenshots.keep(this.ref, screenshot), patience(), signal);
    } catch (error) {
      if (signal.aborted) throw error;
      log.error('A screenshot could not be written', { error, ...this.names() });
      return false;
    }
  }

  /** Lets another process take the row at once. */
  async handBack(): Promise<void> {
    await this.parts.ledger.record({ ...this.ref, kind: 'handBack', sentTurns: this.sentTurns });
  }

  private async write(change: ScenarioRunChange, signal: AbortSignal): Promise<Recorded> {
    const { ledger, log } = this.parts;
    try {
      let askedAt = 0;
      const kind = await untilAvailable(
        () => {
          askedAt = performance.now();
          return ledger.record(change);
        },
        patience(),
        signal,
      );
      if (kind === 'committed') this.ownedAt = askedAt;
      return { kind };
    } catch (error) {
      if (!signal.aborted) log.error('A change could not be written', { error, ...this.names(), change: change.kind });
      throw error;
    }
  }

  /** Runs an outside call and turns its error into the failure the statechart keeps. */
  private async attempting<Result>(
    step: 'connect' | 'compose' | 'send' | 'judge',
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      await this.assureOwnership(signal);
      return await work();
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof ProviderError) this.screenshot = error.screenshot;
      const failure = failureFrom(error);
      if (failure !== null) throw new EffectFailed(failure);
      this.parts.log.error('An effect of a scenario run failed unexpectedly', { error, ...this.names(), step });
      throw error;
    }
  }

  /** Ends the actor instead of letting it call anybody for a row that is no longer its own. */
  private async assureOwnership(signal: AbortSignal): Promise<void> {
    const askedAt = performance.now();
    if (askedAt - this.ownedAt < OWNED_FOR_MS) return;
    const { ownershipCheck, database, loseAttempt } = this.parts;
    const holding = await untilAvailable(
      () => ownershipCheck.ask(this.ref),
      (error) => database.isUnavailable(error),
      signal,
    );
    if (holding !== 'held') {
      loseAttempt(holding === 'canceled');
      signal.throwIfAborted();
      throw new Error("An attempt went on although its row was another one's.");
    }
    signal.throwIfAborted();
    this.ownedAt = askedAt;
  }

  private names(): JsonObject {
    const { scenarioRunId, testRunId, attempt } = this.ref;
    return { scenarioRunId, testRunId, attempt };
  }
}

function failureFrom(error: unknown): Failure | null {
  if (error instanceof EffectFailed) return error.failure;
  if (error instanceof ProviderError) return { code: error.code, message: storableText(error.message) };
  if (error instanceof TesterError) return { code: 'tester_failed', message: storableText(error.message) };
  if (error instanceof JudgeError) return { code: 'grading_failed', message: storableText(error.message) };
  return null;
}
