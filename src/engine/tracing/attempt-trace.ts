import type { Conversation, Recorder } from '../../../machines';
import {
  type AgentAnswer,
  type Ending,
  type ExaminedTurn,
  type Turn,
  type PatientMessage,
  type TurnRecord,
  type Notes,
  failureOf,
  type Failure,
  type Verdict,
} from '../../domain';
import type { OpenSpan, SpanAttributes, SpanKind, Tracing, SpanPlace } from '../../platform/telemetry';

/** Longer texts are cut: a collector refuses a batch that is too large, with everything that is in it. */
const LONGEST_TEXT = 20_000;

/** One message, as the GenAI conventions write `gen_ai.input.messages` and `gen_ai.output.messages`. */
function messageContent(role: 'user' | 'assistant', text: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content: text.slice(0, LONGEST_TEXT) }] }]);
}

/** A tester or judge: its vendor (or `offline`), and its model when it has one. */
export interface TracedExaminer {
  readonly name: string;
  readonly model: string | null;
}

export interface TracedAttempt {
  readonly testRunId: string;
  readonly scenarioRunId: string;
  readonly attempt: number;
  readonly agentId: string;
  readonly agentProvider: string;
  readonly tester: TracedExaminer;
  readonly judge: TracedExaminer;
  /** Whether spans hold what was said. */
  readonly capturesContent: boolean;
}

const NO_HEADERS = {};

/** The spans of one attempt at a scenario run: its session, its turns with both sides' calls, its examination. */
export class AttemptTrace {
  /** The turn under way. */
  private turn: OpenSpan | null = null;
  /** The call to the agent under way. */
  private call: OpenSpan | null = null;

  constructor(
    private readonly tracing: Tracing,
    private readonly of: TracedAttempt,
  ) {}

  /** For a request to the agent: it is part of the call that is under way. */
  headers(): Readonly<Record<string, string>> {
    const traceparent = this.call?.traceparent ?? null;
    return traceparent === null ? NO_HEADERS : { traceparent };
  }

  /** @param graded what the examination cost, once it is over */
  aroundConversation(inner: Conversation, graded: () => unknown): Conversation {
    return {
      connect: (turns, signal) => this.connect(inner, turns, signal),
      compose: (turn, transcript, signal) => this.compose(inner, turn, transcript, signal),
      send: (message, signal) => this.send(inner, message, signal),
      disconnect: () => inner.disconnect(),
      judge: (transcript, signal) => this.judge(inner, transcript, signal, graded),
    };
  }

  aroundRecorder(inner: Recorder): Recorder {
    return {
      recordTurn: (turn: TurnRecord, ending: Ending | null, signal) =>
        this.during(this.turn, signal, () => inner.recordTurn(turn, ending, signal)),
      recordGradingStart: (ending, signal) => inner.recordGradingStart(ending, signal),
      recordVerdict: (verdict, turns, signal) => inner.recordVerdict(verdict, turns, signal),
      recordFailure: (failure: Failure, turns, signal) => {
        this.turn?.end(failure.code);
        return inner.recordFailure(failure, turns, signal);
      },
    };
  }

  private async connect(inner: Conversation, turns: readonly TurnRecord[], signal: AbortSignal): Promise<void> {
    const span = this.below(null, `connect ${this.of.agentProvider}`, 'client', this.agentFacts('create_agent'));
    this.call = span;
    await this.during(span, signal, () => inner.connect(turns, signal));
  }

  private async compose(
    inner: Conversation,
    turn: number,
    transcript: readonly Turn[],
    signal: AbortSignal,
  ): Promise<PatientMessage> {
    const { tester, capturesContent } = this.of;
    this.turn = this.below(null, `turn ${turn}`, 'internal', { 'agent_osce.turn': turn });
    const span = this.below(this.turn, nameOf(tester), kindOf(tester), factsOf('tester', tester));
    return this.failingWith(this.turn, signal, () =>
      this.during(span, signal, async () => {
        const message = await inner.compose(turn, transcript, signal);
        span.note({
          ...tokenUsage(message.notes['tester_usage']),
          ...(capturesContent && { 'gen_ai.output.messages': messageContent('assistant', message.content) }),
        });
        return message;
      }),
    );
  }

  private async send(inner: Conversation, message: PatientMessage, signal: AbortSignal): Promise<AgentAnswer> {
    const { capturesContent } = this.of;
    const span = this.below(this.turn, 'invoke_agent', 'client', {
      ...this.agentFacts('invoke_agent'),
      'agent_osce.turn': message.turn,
      ...(capturesContent && { 'gen_ai.input.messages': messageContent('user', message.content) }),
    });
    this.call = span;
    return this.failingWith(this.turn, signal, () =>
      this.during(span, signal, async () => {
        const answer = await inner.send(message, signal);
        if (answer.content === null) {
          span.note({ 'agent_osce.ended_by': 'agent' });
          this.turn?.end(null);
          return answer;
        }
        span.note({
          ...tokenUsage(notesIn(notesIn(answer.notes, 'agent'), 'usage')),
          ...(capturesContent && { 'gen_ai.output.messages': messageContent('assistant', answer.content) }),
        });
        return answer;
      }),
    );
  }

