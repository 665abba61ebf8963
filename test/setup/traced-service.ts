import { startFakeOpenAi } from '../fakes/openai-server';
import type { FakeAgent } from '../fakes/fake-agent';
import { startTraceCollector, type CollectedSpan, type TraceCollector } from '../fakes/trace-collector';
import { ApiClient } from './api-client';
import { createTestDatabase, type TestDatabase } from './database';
import { eventually } from './eventually';
import { createAgent, createScenarios, GOOD_REPLY, untilFinal } from './examination';
import { startServiceProcess, type ServiceProcess } from './service-process';

/** In every agent's config. */
export const AGENT_KEY = 'sk-canary-8d1f0b7e62a94c35';

/** A service with a collector for its traces, and an agent. */
export interface TracedService {
  readonly api: ApiClient;
  readonly process: ServiceProcess;
  readonly agent: FakeAgent;
  readonly collector: TraceCollector;
  readonly databaseUrl: string;
  /** Kills the process and starts it again, on the same rows. */
  restart(): Promise<TracedService>;
  close(): Promise<void>;
}

/** What says where a span stands in its trace. */
type Standing = Pick<CollectedSpan, 'spanId' | 'parentSpanId' | 'name'>;

interface Surroundings {
  readonly agent: FakeAgent;
  readonly collector: TraceCollector;
  readonly variables: Readonly<Record<string, string>>;
  readonly database: TestDatabase;
}

/**
 * A process of its own: OpenTelemetry's library reads its variables from the environment, and loads parts of itself in a way that Jest
 * does not allow.
 * @param variables besides those that traces need, or instead of them; may be made of the collector's origin
 */
export async function startTracedService(
  variables: Readonly<Record<string, string>> | ((collector: string) => Readonly<Record<string, string>>) = {},
  reply: () => string = () => GOOD_REPLY,
): Promise<TracedService> {
  const [agent, collector, database] = await Promise.all([
    startFakeOpenAi({ reply }),
    startTraceCollector(),
    createTestDatabase(),
  ]);
  const environment = {
    DATABASE_URL: database.url,
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
    ...(typeof variables === 'function' ? variables(collector.origin) : variables),
  };
  return startIn({ agent, collector, variables: environment, database });
}

async function startIn(surroundings: Surroundings): Promise<TracedService> {
  const { agent, collector, variables, database } = surroundings;
  const process = await startServiceProcess(variables);
  return {
    api: new ApiClient(process.url),
    process,
    agent,
    collector,
    databaseUrl: database.url,
    restart: async () => {
      await process.end('SIGKILL');
      return startIn(surroundings);
    },
    close: async () => {
      await process.end('SIGKILL');
      await database.drop();
      await agent.close();
      await collector.close();
    },
  };
}

/** A run of one scenario that has ended; answers its id. */
export async function examineTraced(
  { api, agent }: TracedService,
  { config = {}, ...fields }: { readonly config?: object; readonly trials?: number } = {},
): Promise<string> {
  const id = await startRun({ api, agent }, { config, ...fields });
  await untilFinal(api, id);
  return id;
}

export async function startRun(
  { api, agent }: Pick<TracedService, 'api' | 'agent'>,
  { config = {}, ...fields }: { readonly config?: object; readonly trials?: number } = {},
): Promise<string> {
  const agent_id = await createAgent(api, agent.baseUrl, { api_key: AGENT_KEY, ...config });
  const scenario_ids = await createScenarios(api, 1);
  const { body } = await api.post('/start-run', { agent_id, scenario_ids, max_turns: 5, ...fields });
  return String(body.id);
}

/** Every span of a run that has ended, once its root is there. */
export async function traceOf({ collector }: TracedService, id: string): Promise<readonly CollectedSpan[]> {
  await eventually(() => expect(named(collector.spansOf(id), 'test run')).toHaveLength(1));
  return collector.spansOf(id);
}

export function named<Span extends Standing>(spans: readonly Span[], name: string): readonly Span[] {
  return spans.filter((span) => span.name === name);
}

/** Each span by its name below its parents'; `?` stands for a parent that has not arrived. */
export function treeOf(spans: readonly Standing[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const pathOf = ({ name, parentSpanId = '' }: Standing): string => {
    if (parentSpanId === '') return name;
    const parent = byId.get(parentSpanId);
    return `${parent === undefined ? '?' : pathOf(parent)} > ${name}`;
  };
  return spans.map(pathOf).sort();
}
