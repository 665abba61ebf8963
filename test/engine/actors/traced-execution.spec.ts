import { AttemptLeases } from '../../../src/engine/actors/attempt-leases';
import { Executions } from '../../../src/engine/actors/executions';
import { ProcessId } from '../../../src/engine/actors/process-id';
import { instantNow } from '../../../src/engine/actors/two-clock-instant';
import { ScreenshotsStore } from '../../../src/engine/ledger/screenshots.store';
import { turnOf, type TurnRecord } from '../../../src/domain/conversation';
import { silentLog } from '../../../src/platform/config/log';
import { settingsFrom } from '../../../src/platform/config/settings';
import {
  NoTracing,
  Tracing,
  type OpenSpan,
  type SpanAttributes,
} from '../../../src/platform/telemetry/tracing/tracing';
import { inText } from '../../setup/in-text';
import { openConversation, RECORD } from '../../setup/kept-conversation';
import { OneProvider } from '../../setup/silent-provider';
import { openStoredRuns, type StoredRuns } from '../../setup/stored-run';
import { openTextThreads } from '../../setup/text-threads';
import { transcriptOf } from '../../setup/transcripts';

const textThreads = openTextThreads();
let runs: StoredRuns;
beforeAll(async () => {
  runs = await openStoredRuns();
});
const cleanups: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup();
  await runs.close();
});

const { signal } = new AbortController();

interface NotedSpan {
  readonly name: string;
  readonly attributes: SpanAttributes;
  /** Undefined while it is open; null: nothing went wrong. */
  readonly error: string | null | undefined;
}

/** Keeps its spans; the traceparent of each is its name. */
class NotingTracing extends Tracing {
  readonly isOn = true;
  readonly spans: NotedSpan[] = [];

  override beginBelow(_parent: unknown, name: string, _kind: unknown, attributes: SpanAttributes): OpenSpan {
    const at = this.spans.push({ name, attributes, error: undefined }) - 1;
    const change = (changed: (span: NotedSpan) => Partial<NotedSpan>): void => {
      const span = this.spans[at];
      if (span !== undefined) this.spans[at] = { ...span, ...changed(span) };
    };
    return {
      traceparent: name,
      begin: (below, kind, noted) => this.beginBelow(null, below, kind, noted),
      note: (noted) => change((span) => ({ attributes: { ...span.attributes, ...noted } })),
      event: () => undefined,
      end: (error) => change((span) => ({ error: span.error === undefined ? error : span.error })),
    };
  }

  override tell(): void {
    throw new Error('An attempt tells of no span that it did not begin.');
  }

  override async close(): Promise<void> {
    // There is nothing to send.
  }
}

/** One attempt, with an agent, a patient and an examiner that do as they are told. */
function begin(tracing: Tracing, environment: Record<string, string> = {}) {
  const { provider, tester, judge } = openConversation(textThreads);
  const providers = new OneProvider(provider);
  cleanups.push(() => providers.close());
  const executions = new Executions(
    new ProcessId(),
    new AttemptLeases(runs.ownership, runs.database, silentLog),
    providers,
    textThreads,
    runs.scenarioRuns,
    new ScreenshotsStore(runs.database),
    tracing,
    settingsFrom({ PATIENT_AUDIT: 'false', ...environment }),
    inText,
    silentLog,
  );
  // Claimed just now: no attempt asks for its row.
  const execution = executions.begin({ ...RECORD, turns: [] }, { tester, judge }, instantNow());
  return { execution, provider, judge };
}

async function converse({ driven: { conversation } }: ReturnType<typeof begin>['execution']): Promise<TurnRecord> {
  await conversation.connect([], signal);
  const message = await conversation.compose(1, [], signal);
  const answer = await conversation.send(message, signal);
  if (answer.content === null) throw new Error('The agent hung up.');
  return turnOf(message, answer);
}

describe('an attempt while no traces are collected', () => {
  it('is driven as it is, and its agent hears of no trace', async () => {
    const { execution, provider } = begin(new NoTracing());
    expect(execution.driven.conversation).toBe(execution.conversation);
    expect(execution.driven.recorder).toBe(execution.recorder);
    await converse(execution);
    expect(provider.connections).toMatchObject([{ traceHeaders: undefined }]);
  });
});

describe('an attempt while traces are collected', () => {
  const ids = {
    'agent_osce.test_run.id': RECORD.testRunId,
    'agent_osce.scenario_run.id': RECORD.scenarioRunId,
    'agent_osce.attempt': RECORD.attempt,
  };

  it('has a span for its session and for each side of a turn, and its agent is told of the call under way', async () => {
    const tracing = new NotingTracing();
    const { execution, provider, judge } = begin(tracing);
    const turn = await converse(execution);
    const names = ['connect openai', 'turn 1', 'chat patient-1', 'invoke_agent'];
    expect(tracing.spans.map(({ name }) => name)).toEqual(names);
    for (const { attributes } of tracing.spans) expect(attributes).toMatchObject(ids);
    expect(tracing.spans.map(({ error }) => error)).toEqual([null, undefined, null, null]);
    expect(tracing.spans[0]?.attributes).toMatchObject({
      'gen_ai.agent.id': RECORD.agentId,
      'gen_ai.provider.name': 'openai',
    });
    expect(provider.connections[0]?.traceHeaders?.()).toEqual({ traceparent: 'invoke_agent' });
    await execution.driven.conversation.judge([turn], signal);
    const marks = tracing.spans.at(-1);
    expect(marks).toMatchObject({ name: `chat ${judge.model ?? judge.name}`, error: null });
    const usage = execution.conversation.facts.grading?.record.usage;
    expect(marks?.attributes).toMatchObject({
      'gen_ai.usage.input_tokens': usage?.inputTokens,
      'gen_ai.usage.output_tokens': usage?.outputTokens,
    });
    expect(usage).toBeDefined();
  });

  it.each([
    ['false', false],
    ['true', true],
  ])('has what was said in its spans only where that is wanted: %s', async (wanted, isHeld) => {
    const tracing = new NotingTracing();
    const { execution } = begin(tracing, { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: wanted });
    await converse(execution);
    expect(JSON.stringify(tracing.spans).includes('When?')).toBe(isHeld);
  });

  it('keeps what ended its examination before a judge was asked', async () => {
    const tracing = new NotingTracing();
    const { execution } = begin(tracing);
    const silent = transcriptOf(['When?']).map((turn) => ({ ...turn, metadata: { spoken: { inaudible: true } } }));
    await expect(execution.driven.conversation.judge(silent, signal)).rejects.toMatchObject({
      failure: { code: 'empty_reply' },
    });
    expect(tracing.spans).toMatchObject([{ error: 'empty_reply' }]);
  });

  it('says of its turn what kept it from being recorded', async () => {
    const tracing = new NotingTracing();
    const { execution } = begin(tracing);
    const turn = await converse(execution);
    const failure = { code: 'provider_error', message: 'No.' } as const;
    // Its row is gone, so nothing is written.
    await expect(execution.driven.recorder.recordFailure(failure, [turn], signal)).rejects.toThrow('canceled');
    expect(tracing.spans.find(({ name }) => name === 'turn 1')).toMatchObject({ error: 'provider_error' });
  });
});