  private async judge(
    inner: Conversation,
    transcript: readonly ExaminedTurn[],
    signal: AbortSignal,
    graded: () => unknown,
  ): Promise<Verdict> {
    const { judge, capturesContent } = this.of;
    const span = this.below(null, nameOf(judge), kindOf(judge), factsOf('judge', judge));
    return this.during(span, signal, async () => {
      try {
        const verdict = await inner.judge(transcript, signal);
        span.event('gen_ai.evaluation.result', {
          'gen_ai.evaluation.name': 'rubric',
          'gen_ai.evaluation.score.value': verdict.scorePercent,
          'gen_ai.evaluation.score.label': verdict.passed ? 'passed' : 'failed',
          ...(capturesContent && { 'gen_ai.evaluation.explanation': verdict.summary }),
        });
        return verdict;
      } finally {
        // A failed examination has its cost too.
        span.note(tokenUsage(graded()));
      }
    });
  }

  private below(parent: OpenSpan | null, name: string, kind: SpanKind, attributes: SpanAttributes): OpenSpan {
    const { testRunId, scenarioRunId, attempt } = this.of;
    const all: SpanAttributes = {
      'agent_osce.test_run.id': testRunId,
      'agent_osce.scenario_run.id': scenarioRunId,
      'agent_osce.attempt': attempt,
      'gen_ai.conversation.id': scenarioRunId,
      ...attributes,
    };
    if (parent !== null) return parent.begin(name, kind, all);
    return this.tracing.beginBelow(placeOfScenarioRun(testRunId, scenarioRunId), name, kind, all);
  }

  private agentFacts(operation: string): SpanAttributes {
    const { agentId, agentProvider } = this.of;
    return {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': agentProvider,
      'gen_ai.agent.id': agentId,
      'agent_osce.role': 'agent',
    };
  }

  /** The span ends with the work. What ends it from outside, such as a cancellation, is no error of it. */
  private async during<Result>(
    span: OpenSpan | null,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return this.failingWith(span, signal, async () => {
      const result = await work();
      span?.end(null);
      return result;
    });
  }

  private async failingWith<Result>(
    span: OpenSpan | null,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) span?.note({ 'agent_osce.interrupted': true });
      span?.end(signal.aborted ? null : failureOf(error).code);
      throw error;
    }
  }
}

/** `chat MODEL`, as the conventions have it. */
function nameOf({ name, model }: TracedExaminer): string {
  return `chat ${model ?? name}`;
}

function kindOf({ model }: TracedExaminer): SpanKind {
  return model === null ? 'internal' : 'client';
}

function factsOf(role: 'tester' | 'judge', { name, model }: TracedExaminer): SpanAttributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': name,
    'gen_ai.request.model': model ?? undefined,
    'agent_osce.role': role,
  };
}

/**
 * The tokens that were counted, under the names of the GenAI conventions: our examiners', as they count or as notes keep it, or
 * those that OpenAI-compatible agents report (`prompt_tokens`). No attributes when none were counted.
 */
function tokenUsage(notes: unknown): SpanAttributes {
  if (!isNotes(notes)) return {};
  return {
    'gen_ai.usage.input_tokens': numberIn(notes, 'input_tokens', 'inputTokens', 'prompt_tokens'),
    'gen_ai.usage.output_tokens': numberIn(notes, 'output_tokens', 'outputTokens', 'completion_tokens'),
    'gen_ai.response.model': firstTextIn(notes, 'answered_by', 'answeredBy'),
  };
}

/** What stands under a name in notes, where that is notes again. */
function notesIn(notes: Notes, name: string): Notes {
  const found = notes[name];
  return isNotes(found) ? found : {};
}

function numberIn(notes: Notes, ...names: readonly string[]): number | undefined {
  return names.map((name) => notes[name]).find((found) => typeof found === 'number');
}

function firstTextIn(notes: Notes, ...names: readonly string[]): string | undefined {
  const lists = names.map((name) => notes[name]).filter((found) => Array.isArray(found));
  return lists.flat().find((found) => typeof found === 'string');
}

function isNotes(value: unknown): value is Notes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The place of a run in its trace, computed from ids alone: every process that works at it, today or after a restart, names the
 * same trace and the same parents without asking another. The trace id is the run's UUID without its hyphens, a span id the
 * second half of a UUID, in which the variant's bits keep it from being zero.
 */
export function placeOfRun(testRunId: string): SpanPlace {
  return { traceId: digitsOf(testRunId), spanId: secondHalf(testRunId) };
}

export function placeOfScenarioRun(testRunId: string, scenarioRunId: string): SpanPlace {
  return { traceId: digitsOf(testRunId), spanId: secondHalf(scenarioRunId) };
}

function digitsOf(uuid: string): string {
  return uuid.replaceAll('-', '').toLowerCase();
}

function secondHalf(uuid: string): string {
  return digitsOf(uuid).slice(16);
}
